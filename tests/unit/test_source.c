/* test_source.c
 *
 * Goal: a mesh is looked at once and whole: what moves, how far, what fits; and
 *   its values at any time are those of the samples around it.
 * Method: two quads from tables, with samples and parameters to order.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/source.h"
#include "support/ogawa_writer.h"
#include "support/scene_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two quads side by side; point 6 belongs to no face. */
#define POINTS 7u
#define FACES 2u
#define CORNERS 8u
static const int32_t counts[] = {4, 4};
static const int32_t indices[] = {0, 1, 4, 3, 1, 2, 5, 4};
static const float still[3 * POINTS] = {0, 0, 0, 1, 0, 0, 2, 0,  0,  0, 1,
                                        0, 1, 1, 0, 2, 1, 0, 50, 60, 70};
static float moving[2 * 3 * POINTS];

static struct source source;
static struct warnings warnings;
static struct abc_archive *archive;
static struct arena arena;
static struct diag diag;

static bool open_file(const char *path, bool flip_v)
{
    struct compile_options options;

    compile_options_default(&options);
    options.flip_v = flip_v;
    memset(&warnings, 0, sizeof warnings);
    diag_init(&diag);
    diag.is_silent = true;
    arena_init(&arena);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    return source_open(&source, archive, archive->top->children[0], &options,
                       &warnings, &arena);
}

/* Sampling 1: 1, 2, ... seconds; 2: 10, 10.5, ... */
static bool open_mesh(const struct written_property *geometry, uint32_t count,
                      bool flip_v)
{
    static const struct written_sampling samplings[] = {{1, 1}, {10, 0.5}};
    const struct written_property mesh[] = {{".geom", ABC_COMPOUND, ABC_BOOL, 0,
                                             0, 0, 0, NULL, NULL, geometry,
                                             count, NULL}};
    const struct written_object top[] = {
        WRITTEN_OBJECT("mesh", WRITTEN_MESH, mesh)};
    const struct written_scene scene = {samplings, 2, top, 1};
    char path[512];

    snprintf(path, sizeof path, "%s/source.abc", test_temp());
    scene_write(&scene, path);
    return open_file(path, flip_v);
}

static void close_mesh(void)
{
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
}

#define TOPOLOGY                                                               \
    WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, FACES, counts),             \
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, CORNERS, indices)
#define STILL WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, POINTS, still)
#define PARAM(name, extent, sampling, samples, count, values, scope)           \
    {                                                                          \
        name, ABC_ARRAY, ABC_F32, extent, sampling, samples, count, values,    \
            "geoScope=" scope, NULL, 0, NULL                                   \
    }

static uint32_t frame_times(void)
{
    struct timeline timeline;

    timeline_begin(&timeline, &arena);
    source_add_times(&source, &timeline);
    CHECK(timeline_finish(&timeline, 0, 100));
    return timeline.count;
}

/* -- positions -- */

static void make_moving(void)
{
    memcpy(moving, still, sizeof still);
    for (uint32_t i = 0; i < 3 * POINTS; i++)
        moving[3 * POINTS + i] = still[i] + 0.5f;
}

static void source_recognises_a_static_mesh(void)
{
    const struct written_property geometry[] = {STILL, TOPOLOGY};
    const float *positions;

    CHECK(open_mesh(geometry, 3, false));
    CHECK(!source.is_empty && !source.is_moving);
    CHECK_EQ(source.point_count, POINTS);
    CHECK_EQ(source.corner_count, CORNERS);
    CHECK_EQ(source.triangles.triangle_count, 4);
    CHECK_EQ(source.corner_faces[3], 0);
    CHECK_EQ(source.corner_faces[4], 1);
    CHECK_EQ(source.corner_points[6], 5);
    CHECK(!source.normals.param && !source.uvs.param && !source.colors.param);
    CHECK_EQ(frame_times(), 1);
    CHECK(source_positions(&source, 77, &arena, &positions));
    CHECK_MEM(positions, still, sizeof still);
    close_mesh();
}

static void source_boxes_the_points_that_faces_use(void)
{
    const struct written_property geometry[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, POINTS, moving), TOPOLOGY};

    make_moving();
    CHECK(open_mesh(geometry, 3, false));
    CHECK(source.is_moving);
    CHECK_EQ(frame_times(), 2);
    CHECK(source.box[0].min == 0 && source.box[0].max == 2.5f);
    CHECK(source.box[1].min == 0 && source.box[1].max == 1.5f);
    CHECK(source.box[2].min == 0 && source.box[2].max == 0.5f);
    close_mesh();
}

