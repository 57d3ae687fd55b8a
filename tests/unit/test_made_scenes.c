/* Goal: what no archive at hand shows compiles to what it says, and every
 * refusal and every warning of the tables can happen.
 * Method: write scenes; compile them, judge the clip with samples expanded by
 * code of the test's own, and verify the cache against the archive. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/compile.h"
#include "compile/refusals.h"
#include "support/clip_judge.h"
#include "support/made_writer.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct made_writer scene;

static const char *temp_path(const char *name)
{
    static char paths[2][600];
    static int turn;
    char *path = paths[turn++ % 2];

    snprintf(path, sizeof paths[0], "%s/%s", test_temp(), name);
    return path;
}

/* ---- a grid -------------------------------------------------------------- */

enum { SIDE = 4, GRID_POINTS = SIDE * SIDE, GRID_FACES = 9, GRID_CORNERS = 36 };

static float grid_positions[2][3 * GRID_POINTS];
static int32_t grid_counts[GRID_FACES];
static int32_t grid_indices[GRID_CORNERS];
static const uint32_t grid_point_counts[2] = {GRID_POINTS, GRID_POINTS};

/* Quads, clockwise seen from +z, uneven, and moved in the second sample. */
static struct made_mesh grid(const char *name, uint32_t sample_count)
{
    struct made_mesh mesh = {.name = name,
                             .sample_count = sample_count,
                             .point_counts = grid_point_counts,
                             .positions = grid_positions[0],
                             .topology_samples = 1,
                             .face_count = GRID_FACES,
                             .counts = grid_counts,
                             .corner_count = GRID_CORNERS,
                             .indices = grid_indices};

    for (int s = 0; s < 2; s++)
        for (int i = 0; i < GRID_POINTS; i++) {
            grid_positions[s][3 * i] = (float)(i % SIDE);
            grid_positions[s][3 * i + 1] = (float)(i / SIDE);
            grid_positions[s][3 * i + 2] = (float)(i * i % 7 + s * i) * 0.05f;
        }
    for (int f = 0; f < GRID_FACES; f++) {
        int32_t at = f / 3 * SIDE + f % 3;
        const int32_t corners[4] = {at, at + SIDE, at + SIDE + 1, at + 1};

        grid_counts[f] = 4;
        memcpy(grid_indices + 4 * f, corners, sizeof corners);
    }
    return mesh;
}

/* ---- compiled ------------------------------------------------------------ */

static struct clip_judged judged;

static struct clip *open_clip(const char *path, bool is_strict,
                              struct diag *diag, struct abc_archive **archive)
{
    struct compile_options options;

    compile_options_default(&options);
    options.is_strict = is_strict;
    diag_init(diag);
    diag->is_silent = true;
    *archive = abc_open(path, diag);
    if (!*archive)
        test_fail(__FILE__, __LINE__, "not an archive: %s", diag->text);
    return clip_open(*archive, &options, diag);
}

/* Close the scene, compile and judge it. Returns the number of warnings. */
static unsigned check_scene(struct compile_report *report)
{
    struct verify_options verify = {.cache = temp_path("made.sgc"),
                                    .archive = temp_path("made.abc")};
    struct verify_report verdict;
    struct compile_options options;
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;
    unsigned warnings;

    made_close(&scene, verify.archive);
    clip = open_clip(verify.archive, false, &diag, &archive);
    if (!clip)
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    warnings = diag.warning_count;
    compile_options_default(&options);
    judge_clip(clip, archive, &options, &judged);
    clip_close(clip);
    abc_close(archive);
    options.input = verify.archive;
    options.output = verify.cache;
    if (!compile_run(&options, &diag, NULL, NULL, report) ||
        !verify_run(&verify, &diag, &verdict))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    if (verdict.failure)
        test_fail(__FILE__, __LINE__, "verify: %s", verdict.failure);
    diag_finish(&diag);
    return warnings;
}

static uint32_t count_of(const char *scope)
{
    return strcmp(scope, "con") == 0   ? 1
           : strcmp(scope, "uni") == 0 ? GRID_FACES
           : strcmp(scope, "fvr") == 0 ? GRID_CORNERS
                                       : GRID_POINTS;
}

static const char *const scopes[] = {"con", "uni", "var", "vtx", "fvr"};

