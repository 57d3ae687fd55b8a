/* Goal: a layout passes exactly when every attribute can be written in its
 * format, inside the stride, apart from the others.
 * Method: every format at every attribute; every pair of offsets; edges. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <spindle/geom.h>
#include <string.h>

enum { ATTRIBUTES = 8, FORMATS = SPN_FORMAT_QUANTIZED + 1 };

/* Bytes of each attribute (position, previous, normal, tangent, QTangent, UV,
 * colour, velocity) in each format; 0: not allowed. By hand, from the public
 * header. */
static const uint8_t bytes_of[ATTRIBUTES][FORMATS] = {
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 6},
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 6},
    {0, 0, 12, 0, 0, 0, 4, 8, 4, 0, 0, 0, 0},
    {0, 0, 12, 16, 0, 0, 4, 8, 4, 0, 0, 0, 0},
    {0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0, 0, 8},
    {0, 8, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 4},
    {0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 4, 4, 4},
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0},
};

static spn_attribute *attribute_of(spn_vertex_layout *layout, int index)
{
    spn_attribute *attributes[ATTRIBUTES] = {
        &layout->position, &layout->previous_position, &layout->normal,
        &layout->tangent,  &layout->qtangent,          &layout->uv,
        &layout->color,    &layout->velocity};

    return attributes[index];
}

static void every_format_is_judged_for_every_attribute(void)
{
    for (int a = 0; a < ATTRIBUTES; a++)
        for (int f = 1; f < FORMATS; f++) {
            const uint32_t bytes = bytes_of[a][f];
            spn_vertex_layout layout = {.stride = 100};

            test_context("attribute %d format %d", a, f);
            attribute_of(&layout, a)->format = (spn_format)f;
            CHECK_EQ(spn_layout_check(&layout),
                     bytes != 0 ? SPN_OK : SPN_ERR_ARG);
            if (bytes == 0)
                continue;
            layout.stride = bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_OK);
            layout.stride = bytes - 1;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            layout.stride = 100;
            attribute_of(&layout, a)->offset = 100 - bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_OK);
            attribute_of(&layout, a)->offset = 101 - bytes;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            attribute_of(&layout, a)->offset = UINT32_MAX;
            CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
            attribute_of(&layout, a)->offset = UINT32_MAX - bytes + 1;
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
            int a = (int)test_random_below(&random, ATTRIBUTES);
            int f = (int)test_random_below(&random, FORMATS);
            uint32_t bytes = bytes_of[a][f];
            uint32_t offset = test_random_below(&random, 40);
            uint64_t mask = ((1ull << bytes) - 1) << offset;

            if (bytes == 0 || attribute_of(&layout, a)->format != 0)
                continue;
            attribute_of(&layout, a)->format = (spn_format)f;
            attribute_of(&layout, a)->offset = offset;
            is_apart = is_apart && (used & mask) == 0;
            used |= mask;
        }
        CHECK_EQ(spn_layout_check(&layout), is_apart ? SPN_OK : SPN_ERR_ARG);
    }
}

static void an_unused_attribute_may_stand_anywhere(void)
{
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3},
                                .uv = {UINT32_MAX, SPN_FORMAT_NONE}};

    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
}

static void nonsense_is_refused(void)
{
    spn_vertex_layout layout = {.stride = 0};
    int wild = FORMATS;

    CHECK_EQ(spn_layout_check(NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    layout.stride = 64;
    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
    /* As a caller in another language would pass it. */
    memcpy(&layout.uv.format, &wild, sizeof layout.uv.format);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
    wild = 64;
    memcpy(&layout.uv.format, &wild, sizeof layout.uv.format);
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
}

static void the_stride_may_be_as_large_as_it_gets(void)
{
    spn_vertex_layout layout = {.stride = UINT32_MAX,
                                .color = {UINT32_MAX - 4, SPN_FORMAT_UNORM8X4}};

    CHECK_EQ(spn_layout_check(&layout), SPN_OK);
    layout.color.offset++;
    CHECK_EQ(spn_layout_check(&layout), SPN_ERR_ARG);
}

TEST_MAIN(TEST(every_format_is_judged_for_every_attribute),
          TEST(attributes_may_touch_but_not_overlap),
          TEST(an_unused_attribute_may_stand_anywhere),
          TEST(nonsense_is_refused),
          TEST(the_stride_may_be_as_large_as_it_gets))