static void source_blends_positions_between_samples(void)
{
    const struct written_property geometry[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, POINTS, moving), TOPOLOGY};
    static const double times[] = {-5, 1, 1.25, 2, 9};
    static const float shifts[] = {0, 0, 0.125f, 0.5f, 0.5f};
    const float *positions;

    make_moving();
    CHECK(open_mesh(geometry, 3, false));
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        test_context("at %g", times[i]);
        CHECK(source_positions(&source, times[i], &arena, &positions));
        for (uint32_t k = 0; k < 3 * POINTS; k++)
            CHECK(positions[k] == still[k] + shifts[i]);
    }
    close_mesh();
}

static void source_refuses_what_is_no_number_in_any_sample(void)
{
    const struct written_property geometry[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, POINTS, moving), TOPOLOGY};

    for (uint32_t at = 0; at < 2; at++) {
        char wanted[128];

        make_moving();
        moving[at * 3 * POINTS + 3 * 4 + 1] = at ? NAN : INFINITY;
        CHECK(!open_mesh(geometry, 3, false));
        snprintf(wanted, sizeof wanted,
                 "/mesh: not a finite number: P of point 4 in sample %u (%u s) "
                 "is %s",
                 at, at + 1, at ? "(1.5, nan, 0.5)" : "(1, inf, 0)");
        test_context("%s", diag.text);
        CHECK(strstr(diag.text, wanted) != NULL);
        close_mesh();
    }
}

/* The topology of two or three samples, sampling 1. */
#define COUNTS(samples, count, values)                                         \
    WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 1, samples, count, values)
#define INDICES(samples, count, values)                                        \
    WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 1, samples, count, values)

static void expect_topology(const struct written_property *geometry,
                            const char *words)
{
    CHECK(!open_mesh(geometry, 3, false));
    test_context("%s", diag.text);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK(strstr(diag.text,
                 "source.abc: /mesh: topology changes over time: ") != NULL);
    CHECK(strstr(diag.text, words) != NULL);
    close_mesh();
}

static void source_refuses_faces_that_change(void)
{
    static const int32_t twisted[2 * CORNERS] = {0, 1, 4, 3, 1, 2, 5, 4,
                                                 0, 1, 4, 3, 1, 2, 4, 5};
    static const int32_t divided[3 * FACES] = {4, 4, 4, 4, 3, 5};
    const struct written_property corners[] = {STILL, COUNTS(1, FACES, counts),
                                               INDICES(2, CORNERS, twisted)};
    const struct written_property faces[] = {STILL, COUNTS(3, FACES, divided),
                                             INDICES(1, CORNERS, indices)};

    expect_topology(corners, "corner 6 (of face 1) is point 4 in sample 1 "
                             "(2 s), point 5 in sample 0");
    expect_topology(faces,
                    "face 0 has 3 corners in sample 2 (3 s), 4 in sample 1");
}

/* A mesh of 2^20 faces without corners, stored anew under other keys in so many
 * samples, whose bytes are all the same. */
static void write_restated(const char *path, uint32_t samples)
{
    enum { BYTES = 4 << 20 };
    static const uint8_t zero[12];
    static struct header_block headers;
    const uint32_t one[] = {1};
    const uint32_t all[] = {samples};
    uint8_t *faces = calloc(1, BYTES);
    uint64_t *blocks = calloc(samples, 2 * sizeof *blocks);
    struct ogawa_writer writer;
    uint64_t children[3];

    CHECK(faces != NULL && blocks != NULL && samples > 1);
    writer_open(&writer);
    blocks[0] = writer_sample(&writer, faces, BYTES);
    blocks[2] = writer_sample(&writer, faces, BYTES);
    for (uint32_t i = 0; i < samples; i++) {
        blocks[2 * i] = blocks[i == 0 ? 0 : 2];
        blocks[2 * i + 1] = WRITER_EMPTY_DATA;
    }
    children[0] = writer_group(&writer, blocks, 2 * (size_t)samples);
    children[1] = writer_group(
        &writer, (const uint64_t[]){WRITER_EMPTY_DATA, WRITER_EMPTY_DATA}, 2);
    blocks[0] = writer_sample(&writer, zero, sizeof zero);
    children[2] = writer_group(&writer, blocks, 2);
    headers.count = 0;
    header_property(&headers, 2u | 1u << 12 | ABC_I32 << 4, all, 1,
                    ".faceCounts");
    header_property(&headers, 2u | 1u << 12 | ABC_I32 << 4, one, 1,
                    ".faceIndices");
    header_property(&headers, 2u | 3u << 12 | ABC_F32 << 4, one, 1, "P");
    writer_close(&writer, writer_one_mesh(&writer, children, &headers), path);
    free(blocks);
    free(faces);
}