static void colors_of_every_type_and_scope(void)
{
    static const enum abc_pod pods[] = {ABC_F32, ABC_F16, ABC_F64, ABC_U8};
    static float values[2 * 4 * GRID_CORNERS];
    static uint32_t indices[GRID_CORNERS];
    struct compile_report report;
    char name[32];

    /* Halves hold these. */
    for (uint32_t i = 0; i < 2 * 4 * GRID_CORNERS; i++)
        values[i] = (float)(i * 37 % 256) / 256.0f;
    for (uint32_t i = 0; i < GRID_CORNERS; i++)
        indices[i] = i * 5 % 7;
    for (int is_indexed = 0; is_indexed < 2; is_indexed++)
        for (uint32_t pod = 0; pod < 4; pod++) {
            made_open(&scene);
            for (uint32_t k = 0; k < 5 * 2 * 2; k++) {
                bool is_moving = k / 10;
                uint32_t count = count_of(scopes[k % 5]);
                uint32_t stored = is_indexed ? 7 : count;
                struct made_param color = {
                    .name = "Cd",
                    .scope = scopes[k % 5],
                    .interpretation = k / 5 % 2 ? "rgba" : "rgb",
                    .pod = pods[pod],
                    .extent = 3 + k / 5 % 2,
                    .sample_count = 1 + is_moving,
                    .counts = (const uint32_t[]){stored, stored},
                    .values = values,
                    .indices = is_indexed ? indices : NULL,
                    .index_count = count};
                struct made_mesh mesh = grid(name, 1);

                snprintf(name, sizeof name, "m%u", k);
                mesh.param_count = 1;
                mesh.params = &color;
                made_mesh(&scene, &mesh);
            }
            test_context("%s, pod %u", is_indexed ? "indexed" : "plain", pod);
            CHECK_EQ_U(check_scene(&report), 0);
            CHECK_EQ_U(report.mesh_count, 20);
        }
}

/* Normals lean, texture is stretched, in every scope at once. */
static void normals_and_texture_of_every_scope(void)
{
    static float normals[2 * 3 * GRID_CORNERS];
    static float uvs[2 * 2 * GRID_CORNERS];
    struct compile_report report;
    char name[32];

    for (uint32_t i = 0; i < 2 * GRID_CORNERS; i++) {
        normals[3 * i] = (float)(i * 7 % 11) * 0.05f;
        normals[3 * i + 1] = (float)(i * 3 % 13) * -0.04f;
        normals[3 * i + 2] = 1 + (float)(i % 3);
        uvs[2 * i] = (float)(i * 5 % 17) / 16.0f;
        uvs[2 * i + 1] = (float)(i * i % 19) / 8.0f - 1;
    }
    made_open(&scene);
    for (uint32_t k = 0; k < 50; k++) {
        uint32_t samples = 1 + k / 25;
        uint32_t counts[2];
        uint32_t uv_counts[2];
        struct made_param params[2] = {{.name = "N",
                                        .scope = scopes[k % 5],
                                        .interpretation = "normal",
                                        .pod = ABC_F32,
                                        .extent = 3,
                                        .sample_count = samples,
                                        .counts = counts,
                                        .values = normals},
                                       {.name = "uv",
                                        .scope = scopes[k / 5 % 5],
                                        .pod = ABC_F32,
                                        .extent = 2,
                                        .sample_count = samples,
                                        .counts = uv_counts,
                                        .values = uvs}};
        struct made_mesh mesh = grid(name, 1 + k % 2);

        counts[0] = counts[1] = count_of(params[0].scope);
        uv_counts[0] = uv_counts[1] = count_of(params[1].scope);
        snprintf(name, sizeof name, "m%u", k);
        mesh.param_count = 2;
        mesh.params = params;
        made_mesh(&scene, &mesh);
    }
    /* That the texture turns: it is at random. */
    CHECK_EQ_U(check_scene(&report), 1);
    CHECK_EQ_U(report.mesh_count, 50);
}

static void large_meshes_have_wide_indices(void)
{
    enum { WIDE = 300 };
    struct made_mesh mesh = {.name = "wide", .sample_count = 1};
    uint32_t point_count = WIDE * WIDE;
    float *positions = calloc(3 * (size_t)point_count, sizeof *positions);
    int32_t *counts = calloc(point_count, sizeof *counts);
    int32_t *indices = calloc(4 * (size_t)point_count, sizeof *indices);
    struct compile_report report;

    for (uint32_t i = 0; i < point_count; i++) {
        positions[3 * i] = (float)(i % WIDE) * 0.1f;
        positions[3 * i + 1] = (float)(i / WIDE) * 0.1f;
        positions[3 * i + 2] = (float)(i % 17 + i / WIDE % 5) * 0.1f;
    }
    for (int32_t i = 0; i < WIDE * (WIDE - 1); i++) {
        const int32_t corners[4] = {i, i + WIDE, i + WIDE + 1, i + 1};

        if (i % WIDE == WIDE - 1)
            continue;
        counts[mesh.face_count++] = 4;
        memcpy(indices + mesh.corner_count, corners, sizeof corners);
        mesh.corner_count += 4;
    }
    mesh.point_counts = &point_count;
    mesh.positions = positions;
    mesh.topology_samples = 1;
    mesh.counts = counts;
    mesh.indices = indices;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    CHECK_EQ_U(check_scene(&report), 0);
    CHECK_EQ_U(report.vertex_count, point_count);
    free(positions);
    free(counts);
    free(indices);
}

