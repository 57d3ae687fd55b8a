/* test_stretch.c
 *
 * Goal: normals are right in the world: where a transform stretches a mesh,
 *   they are rounded for it. The remaining error is measured and causes a
 *   warning.
 * Method: a grid with random normals below transforms of many scales; compile
 *   and verify it, with and without stretching. Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip.h"
#include "support/made_scene.h"
#include "verify/verify.h"

#include <string.h>

static uint32_t state;

static float random_number(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / (float)(1u << 24) - 0.5f;
}

/* A grid of 36 normals below a scale, rotated about an axis that is not a
 * coordinate axis. */
static void make_scene(uint32_t seed, const double scale[3], bool is_rotated)
{
    static const uint32_t counts[1] = {GRID_CORNERS};
    static float normals[3 * GRID_CORNERS];
    static const double rotation[2][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.6, 0.64, 0.48}, {-0.8, 0.48, 0.36}, {0, -0.6, 0.8}}};
    struct made_param param = {.name = "N",
                               .scope = "fvr",
                               .pod = ABC_F32,
                               .extent = 3,
                               .sample_count = 1,
                               .counts = counts,
                               .values = normals};
    struct made_mesh mesh = made_grid("m", 1);
    double matrix[16] = {[15] = 1};

    state = seed;
    for (int i = 0; i < 3 * GRID_CORNERS; i++)
        normals[i] = random_number();
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[4 * r + c] = scale[r] * rotation[is_rotated][r][c];
    mesh.param_count = 1;
    mesh.params = &param;
    made_open(&made_scene);
    made_xform(&made_scene, "stretched", 1, matrix, true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    made_close(&made_scene, made_scene_path("made.abc"));
}

/* Returns the number of warnings. */
static unsigned compile_scene(struct verify_report *verdict)
{
    struct verify_options verify = {.cache = made_scene_path("made.sgc"),
                                    .archive = made_scene_path("made.abc")};
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    unsigned warnings;

    compile_options_default(&options);
    options.input = verify.archive;
    options.output = verify.cache;
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(compile_run(&options, &diag, NULL, NULL, &report));
    warnings = diag.warning_count;
    CHECK(verify_run(&verify, &diag, verdict));
    test_context("%s", verdict->failure ? verdict->failure : "passed");
    CHECK(verdict->failure == NULL);
    diag_finish(&diag);
    return warnings;
}

static void expect_warning(const char *words)
{
    struct abc_archive *archive;
    struct diag diag;

    CHECK(made_scene_open(made_scene_path("made.abc"), true, &diag, &archive) ==
          NULL);
    test_context("%s", diag.text);
    CHECK(strstr(diag.text, words) != NULL);
    abc_close(archive);
    diag_finish(&diag);
}

static void angle_preserving_transforms_keep_the_error_of_normals(void)
{
    static const double scale[3] = {20, 20, 20};
    struct verify_report verdict;

    for (int is_rotated = 0; is_rotated < 2; is_rotated++) {
        make_scene(1, scale, is_rotated);
        CHECK_EQ_U(compile_scene(&verdict), 0);
        CHECK(verdict.world_normal.count == verdict.normal.count);
        CHECK_NEAR(verdict.world_normal.worst, verdict.normal.worst, 1e-9);
        CHECK_EQ_U(verdict.stretched_normals, 0);
    }
}

/* Rounded without regard to the scale, normals of both seeds are wrong by more
 * than a degree. */
static void normals_are_rounded_for_the_world(void)
{
    static const double scale[3] = {14, 1, 14};
    static const uint32_t seeds[2] = {1, 7};
    struct verify_report verdict;

    for (int i = 0; i < 4; i++) {
        make_scene(seeds[i / 2], scale, i % 2);
        CHECK_EQ_U(compile_scene(&verdict), 0);
        CHECK(verdict.world_normal.worst <= 0.5);
        CHECK(verdict.normal.worst <= 0.2);
        CHECK_EQ_U(verdict.stretched_normals, 0);
    }
}

static void remaining_error_causes_a_warning(void)
{
    static const double scale[3] = {1, 0.01, 1};
    struct verify_report verdict;

    make_scene(1, scale, true);
    CHECK_EQ_U(compile_scene(&verdict), 1);
    CHECK(verdict.world_normal.worst > 0.5);
    CHECK(verdict.normal.worst < 0.2);
    CHECK(verdict.stretched_normals > 0);
    expect_warning("/stretched/m: normals differ by more than 0.5 degrees in "
                   "the world (1): by ");
    expect_warning(" degrees instead of 0.5, stretched by /stretched/m at 0 s");
}

TEST_MAIN(TEST(angle_preserving_transforms_keep_the_error_of_normals),
          TEST(normals_are_rounded_for_the_world),
          TEST(remaining_error_causes_a_warning))
