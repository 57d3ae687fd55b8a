/* test_seams.c
 *
 * Goal: in every frame tangents are those of that frame's texture, however it
 *   changes. Colours do not split tangents.
 * Method: meshes with a moving texture, as archives: compiled, and verified
 *   against the archive by independent code. Vertices, handedness and warnings
 *   are read from the clip. Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip.h"
#include "compile/compile.h"
#include "support/made_writer.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 5, POINTS = SIDE * SIDE, FACES = 16, CORNERS = 64, SAMPLES = 4 };

static struct made_writer writer;
static float positions[SAMPLES * 3 * POINTS];
static int32_t counts[FACES];
static int32_t indices[CORNERS];
static float uvs[SAMPLES * 2 * CORNERS];
static float colors[3 * FACES];

static const char *in_temp(const char *name)
{
    static char paths[2][512];
    static int turn;
    char *path = paths[turn++ % 2];

    snprintf(path, sizeof paths[0], "%s/%s", test_temp(), name);
    return path;
}

/* Columns and rows of quads in the plane z = 0, uneven and moving. */
static void make_grid(uint32_t columns, uint32_t rows)
{
    uint32_t face = 0;

    memset(positions, 0, sizeof positions);
    for (uint32_t i = 0; i < SAMPLES * POINTS; i++) {
        positions[3 * i] = (float)(i % POINTS % SIDE);
        positions[3 * i + 1] = (float)(i % POINTS / SIDE);
        positions[3 * i + 2] = (float)(i * i % 7 + i / POINTS) * 0.03f;
    }
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++, face++) {
            int32_t at = (int32_t)(y * SIDE + x);
            const int32_t corners[4] = {at, at + SIDE, at + SIDE + 1, at + 1};

            counts[face] = 4;
            memcpy(indices + 4 * face, corners, sizeof corners);
        }
}

/* `uv_samples` samples of texture, by point or by corner; colours by face. */
static void write_grid(uint32_t face_count, uint32_t uv_samples,
                       const char *scope, bool has_colors)
{
    bool is_per_point = strcmp(scope, "vtx") == 0;
    uint32_t corner_count = 4 * face_count;
    uint32_t uv_count = is_per_point ? POINTS : corner_count;
    uint32_t point_counts[SAMPLES];
    uint32_t uv_counts[SAMPLES];
    struct made_param params[2] = {
        {"uv", scope, NULL, ABC_F32, 2, uv_samples, uv_counts, uvs, NULL, 0},
        {"Cd", "uni", "rgb", ABC_F32, 3, 1, &face_count, colors, NULL, 0}};
    struct made_mesh mesh = {.name = "m",
                             .sample_count = SAMPLES,
                             .point_counts = point_counts,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = face_count,
                             .counts = counts,
                             .corner_count = corner_count,
                             .indices = indices,
                             .param_count = has_colors ? 2 : 1,
                             .params = params};

    for (uint32_t i = 0; i < SAMPLES; i++) {
        point_counts[i] = POINTS;
        uv_counts[i] = uv_count;
    }
    made_open(&writer);
    made_mesh(&writer, &mesh);
    made_close(&writer, in_temp("seams.abc"));
}

struct outcome {
    uint32_t vertex_count;
    uint32_t mirrored_count; /* vertices */
    char warning[2048];
    struct verify_report verified;
};

static void compare_clip(struct outcome *outcome)
{
    struct compile_options options;
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;

    compile_options_default(&options);
    options.is_strict = true;
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(in_temp("seams.abc"), &diag);
    CHECK(archive != NULL);
    clip = clip_open(archive, &options);
    outcome->warning[0] = 0;
    if (!clip) {
        snprintf(outcome->warning, sizeof outcome->warning, "%s", diag.text);
        diag_finish(&diag);
        diag_init(&diag);
        diag.is_silent = true;
        options.is_strict = false;
        clip = clip_open(archive, &options);
    }
    CHECK(clip != NULL);
    outcome->vertex_count = clip->meshes[0].vertex_count;
    outcome->mirrored_count = 0;
    for (uint32_t v = 0; v < outcome->vertex_count; v++)
        outcome->mirrored_count += clip->meshes[0].reflection[v];
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
}

static void verify_grid(struct verify_report *verified)
{
    struct verify_options options = {.cache = in_temp("seams.sgc"),
                                     .archive = in_temp("seams.abc")};
    struct compile_options wish;
    struct compile_report report;
    struct diag diag;

    compile_options_default(&wish);
    wish.input = options.archive;
    wish.output = options.cache;
    wish.precision_mm = 0.1;
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(compile_run(&wish, &diag, NULL, NULL, &report));
    CHECK(verify_run(&options, &diag, verified));
    diag_finish(&diag);
}

/* Verification passes and compared tangents. */
static void check_grid(struct outcome *outcome)
{
    compare_clip(outcome);
    verify_grid(&outcome->verified);
    CHECK_STR(outcome->verified.failure ? outcome->verified.failure : "passed",
              "passed");
    CHECK(outcome->verified.tangent.count > 0);
}