/* Faces of no, one and two corners, of one point three times, and of no area
 * between sound ones; each corner has a texture of its own. */
static void faces_without_triangles_shift_nothing(void)
{
    static const int32_t counts[] = {0, 4, 2, 3, 1, 3, 0, 4, 3, 5, 0};
    static const int32_t indices[] = {0, 4, 5, 1, 2, 3, 5,  5, 5,  7,  1, 5, 6,
                                      2, 6, 7, 3, 8, 9, 10, 8, 12, 13, 9, 5};
    static float uvs[2 * 25];
    uint32_t count = 25;
    struct made_param uv = {.name = "uv",
                            .scope = "fvr",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 1,
                            .counts = &count,
                            .values = uvs};
    struct made_mesh mesh = grid("m", 2);
    struct compile_report report;

    for (uint32_t i = 0; i < 25; i++) {
        uvs[2 * i] = (float)(i * 7 % 25) / 25;
        uvs[2 * i + 1] = (float)(i * 11 % 25) / 25;
    }
    mesh.face_count = 11;
    mesh.counts = counts;
    mesh.corner_count = 25;
    mesh.indices = indices;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    CHECK_EQ_U(check_scene(&report), 0);
    CHECK_EQ_U(report.triangle_count, 2 + 1 + 2 + 1 + 3);
}

/* Teeth all around. */
static void large_faces_are_cut_as_small_ones(void)
{
    enum { CORNERS = 2400 };
    static float positions[3 * CORNERS];
    static int32_t indices[CORNERS];
    static const uint32_t point_count = CORNERS;
    static const int32_t count = CORNERS;
    struct made_mesh mesh = grid("saw", 1);
    struct compile_report report;

    for (int32_t i = 0; i < CORNERS; i++) {
        double angle = i * -6.283185307179586 / CORNERS;

        positions[3 * i] = (float)(cos(angle) * (5 + i % 2));
        positions[3 * i + 1] = (float)(sin(angle) * (5 + i % 2));
        indices[i] = i;
    }
    mesh.point_counts = &point_count;
    mesh.positions = positions;
    mesh.face_count = 1;
    mesh.counts = &count;
    mesh.corner_count = CORNERS;
    mesh.indices = indices;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    CHECK_EQ_U(check_scene(&report), 0);
    CHECK_EQ_U(report.triangle_count, CORNERS - 2);
}

/* Eight equal samples of everything are none. */
static void samples_that_repeat_are_static(void)
{
    static float positions[8 * 3 * GRID_POINTS];
    static float uvs[8 * 2 * GRID_POINTS];
    static uint32_t counts[8];
    struct made_param uv = {.name = "uv",
                            .scope = "vtx",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 8,
                            .counts = counts,
                            .values = uvs};
    struct made_mesh mesh = grid("m", 8);
    struct compile_report report;

    for (uint32_t s = 0; s < 8; s++) {
        memcpy(positions + s * 3 * (size_t)GRID_POINTS, grid_positions[0],
               sizeof grid_positions[0]);
        counts[s] = GRID_POINTS;
        for (uint32_t i = 0; i < 2 * GRID_POINTS; i++)
            uvs[s * 2 * GRID_POINTS + i] = (float)i / 32;
    }
    mesh.positions = positions;
    mesh.point_counts = counts;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    CHECK_EQ_U(check_scene(&report), 0);
    CHECK_EQ_U(report.frame_count, 1);
}

static void empty_meshes_are_left_out(void)
{
    static const uint32_t none = 0;
    static const int32_t short_counts[] = {2, 2};
    static const int32_t folded[] = {0, 0, 1, 1};
    struct made_mesh mesh;
    struct compile_report report;

    made_open(&scene);
    mesh = grid("no_samples", 0);
    made_mesh(&scene, &mesh);
    mesh = grid("no_points", 1);
    mesh.point_counts = &none;
    mesh.face_count = 0;
    mesh.corner_count = 0;
    made_mesh(&scene, &mesh);
    mesh = grid("no_triangles", 1);
    mesh.face_count = 2;
    mesh.counts = short_counts;
    mesh.corner_count = 4;
    made_mesh(&scene, &mesh);
    mesh = grid("no_area", 1);
    mesh.face_count = 1;
    mesh.corner_count = 4;
    mesh.indices = folded;
    made_mesh(&scene, &mesh);
    mesh = grid("sound", 2);
    made_mesh(&scene, &mesh);
    CHECK_EQ_U(check_scene(&report), 1);
    CHECK_EQ_U(report.mesh_count, 1);
}

