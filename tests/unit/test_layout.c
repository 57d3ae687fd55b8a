/* test_layout.c
 *
 * Goal: a layout is valid exactly when every attribute can be written in its
 *   format, inside the stride, without overlap.
 * Method: every format at every attribute; every pair of offsets; limits.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/layout_table.h"

#include <spindle/geom_layout.h>
#include <string.h>

static void every_format_is_validated_for_every_attribute(void)
{
    for (uint32_t a = 0; a < LAYOUT_ATTRIBUTES; a++)
        for (int f = 1; f < LAYOUT_FORMATS; f++) {
            const uint32_t bytes = layout_bytes[a][f];
            spn_vertex_layout layout = {.stride = 100};

            test_context("attribute %u format %d", a, f);
            layout_attribute(&layout, a)->format = (spn_format)f;
            CHECK_EQ(spn_layout_check(&layout),
                     bytes != 0 ? SPN_OK : SPN_ERR_ARG);
            if (bytes == 0)
                continue;
            layout.stride = bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_OK);
            layout.stride = bytes - 1;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            layout.stride = 100;
            layout_attribute(&layout, a)->offset = 100 - bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_OK);
            layout_attribute(&layout, a)->offset = 101 - bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            layout_attribute(&layout, a)->offset = UINT32_MAX;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            layout_attribute(&layout, a)->offset = UINT32_MAX - bytes + 1;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
        }
}

static void attributes_may_touch_but_not_overlap(void)
{
    struct test_random random = {1};

    for (int round = 0; round < 100000; round++) {
        spn_vertex_layout layout = {.stride = 64};
        uint64_t used = 0;
        bool is_apart = true;

        for (int n = 0; n < 3; n++) {
            uint32_t a = test_random_below(&random, LAYOUT_ATTRIBUTES);
            int f = (int)test_random_below(&random, LAYOUT_FORMATS);
            uint32_t bytes = layout_bytes[a][f];
            uint32_t offset = test_random_below(&random, 40);
            uint64_t mask = ((1ull << bytes) - 1) << offset;

            if (bytes == 0 || layout_attribute(&layout, a)->format != 0)
                continue;
            layout_attribute(&layout, a)->format = (spn_format)f;
            layout_attribute(&layout, a)->offset = offset;
            is_apart = is_apart && (used & mask) == 0;
            used |= mask;
        }
        CHECK_EQ(spn_layout_check(&layout), is_apart ? SPN_OK : SPN_ERR_ARG);
    }
}

static void an_unused_attribute_may_have_any_offset(void)
{
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3},
                                .uv = {UINT32_MAX, SPN_FORMAT_NONE}};

    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
}

static void invalid_layouts_are_refused(void)
{
    spn_vertex_layout layout = {.stride = 0};
    int wild = LAYOUT_FORMATS;

    CHECK_EQ(spn_layout_check(NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    layout.stride = 64;
    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
    /* Values that a caller in another language could pass. */
    memcpy(&layout.uv.format, &wild, sizeof layout.uv.format);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    wild = 64;
    memcpy(&layout.uv.format, &wild, sizeof layout.uv.format);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
}

static void strides_have_the_stated_limit(void)
{
    spn_vertex_layout layout = {
        .stride = SPN_STRIDE_MAX,
        .color = {SPN_STRIDE_MAX - 4, SPN_FORMAT_UNORM8X4}};

    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
    layout.color.offset++;
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    layout.color.offset = UINT32_MAX;
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    layout.color.offset = 0;
    layout.stride++;
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    layout.stride = UINT32_MAX;
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
}

TEST_MAIN(TEST(every_format_is_validated_for_every_attribute),
          TEST(attributes_may_touch_but_not_overlap),
          TEST(an_unused_attribute_may_have_any_offset),
          TEST(invalid_layouts_are_refused),
          TEST(strides_have_the_stated_limit))