/* Up to a bound, samples are compared; what is beyond it is not said to
 * differ. */
static void source_limits_the_compared_faces(void)
{
    char path[512];

    snprintf(path, sizeof path, "%s/restated.abc", test_temp());
    write_restated(path, 17);
    CHECK(open_file(path, false));
    CHECK_STR(source.empty_reason, "no face has three different points");
    close_mesh();
    write_restated(path, 18);
    CHECK(!open_file(path, false));
    test_context("%s", diag.text);
    CHECK(strstr(diag.text, "/mesh: topology changes over time: its faces are "
                            "stored anew up to sample 17, too many to be "
                            "compared") != NULL);
    close_mesh();
}

static void source_recognises_an_empty_mesh(void)
{
    static const int32_t lines[] = {2, 2, 2, 2};
    const struct written_property flat[] = {
        STILL, WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 4, lines),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, CORNERS, indices)};
    const struct written_property none[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 0, 0, 0, still), TOPOLOGY};

    CHECK(open_mesh(flat, 3, false));
    CHECK(source.is_empty);
    CHECK_STR(source.empty_reason, "no face has three different points");
    close_mesh();
    CHECK(open_mesh(none, 3, false));
    CHECK(source.is_empty);
    CHECK_STR(source.empty_reason, "P has no samples");
    close_mesh();
}

/* -- parameters -- */

static void source_derives_the_scope_from_the_number_of_values(void)
{
    static const float values[2 * CORNERS] = {0};
    static const struct {
        uint32_t count;
        bool is_per_point;
        uint32_t value_of_corner[3]; /* of corners 0, 4, 6 */
    } cases[] = {{CORNERS, false, {0, 4, 6}},
                 {POINTS, true, {0, 1, 5}},
                 {FACES, false, {0, 1, 1}},
                 {1, true, {0, 0, 0}}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Whatever they say that they are. */
        const struct written_property geometry[] = {
            STILL, TOPOLOGY,
            PARAM("uv", 2, 0, 1, cases[i].count, values, "uni")};

        test_context("%u values", cases[i].count);
        CHECK(open_mesh(geometry, 4, false));
        CHECK(source.uvs.param != NULL);
        CHECK_EQ(source.uvs.count, cases[i].count);
        CHECK_EQ(source.uvs.is_per_point, cases[i].is_per_point);
        for (uint32_t k = 0; k < 3; k++) {
            static const uint32_t corner[] = {0, 4, 6};

            CHECK_EQ(source.uvs.index ? source.uvs.index[corner[k]] : corner[k],
                     cases[i].value_of_corner[k]);
        }
        CHECK_EQ(warnings.of[WARNING_UVS_MISFIT].count, 0);
        close_mesh();
    }
}

static void source_drops_values_that_match_no_scope(void)
{
    static const float values[3 * CORNERS] = {0};
    const struct written_property geometry[] = {
        STILL, TOPOLOGY, PARAM("uv", 2, 0, 1, 3, values, "fvr"),
        PARAM("N", 3, 0, 1, 5, values, "fvr")};

    CHECK(open_mesh(geometry, 5, false));
    CHECK(!source.uvs.param && !source.normals.param);
    CHECK_EQ(warnings.of[WARNING_UVS_MISFIT].count, 1);
    CHECK_EQ(warnings.of[WARNING_NORMALS_MISFIT].count, 1);
    close_mesh();
}