/* Mirrored, sheared, gone to nothing and back; a parent that is stretched. */
static void transforms_of_all_kinds(void)
{
    static const double mirrored[2][16] = {
        {-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1},
        {0, -2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 8, 6, 7, 1}};
    static const double sheared[2][16] = {
        {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0.25, 1, 0, 0, 1, 0, 1},
        {1, 0, 0, 0, -0.5, 1, 0, 0, 0, 0, -3, 0, 0, 1, 4, 1}};
    static const double vanishing[2][16] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1},
        {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}};
    static const double stretched[16] = {1, 0, 0, 0, 0, 3, 0, 0,
                                         0, 0, 1, 0, 1, 1, 1, 1};
    static const double turned[2][16] = {
        {0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        {0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    struct made_mesh mesh = grid("m", 2);
    struct compile_report report;

    made_open(&scene);
    made_xform(&scene, "stretched", 1, stretched, true);
    made_xform(&scene, "turned", 2, turned[0], true);
    made_mesh(&scene, &mesh);
    made_xform(&scene, "sheared", 2, sheared[0], true);
    made_mesh(&scene, &mesh);
    made_xform_end(&scene);
    made_xform(&scene, "alone", 2, mirrored[0], false);
    made_mesh(&scene, &mesh);
    made_xform_end(&scene);
    made_xform_end(&scene);
    made_xform(&scene, "vanishing", 2, vanishing[0], true);
    made_mesh(&scene, &mesh);
    made_xform_end(&scene);
    made_xform_end(&scene);
    CHECK_EQ_U(check_scene(&report), 0);
    CHECK_EQ_U(report.mesh_count, 4);
}

/* What moves only above a transform that stands alone, moves nothing. */
static void what_nobody_inherits_gives_no_frames(void)
{
    static double moving[3][16];
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};
    struct made_mesh mesh = grid("m", 1);
    struct compile_report report;

    for (int s = 0; s < 3; s++) {
        memcpy(moving[s], still, sizeof still);
        moving[s][12] = s;
    }
    for (int has_other = 0; has_other < 2; has_other++) {
        made_open(&scene);
        made_xform(&scene, "moving", 3, moving[0], true);
        made_xform(&scene, "alone", 1, still, false);
        made_mesh(&scene, &mesh);
        made_xform_end(&scene);
        if (has_other)
            made_mesh(&scene, &mesh);
        made_xform_end(&scene);
        CHECK_EQ_U(check_scene(&report), 0);
        CHECK_EQ_U(report.frame_count, has_other ? 3 : 1);
    }
}

/* A moving grid of 24 m, so far from the origin that floats are farther apart
 * than a step of 1 mm. */
static void far_meshes_keep_their_precision(void)
{
    static const float places[] = {32768, 40000, 100000, 16777216};
    static float far[2 * 3 * GRID_POINTS];
    struct made_mesh mesh = grid("far", 2);
    struct compile_report report;

    mesh.positions = far;
    for (int i = 0; i < 4; i++) {
        test_context("at %g", (double)places[i]);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 3 * GRID_POINTS; k++)
                far[3 * GRID_POINTS * s + k] =
                    8 * grid_positions[s][k] + (k % 3 ? 0 : places[i]);
        made_open(&scene);
        made_mesh(&scene, &mesh);
        CHECK_EQ_U(check_scene(&report), 0);
    }
}

/* ---- refused ------------------------------------------------------------- */

static bool was_refused[REFUSAL_COUNT];

/* `words` stand behind the file and the place of it. */
/* One plane has one normal, and so its worst error as its mean. */
static void plates_of_any_turn_are_right(void)
{
    for (int turn = -100; turn <= 100; turn++) {
        struct made_mesh mesh = grid("plate", 1);
        struct compile_report report;
        double slope = 0.0162 * turn;

        for (int i = 0; i < GRID_POINTS; i++) {
            float *p = grid_positions[0] + 3 * (size_t)i;

            p[2] = (float)(p[0] * slope * 0.7 + p[1] * (1 - slope));
        }
        test_context("slope %g", slope);
        made_open(&scene);
        made_mesh(&scene, &mesh);
        (void)check_scene(&report);
    }
}

static void expect_refused(enum refusal refusal, const char *words)
{
    const char *path = temp_path("refused.abc");
    struct abc_archive *archive;
    struct diag diag;

    test_context("%s", refusal_text(refusal));
    made_close(&scene, path);
    CHECK(open_clip(path, false, &diag, &archive) == NULL);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    if (!strstr(diag.text, refusal_text(refusal)))
        test_fail(__FILE__, __LINE__, "refused by another: %s", diag.text);
    if (!strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "without \"%s\": %s", words, diag.text);
    abc_close(archive);
    diag_finish(&diag);
    was_refused[refusal] = true;
}

static void refuse_mesh(const struct made_mesh *mesh, enum refusal refusal,
                        const char *words)
{
    made_open(&scene);
    made_mesh(&scene, mesh);
    expect_refused(refusal, words);
}

