/* test_check_match.c
 *
 * Goal: corners at one place are distinguished by each component of each
 *   attribute. Attributes that only one side has are counted.
 * Method: two quads at the same or nearly the same place that differ in one
 *   number. Caches of them in either order are verified against archives of
 *   either order. A comparison that ignores the number confuses the quads in
 *   some of these pairs.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "support/made_scene.h"
#include "support/made_verify.h"

#include <string.h>

enum { QUADS = 2, POINTS = 4 * QUADS };

/* The difference between the two quads. */
struct difference {
    const char *name;
    uint32_t extent;
    uint32_t component;
    float value;
    float z; /* offset of two points of the second quad */
};

static void write_quads(const char *path, const struct difference *differs,
                        bool is_swapped)
{
    static const uint32_t point_count[1] = {POINTS};
    static const int32_t counts[QUADS] = {4, 4};
    static const int32_t indices[POINTS] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const float places[12] = {0, 0, 0, 0, 2, 0, 2, 2, 1, 2, 0, 1};
    float positions[3 * POINTS];
    float values[4 * POINTS];
    const struct made_param param = {.name = differs->name,
                                     .scope = "vtx",
                                     .interpretation =
                                         differs->extent == 4 ? "rgba" : NULL,
                                     .pod = ABC_F32,
                                     .extent = differs->extent,
                                     .sample_count = 1,
                                     .counts = point_count,
                                     .values = values};
    const struct made_mesh mesh = {.name = "quads",
                                   .sample_count = 1,
                                   .point_counts = point_count,
                                   .positions = positions,
                                   .topology_samples = 1,
                                   .face_count = QUADS,
                                   .counts = counts,
                                   .corner_count = POINTS,
                                   .indices = indices,
                                   .param_count = differs->extent > 0,
                                   .params = &param};

    for (uint32_t i = 0; i < POINTS; i++) {
        bool is_second = (i >= 4) != is_swapped;

        memcpy(positions + 3 * i, places + 3 * (i % 4), 3 * sizeof *places);
        if (is_second && i % 4 < 2)
            positions[3 * i + 2] += differs->z;
        /* The UVs span an area, so that tangents exist. */
        for (uint32_t c = 0; c < differs->extent; c++)
            values[differs->extent * i + c] =
                0.25f + (c < 2 ? 0.25f * places[3 * (i % 4) + c] : 0.25f) +
                (is_second && c == differs->component ? differs->value : 0);
    }
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    made_close(&made_scene, path);
}

static void compile(const char *archive, const char *cache, bool flip_v,
                    const char *second_uv)
{
    struct compile_options options;

    compile_options_default(&options);
    options.precision_mm = 1;
    options.flip_v = flip_v;
    options.second_uv_set = second_uv;
    made_compile(archive, cache, &options);
}

static void check_distinguished(const struct difference *differs, bool flip_v)
{
    const char *archive = made_scene_path("quads.abc");
    const char *cache = made_scene_path("quads.sgc");

    for (int round = 0; round < 4; round++) {
        struct verify_report report;

        test_context("%s %u, flip %d, round %d, z %g", differs->name,
                     differs->component, flip_v, round, (double)differs->z);
        write_quads(archive, differs, round / 2);
        compile(archive, cache, flip_v,
                strcmp(differs->name, "light") == 0 ? "light" : NULL);
        write_quads(archive, differs, round % 2);
        made_verify(archive, cache, flip_v, &report);
        CHECK_STR(report.failure ? report.failure : "passed", "passed");
        CHECK_EQ_U(report.uv.count + report.second_uv.count +
                       report.color.count,
                   POINTS * differs->extent);
    }
}

static void each_component_distinguishes_corners(void)
{
    static const char *const names[3] = {"uv", "light", "Cd"};

    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t c = 0; c < (i == 2 ? 4 : 2); c++) {
            const struct difference differs = {names[i], i == 2 ? 4 : 2, c,
                                               0.125f, 0};

            check_distinguished(&differs, false);
            check_distinguished(&differs, true);
        }
}

/* By their rounded positions alone, the vertices would match the other quad. */
static void uvs_outweigh_rounding_errors_of_positions(void)
{
    static const char *const names[2] = {"uv", "light"};

    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t c = 0; c < 2; c++) {
            const struct difference differs = {names[i], 2, c, 0.01f, 0.0003f};

            check_distinguished(&differs, false);
        }
}

static void attributes_of_one_side_are_counted(void)
{
    static const struct difference kinds[3] = {{"uv", 2, 0, 0.125f, 0},
                                               {"light", 2, 0, 0.125f, 0},
                                               {"Cd", 4, 0, 0.125f, 0}};
    static const struct difference none = {"", 0, 0, 0, 0};
    const char *archive = made_scene_path("one.abc");
    const char *cache = made_scene_path("one.sgc");

    for (int i = 0; i < 3; i++)
        for (int is_in_cache = 0; is_in_cache < 2; is_in_cache++) {
            struct verify_report report;

            /* A second UV set is optional in a cache. */
            if (i == 1 && !is_in_cache)
                continue;
            test_context("%s, in the cache: %d", kinds[i].name, is_in_cache);
            write_quads(archive, is_in_cache ? &kinds[i] : &none, false);
            compile(archive, cache, false, i == 1 ? "light" : NULL);
            write_quads(archive, is_in_cache ? &none : &kinds[i], false);
            made_verify(archive, cache, false, &report);
            CHECK_STR(report.failure, "UVs or colours exist on one side only");
            CHECK_EQ_U(report.wrong_channels, 1);
            CHECK_EQ_U(report.unmatched_corners + report.unmatched_vertices, 0);
        }
}

TEST_MAIN(TEST(each_component_distinguishes_corners),
          TEST(uvs_outweigh_rounding_errors_of_positions),
          TEST(attributes_of_one_side_are_counted))