static void source_flips_v_when_requested(void)
{
    static float values[2 * POINTS];
    const struct written_property geometry[] = {
        STILL, TOPOLOGY, PARAM("uv", 2, 0, 1, POINTS, values, "vtx")};
    const float *read;

    for (uint32_t i = 0; i < POINTS; i++) {
        values[2 * i] = (float)i / 8;
        values[2 * i + 1] = (float)i / 4;
    }
    for (int flip = 0; flip < 2; flip++) {
        CHECK(open_mesh(geometry, 4, flip));
        CHECK(source_values(&source, &source.uvs, 0, &arena, &read));
        for (uint32_t i = 0; i < POINTS; i++) {
            CHECK(read[2 * i] == (float)i / 8);
            CHECK(read[2 * i + 1] == (flip ? 1 - (float)i / 4 : (float)i / 4));
        }
        /* Points of faces alone: 0 to 5. */
        CHECK(source.uvs.range[1].min == (flip ? 1 - 1.25f : 0));
        CHECK(source.uvs.range[1].max == (flip ? 1 : 1.25f));
        close_mesh();
    }
}

static float values_in_time[3][2 * POINTS];

static void make_values_in_time(void)
{
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; i < 2 * POINTS; i++)
            values_in_time[s][i] = (float)(i + (s == 2 ? 4 : 0));
}

static void source_walks_the_samples_of_a_parameter(void)
{
    const struct written_property geometry[] = {
        STILL, TOPOLOGY, PARAM("uv", 2, 2, 3, POINTS, values_in_time, "vtx")};
    const float *read;
    uint32_t sample = 0;
    uint32_t seen = 0;
    bool is_more;

    make_values_in_time();
    CHECK(open_mesh(geometry, 4, false));
    CHECK(source.uvs.is_animated && !source.is_moving);
    CHECK_EQ(frame_times(), 3);
    while (source_next_values(&source, &source.uvs, &sample, &is_more, &arena,
                              &read) &&
           is_more) {
        CHECK_MEM(read, values_in_time[seen], sizeof values_in_time[0]);
        seen++;
    }
    CHECK_EQ(seen, 3);
    CHECK(source_values(&source, &source.uvs, 10.5, &arena, &read));
    CHECK(read[3] == 3);
    CHECK(source_values(&source, &source.uvs, 10.75, &arena, &read));
    CHECK(read[3] == 5);
    CHECK(source_values(&source, &source.uvs, 99, &arena, &read));
    CHECK(read[3] == 7);
    close_mesh();
}

static void source_takes_equal_samples_for_one(void)
{
    const struct written_property geometry[] = {
        STILL, TOPOLOGY, PARAM("uv", 2, 2, 2, POINTS, values_in_time, "vtx")};

    make_values_in_time();
    CHECK(open_mesh(geometry, 4, false));
    CHECK(source.uvs.param != NULL);
    CHECK(!source.uvs.is_animated);
    CHECK_EQ(frame_times(), 1);
    close_mesh();
}

static void source_refuses_values_that_are_no_numbers_later(void)
{
    const struct written_property geometry[] = {
        STILL, TOPOLOGY, PARAM("uv", 2, 2, 3, POINTS, values_in_time, "vtx")};

    make_values_in_time();
    values_in_time[2][5] = NAN;
    CHECK(!open_mesh(geometry, 4, false));
    test_context("%s", diag.text);
    CHECK(strstr(diag.text, "/mesh: not a finite number: uv of point 2 in "
                            "sample 2 (11 s) is (8, nan)") != NULL);
    close_mesh();
}

#define COLOR(pod, name, count, values, scope)                                 \
    {                                                                          \
        name, ABC_ARRAY, pod, 3, 1, 2, count, values,                          \
            "geoScope=" scope ";interpretation=rgb", NULL, 0, NULL             \
    }