static void refuse_topologies(void)
{
    static const uint32_t fewer[3] = {GRID_POINTS, GRID_POINTS - 1,
                                      GRID_POINTS - 1};
    static float positions[3 * 3 * GRID_POINTS];
    static int32_t counts[3 * GRID_FACES];
    static int32_t indices[3 * GRID_CORNERS];
    struct made_mesh mesh = grid("fewer", 2);

    mesh.point_counts = fewer;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/fewer: topology changes over time: sample 1 (0.0416666667 s) "
                "has 9 faces, 36 corners and 15 points, sample 0 has 9, 36 and "
                "16");
    mesh = grid("turned", 1);
    for (int i = 0; i < 3 * GRID_FACES; i++)
        counts[i] = 4;
    for (int i = 0; i < 3 * GRID_CORNERS; i++)
        indices[i] = grid_indices[i % GRID_CORNERS];
    indices[2 * GRID_CORNERS + 5] = 2;
    mesh.topology_samples = 3;
    mesh.counts = counts;
    mesh.indices = indices;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/turned: topology changes over time: corner 5 (of face 1) is "
                "point 2 in sample 2 (0.0833333333 s), point 5 in sample 1");
    /* Points change before the faces do. */
    mesh.sample_count = 3;
    mesh.point_counts = fewer;
    mesh.positions = positions;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/turned: topology changes over time: sample 1 (0.0416666667 "
                "s) has 9 faces, 36 corners and 15 points, sample 0 has 9, 36 "
                "and 16");
}

static void refuse_matrix(const double matrix[16], const struct made_mesh *mesh,
                          const char *words)
{
    made_open(&scene);
    made_xform(&scene, "x", 1, matrix, true);
    made_mesh(&scene, mesh);
    made_xform_end(&scene);
    expect_refused(REFUSAL_NOT_FINITE, words);
}

static void refuse_matrices(void)
{
    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, NAN, 1};
    struct made_mesh mesh = grid("m", 1);

    refuse_matrix(matrix, &mesh,
                  "/x: not a finite number: .vals[14] in sample 0, number 14 "
                  "of operation 0 (matrix), is nan");
    matrix[14] = 1e39;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its translation along z at 0 s "
                  "(frame 0) is 1e+39, more than single precision holds");
    matrix[14] = 0;
    matrix[5] = -1e40;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its scale along y at 0 s (frame "
                  "0) is 1e+40, more than single precision holds");
    /* Both are well; three points along y are not. */
    matrix[5] = 2e38;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its reach along y in the world "
                  "at 0 s (frame 0) is 6e+38, more than single precision");
}

static void refuse_positions(void)
{
    static float positions[2 * 3 * GRID_POINTS];
    struct made_mesh mesh = grid("m", 2);

    memcpy(positions, grid_positions, sizeof positions);
    mesh.positions = positions;
    positions[3 * GRID_POINTS + 7] = -INFINITY;
    refuse_mesh(&mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: P of point 2 in sample 1 "
                "(0.0416666667 s) is (2, -inf, ");
    /* Each is one, their distance is none. */
    positions[3 * GRID_POINTS + 7] = 3e38f;
    positions[10] = -3e38f;
    refuse_mesh(&mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: P along y is from -3.00000001e+38 of "
                "point 3 in sample 0 (0 s) to 3.00000001e+38 of point 2 in "
                "sample 1 (0.0416666667 s), wider than single precision holds");
}

static void refuse_params(void)
{
    static const char *const names[] = {"N", "uv", "Cd"};
    static const char *const words[] = {
        "/m: not a finite number: N of point 1 in sample 0 is (0, 0, nan)",
        "/m: not a finite number: uv of point 2 in sample 0 is (0, nan)",
        "/m: not a finite number: Cd of point 1 in sample 0 is (0, 0, nan)"};
    static const uint32_t counts[] = {GRID_POINTS};
    static float values[4 * GRID_POINTS];
    struct made_mesh mesh = grid("m", 1);
    struct made_param param;

    values[5] = NAN;
    for (uint32_t i = 0; i < 3; i++) {
        param = (struct made_param){.name = names[i],
                                    .scope = "vtx",
                                    .interpretation = i == 2 ? "rgb" : NULL,
                                    .pod = i == 2 ? ABC_F16 : ABC_F32,
                                    .extent = i == 1 ? 2 : 3,
                                    .sample_count = 1,
                                    .counts = counts,
                                    .values = values};

        mesh.param_count = 1;
        mesh.params = &param;
        refuse_mesh(&mesh, REFUSAL_NOT_FINITE, words[i]);
    }
    values[5] = 3e38f;
    values[9] = -3e38f;
    param.name = "uv";
    param.interpretation = NULL;
    param.pod = ABC_F32;
    param.extent = 2;
    refuse_mesh(
        &mesh, REFUSAL_NOT_FINITE,
        "/m: not a finite number: uv along v is from -3.00000001e+38 of "
        "point 4 in sample 0 to 3.00000001e+38 of point 2 in sample 0, "
        "wider than");
}

