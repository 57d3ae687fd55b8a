/* Goal: a mesh is looked at once and whole: what moves, how far, what fits;
 * and its values at any time are those of the samples around it.
 * Method: two quads from tables, with samples and parameters to order. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/source.h"
#include "support/scene_writer.h"

#include <math.h>
#include <stdio.h>
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

/* Sampling 1: 1, 2, ... seconds; 2: 10, 10.5, ... */
static bool open_mesh(const struct written_property *geometry, uint32_t count,
                      bool flip_v)
{
    static const struct written_sampling samplings[] = {{1, 1}, {10, 0.5}};
    const struct written_property mesh[] = {{".geom", ABC_COMPOUND, ABC_BOOL, 0,
                                             0, 0, 0, NULL, NULL, geometry,
                                             count}};
    const struct written_object top[] = {
        WRITTEN_OBJECT("mesh", WRITTEN_MESH, mesh)};
    const struct written_scene scene = {samplings, 2, top, 1};
    struct compile_options options;
    char path[512];

    snprintf(path, sizeof path, "%s/source.abc", test_temp());
    scene_write(&scene, path);
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
            "geoScope=" scope, NULL, 0                                         \
    }

static uint32_t frame_times(void)
{
    struct timeline timeline;

    timeline_begin(&timeline, &arena);
    source_times(&source, &timeline);
    CHECK(timeline_finish(&timeline, 0, 100));
    return timeline.count;
}

/* ---- positions ----------------------------------------------------------- */

static void make_moving(void)
{
    memcpy(moving, still, sizeof still);
    for (uint32_t i = 0; i < 3 * POINTS; i++)
        moving[3 * POINTS + i] = still[i] + 0.5f;
}

static void source_knows_a_mesh_that_stands(void)
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
        char wanted[64];

        make_moving();
        moving[at * 3 * POINTS + 3 * 4 + 1] = at ? NAN : INFINITY;
        CHECK(!open_mesh(geometry, 3, false));
        snprintf(wanted, sizeof wanted,
                 "/mesh: not a finite number: position 4 of sample %u", at);
        test_context("%s", diag.text);
        CHECK(strstr(diag.text, wanted) != NULL);
        close_mesh();
    }
}

static void source_refuses_faces_that_change(void)
{
    static const int32_t other[2 * CORNERS] = {0, 1, 4, 3, 1, 2, 5, 4,
                                               0, 1, 4, 3, 1, 2, 4, 5};
    const struct written_property geometry[] = {
        STILL, WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, FACES, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 1, 2, CORNERS, other)};

    CHECK(!open_mesh(geometry, 3, false));
    CHECK(strstr(diag.text, refusal_text(REFUSAL_TOPOLOGY)) != NULL);
    close_mesh();
}

static void source_knows_an_empty_mesh(void)
{
    static const int32_t lines[] = {2, 2, 2, 2};
    const struct written_property flat[] = {
        STILL, WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 4, lines),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, CORNERS, indices)};
    const struct written_property none[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 0, 0, 0, still), TOPOLOGY};

    CHECK(open_mesh(flat, 3, false));
    CHECK(source.is_empty);
    close_mesh();
    CHECK(open_mesh(none, 3, false));
    CHECK(source.is_empty);
    close_mesh();
}

/* ---- parameters ---------------------------------------------------------- */

static void source_takes_values_for_what_their_number_fits(void)
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

static void source_leaves_out_what_fits_nothing(void)
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

static void source_flips_v_when_asked(void)
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
    CHECK(strstr(diag.text, "uv 2 of sample 2") != NULL);
    close_mesh();
}

TEST_MAIN(TEST(source_knows_a_mesh_that_stands),
          TEST(source_boxes_the_points_that_faces_use),
          TEST(source_blends_positions_between_samples),
          TEST(source_refuses_what_is_no_number_in_any_sample),
          TEST(source_refuses_faces_that_change),
          TEST(source_knows_an_empty_mesh),
          TEST(source_takes_values_for_what_their_number_fits),
          TEST(source_leaves_out_what_fits_nothing),
          TEST(source_flips_v_when_asked),
          TEST(source_walks_the_samples_of_a_parameter),
          TEST(source_takes_equal_samples_for_one),
          TEST(source_refuses_values_that_are_no_numbers_later))