/* Of which element, and the number as it is stored. */
static void source_names_the_number_that_a_float_cannot_hold(void)
{
    static double colors[2 * 3 * CORNERS];
    static const uint32_t order[2 * CORNERS] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                0, 0, 0, 0, 0, 1, 0, 0};
    const struct written_property pair[] = {
        COLOR(ABC_F64, ".vals", 2, colors, "fvr"),
        WRITTEN_ARRAY(".indices", ABC_U32, 1, 1, 2, CORNERS, order)};
    const struct written_property indexed[] = {
        {"Cd", ABC_COMPOUND, ABC_BOOL, 0, 0, 0, 0, NULL,
         "geoScope=fvr;interpretation=rgb", pair, 2, NULL}};
    const struct written_property plain[] = {
        COLOR(ABC_F64, "Cd", FACES, colors, "uni")};
    const struct written_property single[] = {
        COLOR(ABC_F64, "Cd", 1, colors, "con")};
    const struct {
        struct written_property params;
        uint32_t at;
        double number;
        const char *words;
    } cases[] = {
        {WRITTEN_COMPOUND(".arbGeomParams", indexed), 3 * 3 + 2, 1e300,
         "Cd of corner 5 (face 1, point 2) in sample 1 (2 s) is (0, 0, "
         "1e+300), "
         "value 1 of .vals, more than single precision holds"},
        {WRITTEN_COMPOUND(".arbGeomParams", plain), 3 * 3 + 1, -INFINITY,
         "Cd of face 1 in sample 1 (2 s) is (0, -inf, 0)"},
        {WRITTEN_COMPOUND(".arbGeomParams", single), 0, -1e39,
         "Cd in sample 0 (1 s) is (-1e+39, 0, 0), more than single"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct written_property geometry[] = {STILL, TOPOLOGY,
                                                    cases[i].params};

        memset(colors, 0, sizeof colors);
        colors[cases[i].at] = cases[i].number;
        CHECK(!open_mesh(geometry, 4, false));
        test_context("%s", diag.text);
        CHECK(strstr(diag.text, "/mesh: not a finite number: Cd") != NULL);
        CHECK(strstr(diag.text, cases[i].words) != NULL);
        close_mesh();
    }
}

static void check_named(enum warning warning, const char *detail)
{
    CHECK_EQ(warnings.of[warning].count, 1);
    CHECK_STR(warnings.of[warning].named[0].place, "/mesh");
    CHECK_STR(warnings.of[warning].named[0].detail, detail);
}

/* Each warning of a mesh: which property, how many, where. */
static void source_warns_with_numbers(void)
{
    static float values[2 * 3 * CORNERS];
    static const struct written_property colors[] = {
        {"Cd", ABC_ARRAY, ABC_F32, 3, 1, 2, POINTS, values,
         "geoScope=vtx;interpretation=rgb", NULL, 0, NULL},
        {"paint", ABC_ARRAY, ABC_F32, 3, 0, 1, POINTS, values,
         "geoScope=vtx;interpretation=rgb", NULL, 0, NULL}};
    const struct written_property pair[] = {
        {".vals", ABC_ARRAY, ABC_F32, 3, 0, 1, POINTS, values, NULL, NULL, 0,
         NULL},
        WRITTEN_ARRAY(".indices", ABC_U32, 1, 0, 1, 3, indices)};
    const struct written_property geometry[] = {
        STILL,
        TOPOLOGY,
        {"uv", ABC_ARRAY, ABC_F32, 2, 0, 1, POINTS, values,
         "geoScope=vtx;arrayExtent=2", NULL, 0, NULL},
        {"N", ABC_COMPOUND, ABC_BOOL, 0, 0, 0, 0, NULL, "geoScope=fvr", pair, 2,
         NULL},
        WRITTEN_COMPOUND(".arbGeomParams", colors)};

    values[3 * POINTS + 4] = -0.25f;
    values[3] = 2.5f;
    CHECK(open_mesh(geometry, 6, false));
    check_named(WARNING_UVS_MISFIT, "uv has 2 elements a value");
    check_named(WARNING_NORMALS_MISFIT,
                "N has 3 values, said to be one a corner, for 2 faces, 7 "
                "points, 8 corners");
    check_named(WARNING_COLOR_SETS, "paint");
    check_named(WARNING_COLOR_RANGE, "Cd goes from -0.25 to 2.5");
    close_mesh();
}

TEST_MAIN(TEST(source_recognises_a_static_mesh),
          TEST(source_boxes_the_points_that_faces_use),
          TEST(source_blends_positions_between_samples),
          TEST(source_refuses_what_is_no_number_in_any_sample),
          TEST(source_refuses_faces_that_change),
          TEST(source_limits_the_compared_faces),
          TEST(source_recognises_an_empty_mesh),
          TEST(source_derives_the_scope_from_the_number_of_values),
          TEST(source_drops_values_that_match_no_scope),
          TEST(source_flips_v_when_requested),
          TEST(source_walks_the_samples_of_a_parameter),
          TEST(source_takes_equal_samples_for_one),
          TEST(source_refuses_values_that_are_no_numbers_later),
          TEST(source_names_the_number_that_a_float_cannot_hold),
          TEST(source_warns_with_numbers))