/* One number of each kind. */
static void refuse_numbers(void)
{
    refuse_matrices();
    refuse_positions();
    refuse_params();
}

static void every_refusal_happens(void)
{
    static const char *const schemas[] = {"AbcGeom_PolyMesh_v2",
                                          "AbcGeom_Xform_v4", "AbcGeom_Hair_v1",
                                          "AbcGeom_FaceSet_v2"};
    struct made_mesh mesh = grid("m", 1);

    refuse_topologies();
    refuse_numbers();
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        made_open(&scene);
        made_mesh(&scene, &mesh);
        made_object(&scene, "unknown", schemas[i]);
        expect_refused(REFUSAL_UNKNOWN_GEOMETRY, schemas[i]);
    }
    /* More than a cache can hold is too much for a test; test_clip asks for
     * times that are. */
    was_refused[REFUSAL_TOO_LARGE] = true;
    for (int i = 0; i < REFUSAL_COUNT; i++)
        if (!was_refused[i])
            test_fail(__FILE__, __LINE__, "never: %s",
                      refusal_text((enum refusal)i));
}

/* ---- warned -------------------------------------------------------------- */

static bool was_warned[WARNING_COUNT];

/* --strict refuses the scene for this reason. */
static void expect_strict(enum warning warning, const char *words)
{
    struct abc_archive *archive;
    struct diag diag;

    CHECK(open_clip(temp_path("made.abc"), true, &diag, &archive) == NULL);
    if (!strstr(diag.text, warning_text(warning)))
        test_fail(__FILE__, __LINE__, "another warning: %s", diag.text);
    if (!strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "without \"%s\": %s", words, diag.text);
    abc_close(archive);
    diag_finish(&diag);
    was_warned[warning] = true;
}

/* The scene compiles with this warning alone, which says `words`. */
static void expect_warned(enum warning warning, const char *words)
{
    struct compile_report report;

    test_context("%s", warning_text(warning));
    CHECK_EQ_U(check_scene(&report), 1);
    expect_strict(warning, words);
}

static void warn_of_objects(void)
{
    static const struct {
        const char *schema;
        enum warning warning;
    } kinds[] = {{"AbcGeom_Curve_v2", WARNING_DROPPED_CURVES},
                 {"AbcGeom_Points_v1", WARNING_DROPPED_POINTS},
                 {"AbcGeom_Camera_v1", WARNING_DROPPED_CAMERA},
                 {"AbcGeom_Light_v1", WARNING_DROPPED_LIGHT},
                 {"AbcGeom_NuPatch_v2", WARNING_DROPPED_NUPATCH},
                 {"AbcGeom_SubD_v1", WARNING_DROPPED_SUBD},
                 {"AbcMaterial_Material_v1", WARNING_DROPPED_MATERIAL},
                 {"AbcCollection_Collections_v1", WARNING_DROPPED_COLLECTION},
                 {"Somebody_Own_v1", WARNING_DROPPED_OTHER}};
    struct made_mesh mesh = grid("m", 1);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        made_open(&scene);
        made_mesh(&scene, &mesh);
        made_object(&scene, "one", kinds[i].schema);
        made_object(&scene, "two", kinds[i].schema);
        expect_warned(kinds[i].warning,
                      kinds[i].warning == WARNING_DROPPED_OTHER
                          ? "/one: objects of unknown schemas are dropped (2): "
                            "Somebody_Own_v1; also /two: Somebody_Own_v1"
                          : " dropped (2): also /two");
    }
}

static struct made_param color(const char *name, const uint32_t *counts,
                               const float *values)
{
    struct made_param param = {.name = name,
                               .scope = "vtx",
                               .interpretation = "rgb",
                               .pod = ABC_F32,
                               .extent = 3,
                               .sample_count = 1,
                               .counts = counts,
                               .values = values};

    return param;
}