static void set_uv(uint32_t sample, uint32_t count, uint32_t value, float u,
                   float v)
{
    uvs[2 * (sample * count + value)] = u;
    uvs[2 * (sample * count + value) + 1] = v;
}

/* By point, three columns of two quads. The part right of the middle is
 * mirrored from sample `first` on; u leans there. */
static void mirror_from(uint32_t first)
{
    for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t i = 0; i < POINTS; i++) {
            float x = (float)(i % SIDE) * 0.25f;
            float y = (float)(i / SIDE) * 0.25f;
            float beyond = x > 0.25f ? x - 0.25f : 0;

            set_uv(s, POINTS, i, s < first ? x : x - 2 * beyond,
                   y + 0.5f * beyond);
        }
}

/* -- claims -- */

static void corners_that_differ_later_are_split(void)
{
    struct outcome outcome;

    make_grid(2, 1);
    mirror_from(2);
    write_grid(2, SAMPLES, "vtx", false);
    check_grid(&outcome);
    CHECK_EQ_U(outcome.vertex_count, 8);
    CHECK_EQ_U(outcome.mirrored_count, 0);
    CHECK_EQ_U(outcome.verified.handedness_changes, 2);
    test_context("%s", outcome.warning);
    CHECK(strstr(outcome.warning,
                 "/m: corners whose texture changes its "
                 "handedness (1): 4 corners, the first in frame "
                 "2") != NULL);
    /* Mirrored from the first sample on, the corners are split anyway. */
    mirror_from(0);
    write_grid(2, SAMPLES, "vtx", false);
    check_grid(&outcome);
    CHECK_EQ_U(outcome.vertex_count, 8);
    CHECK_EQ_U(outcome.mirrored_count, 4);
    CHECK_EQ_U(outcome.verified.handedness_changes, 0);
    CHECK_STR(outcome.warning, "");
}

/* All UVs at one place first; then leaning and mirrored. */
static void texture_that_comes_later_gives_tangents(void)
{
    struct outcome outcome;

    make_grid(2, 2);
    for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t i = 0; i < POINTS; i++)
            set_uv(s, POINTS, i, s == 0 ? 0 : (float)(i / SIDE) * 0.25f,
                   s == 0 ? 0 : (float)(i % SIDE + i / SIDE) * 0.1f);
    write_grid(4, SAMPLES, "vtx", false);
    check_grid(&outcome);
    CHECK_EQ_U(outcome.vertex_count, 9);
    CHECK_EQ_U(outcome.mirrored_count, 9);
    CHECK_EQ_U(outcome.verified.handedness_changes, 0);
    CHECK_STR(outcome.warning, "");
}

/* Each face has its own colour and another direction of u. */
static void colours_do_not_split_tangents(void)
{
    struct outcome outcome;

    make_grid(2, 2);
    for (uint32_t i = 0; i < 3 * FACES; i++)
        colors[i] = (float)(i * 5 % 16) / 15;
    for (uint32_t i = 0; i < POINTS; i++)
        set_uv(0, POINTS, i, (float)(i % SIDE * (i % SIDE + 2)) * 0.05f,
               (float)(i / SIDE + i % SIDE * (i % SIDE)) * 0.1f);
    for (int has_colors = 0; has_colors < 2; has_colors++) {
        write_grid(4, 1, "vtx", has_colors);
        check_grid(&outcome);
        CHECK_EQ_U(outcome.vertex_count, has_colors ? 16 : 9);
    }
}

/* Few different places, so that many triangles sometimes have no area. */
static void any_texture_is_followed(void)
{
    struct test_random random = {41};

    for (uint32_t round = 0; round < 120; round++) {
        const char *scope = round % 2 ? "fvr" : "vtx";
        uint32_t columns = 1 + test_random_below(&random, 4);
        uint32_t rows = 1 + test_random_below(&random, 4);
        uint32_t places = 2 + test_random_below(&random, 5);
        struct outcome outcome;

        test_context("seed 41, round %u", round);
        make_grid(columns, rows);
        for (uint32_t i = 0; i < SAMPLES * 2 * CORNERS; i++)
            uvs[i] = (float)test_random_below(&random, places) * 0.25f;
        for (uint32_t i = 0; i < 3 * FACES; i++)
            colors[i] = (float)test_random_below(&random, 2);
        write_grid(columns * rows, round % 3 ? SAMPLES : 1, scope, round % 5);
        compare_clip(&outcome);
        verify_grid(&outcome.verified);
        CHECK_STR(outcome.verified.failure ? outcome.verified.failure
                                           : "passed",
                  "passed");
        if (outcome.verified.handedness_changes > 0)
            CHECK(outcome.warning[0] != 0);
    }
}

TEST_MAIN(TEST(corners_that_differ_later_are_split),
          TEST(texture_that_comes_later_gives_tangents),
          TEST(colours_do_not_split_tangents), TEST(any_texture_is_followed))