static void warn_of_params(void)
{
    static const uint32_t counts[] = {GRID_POINTS, GRID_POINTS - 1};
    static const uint32_t wrong[] = {GRID_POINTS + 1};
    static float values[2 * 4 * GRID_POINTS];
    static float loud[4 * GRID_POINTS];
    struct made_mesh mesh = grid("m", 1);
    struct made_param params[2];

    for (uint32_t i = 0; i < 8 * GRID_POINTS; i++)
        values[i] = (float)(i % 5) / 4;
    loud[2] = 1.5f;
    mesh.params = params;
    mesh.param_count = 1;
    for (int is_changing = 0; is_changing < 2; is_changing++)
        for (int kind = 0; kind < 3; kind++) {
            params[0] = color("Cd", is_changing ? counts : wrong, values);
            params[0].sample_count = is_changing ? 2 : 1;
            if (kind < 2) {
                params[0].name = kind == 0 ? "N" : "uv";
                params[0].interpretation = NULL;
                params[0].extent = kind == 0 ? 3 : 2;
            }
            made_open(&scene);
            made_mesh(&scene, &mesh);
            expect_warned(
                kind == 0   ? WARNING_NORMALS_MISFIT
                : kind == 1 ? WARNING_UVS_MISFIT
                            : WARNING_COLORS_MISFIT,
                is_changing ? " has 15 values in sample 1 (0.0416666667 s), 16 "
                              "in sample 0"
                            : " has 17 values, said to be one a point, for 9 "
                              "faces, 16 points, 36 corners");
        }
    params[0] = color("Cd", counts, loud);
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_COLOR_RANGE,
                  "/m: colours outside 0..1 are clamped (1): Cd goes from 0 to "
                  "1.5");
    params[0] = color("width", counts, values);
    params[0].interpretation = NULL;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_DROPPED_PARAMS,
                  "/m: geometry parameters are dropped (1): width");
    params[0] = color("a", counts, values);
    params[1] = color("b", counts, values);
    mesh.param_count = 2;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_COLOR_SETS,
                  "/m: further colour sets are dropped (1): b");
}

/* A quad, clockwise seen from +z, in two samples. */
static struct made_mesh quad(const float *positions)
{
    static const uint32_t point_counts[2] = {4, 4};
    static const int32_t indices[4] = {0, 1, 2, 3};
    static const int32_t count = 4;
    struct made_mesh mesh = {.name = "quad",
                             .sample_count = 2,
                             .point_counts = point_counts,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 1,
                             .counts = &count,
                             .corner_count = 4,
                             .indices = indices};

    return mesh;
}

/* An eight: the edges cross in the middle, however it is cut. */
static void warn_of_large_face(void)
{
    enum { COUNT = 200 };
    static const uint32_t point_count = COUNT;
    static const int32_t count = COUNT;
    static float positions[3 * COUNT];
    static int32_t indices[COUNT];
    struct made_mesh mesh = {.name = "eight",
                             .sample_count = 1,
                             .point_counts = &point_count,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 1,
                             .counts = &count,
                             .corner_count = COUNT,
                             .indices = indices};

    for (int i = 0; i < COUNT; i++) {
        double angle = 6.283185307179586 * (i + 0.5) / COUNT;

        indices[i] = i;
        positions[3 * i] = (float)(2 * cos(angle));
        positions[3 * i + 1] = (float)(sin(2 * angle) * (1 + 0.3 * cos(angle)));
    }
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_TURNED,
                  "/eight: faces have triangles that are turned over (1): 1 "
                  "faces, the first is face 0, in frame 0");
}

/* What no cut, or no constant handedness, is right for in both samples. */
static void warn_of_change(void)
{
    static const float crossed[2 * 12] = {0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0,
                                          0, 0, 0, 0, 2, 0, 4, 1, 0, 2, 2, 0};
    static const float still[2 * 12] = {0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0,
                                        0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0};
    static const float uvs[2 * 8] = {0, 0, 0, 1, 1,  1, 1,  0,
                                     0, 0, 0, 1, -1, 1, -1, 0};
    static const uint32_t counts[2] = {4, 4};
    struct made_param uv = {.name = "uv",
                            .scope = "vtx",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 2,
                            .counts = counts,
                            .values = uvs};
    struct made_mesh mesh = quad(crossed);

    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_TURNED,
                  "/quad: faces have triangles that are turned over (1): 1 "
                  "faces, the first is face 0, in frame 1");
    mesh = quad(still);
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_HANDEDNESS,
                  "/quad: corners whose texture turns its other side (1): 4 "
                  "corners, the first in frame 1");
}

static void warn_of_what_is_not_there(void)
{
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};
    struct made_mesh mesh = grid("m", 1);

    made_open(&scene);
    made_mesh(&scene, &mesh);
    made_xform(&scene, "alone", 1, still, true);
    made_xform_end(&scene);
    expect_warned(WARNING_DROPPED_XFORM,
                  "/alone: transforms with nothing below them are dropped (1)");
    made_open(&scene);
    made_mesh(&scene, &mesh);
    mesh.name = "never";
    mesh.is_hidden = true;
    made_xform(&scene, "above", 1, still, true);
    made_mesh(&scene, &mesh);
    made_xform_end(&scene);
    expect_warned(WARNING_DROPPED_HIDDEN,
                  "/above/never: meshes that are never visible are dropped "
                  "(1)");
}

static void warn_of_no_meshes(void)
{
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};

    made_open(&scene);
    made_xform(&scene, "alone", 1, still, true);
    made_xform_end(&scene);
    expect_warned(WARNING_NO_MESHES,
                  "there are no polygon meshes: the archive has none");
}

static void warn_of_the_rest(void)
{
    static const int32_t faces[] = {0, 1, 2, GRID_FACES, -1};
    const struct made_face_set sets[] = {{"mat_1", faces, 2, 1},
                                         {"mat_2", faces + 1, 2, 1},
                                         {"mat_3", faces + 2, 3, 1}};
    static const int32_t moving[] = {0, 1, 0, 2};
    static const struct made_face_set changing[] = {{"mat_4", moving, 2, 2}};
    static float far[3 * GRID_POINTS];
    struct made_mesh mesh = grid("m", 1);

    mesh.has_user = true;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_DROPPED_USER,
                  "/m: user properties are dropped (1): mine");
    mesh = grid("m", 1);
    mesh.sets = sets;
    mesh.set_count = 2;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_FACE_TWICE,
                  "/m: faces in two face sets (1): 1 faces, the first is face "
                  "1 in mat_1 and mat_2");
    mesh.sets = sets + 2;
    mesh.set_count = 1;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_FACE_OUTSIDE,
                  "/m: face sets name faces that the mesh does not have (1): 2 "
                  "of them, the first is face 9 in mat_3, the mesh has 9");
    mesh.sets = changing;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_FACE_SETS_CHANGE,
                  "/m/mat_4: face sets change over time (1): sample 1 "
                  "(0.0416666667 s) has other faces than sample 0");
    mesh = grid("m", 1);
    for (int i = 0; i < 3 * GRID_POINTS; i++)
        far[i] = grid_positions[0][i] * 1000;
    mesh.positions = far;
    made_open(&scene);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_PRECISION, "/m: precision is not reached (1): ");
    made_open(&scene);
    mesh = grid("empty", 0);
    made_mesh(&scene, &mesh);
    mesh = grid("m", 1);
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_EMPTY_MESH,
                  "/empty: empty meshes are dropped (1): P has no samples");
}

/* 10,000 km from the mesh's origin and back, turned: floats are a metre off
 * there, and verify says so, too. */
static void warn_of_transforms(void)
{
    static const double turned[16] = {0.6, 0.8, 0, 0, -0.8, 0.6,  0, 0,
                                      0,   0,   1, 0, -6e6, -8e6, 0, 1};
    struct verify_options verify = {.cache = temp_path("made.sgc"),
                                    .archive = temp_path("made.abc")};
    static float far[3 * GRID_POINTS];
    struct made_mesh mesh = grid("m", 1);
    struct compile_options options;
    struct compile_report report;
    struct verify_report verdict;
    struct diag diag;

    for (int i = 0; i < 3 * GRID_POINTS; i++)
        far[i] = grid_positions[0][i] * 8 + (i % 3 ? 0 : 1e7f);
    mesh.positions = far;
    made_open(&scene);
    made_xform(&scene, "turned", 1, turned, true);
    made_mesh(&scene, &mesh);
    made_xform_end(&scene);
    made_close(&scene, verify.archive);
    compile_options_default(&options);
    options.input = verify.archive;
    options.output = verify.cache;
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(compile_run(&options, &diag, NULL, NULL, &report));
    CHECK_EQ_U(diag.warning_count, 1);
    CHECK(verify_run(&verify, &diag, &verdict));
    CHECK_STR(verdict.failure, "world transforms are off");
    diag_finish(&diag);
    expect_strict(WARNING_TRANSFORM, "/turned/m: world transforms are off (1)");
}

static void warn_of_near_samples(void)
{
    struct made_mesh mesh = grid("m", 2);

    made_open(&scene);
    scene.step_s = 4e-6;
    made_mesh(&scene, &mesh);
    expect_warned(WARNING_MERGED,
                  "/m.geom/P: samples nearer than 10 µs are merged (1): "
                  "1 of 2 have no frame of their own");
}

static void every_warning_happens(void)
{
    warn_of_objects();
    warn_of_params();
    warn_of_change();
    warn_of_large_face();
    warn_of_what_is_not_there();
    warn_of_no_meshes();
    warn_of_the_rest();
    warn_of_transforms();
    warn_of_near_samples();
    for (int i = 0; i < WARNING_COUNT; i++)
        if (!was_warned[i])
            test_fail(__FILE__, __LINE__, "never: %s",
                      warning_text((enum warning)i));
}

TEST_MAIN(TEST(colors_of_every_type_and_scope),
          TEST(normals_and_texture_of_every_scope),
          TEST(large_meshes_have_wide_indices),
          TEST(faces_without_triangles_shift_nothing),
          TEST(large_faces_are_cut_as_small_ones),
          TEST(samples_that_repeat_are_static), TEST(empty_meshes_are_left_out),
          TEST(transforms_of_all_kinds),
          TEST(what_nobody_inherits_gives_no_frames),
          TEST(far_meshes_keep_their_precision),
          TEST(plates_of_any_turn_are_right), TEST(every_refusal_happens),
          TEST(every_warning_happens))
