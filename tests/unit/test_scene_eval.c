/* test_scene_eval.c
 *
 * Goal: verify computes world matrices correctly, independent of the compiler.
 * Method: matrices whose cofactors and stretch were computed by hand; an object
 *   that rotates about a slanted axis while it grows, between two samples, by
 *   Rodrigues' formula.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "abc/archive.h"
#include "support/scene_writer.h"
#include "verify/check.h"
#include "verify/scene_eval.h"
#include "verify/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR(a, b) CHECK(fabs((a) - (b)) < 1e-12)

/* Row r is scale[r] times the rotated axis r. */
static void turned(const double axis[3], double angle, const double scale[3],
                   double out[16])
{
    memset(out, 0, 16 * sizeof *out);
    out[15] = 1;
    for (int r = 0; r < 3; r++) {
        double e[3] = {r == 0, r == 1, r == 2};
        double across[3] = {axis[1] * e[2] - axis[2] * e[1],
                            axis[2] * e[0] - axis[0] * e[2],
                            axis[0] * e[1] - axis[1] * e[0]};

        for (int c = 0; c < 3; c++)
            out[4 * r + c] =
                scale[r] * (e[c] * cos(angle) + across[c] * sin(angle) +
                            axis[c] * axis[r] * (1 - cos(angle)));
    }
}

static void cofactors_are_those_of_the_matrix(void)
{
    const double matrix[16] = {1, 2, 3, 0, 0, 1, 4, 0, 5, 6, 2, 0, 7, 8, 9, 1};
    const double expected[9] = {-22, 20, -5, 14, -13, 4, 5, -4, 1};
    double cofactors[9];

    /* |M|^2 = 96, |C|^2 = 1332, det = -22 * 1 + 20 * 2 - 5 * 3 = 3 */
    NEAR(eval_stretch(matrix, cofactors), sqrt(96.0 * 1332.0) / 3);
    for (int i = 0; i < 9; i++)
        NEAR(cofactors[i], expected[i]);
}

static void stretch_is_three_where_angles_are_kept(void)
{
    const double axis[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3};
    const double scale[3] = {7, 7, 7};
    double matrix[16];
    double cofactors[9];

    turned(axis, 1, scale, matrix);
    NEAR(eval_stretch(matrix, cofactors), 3);
    matrix[0] = matrix[1] = matrix[2] = 0;
    CHECK(eval_stretch(matrix, cofactors) == 0);
}

/* One object of two samples, a second apart. */
static void write_matrices(const char *path, const double matrices[32])
{
    static const uint8_t matrix_op[1] = {3 << 4};
    const struct written_property values[] = {
        {".ops", ABC_SCALAR, ABC_U8, 1, 0, 1, 1, matrix_op, NULL, NULL, 0,
         NULL},
        {".vals", ABC_SCALAR, ABC_F64, 16, 1, 2, 1, matrices, NULL, NULL, 0,
         NULL}};
    const struct written_property xform[] = {{".xform", ABC_COMPOUND, ABC_BOOL,
                                              0, 0, 0, 0, NULL, NULL, values, 2,
                                              NULL}};
    const struct written_object top[] = {
        {"root", WRITTEN_XFORM, xform, 1, NULL, 0}};
    static const struct written_sampling samplings[] = {{0, 1}};
    const struct written_scene scene = {samplings, 1, top, 1};

    scene_write(&scene, path);
}

/* A quarter of the way between two rotations about the same axis. */
static void check_between(const double from[3], const double to[3])
{
    const double axis[3] = {1.0 / 3, 2.0 / 3, -2.0 / 3};
    double between[3];
    double matrices[32];
    double expected[16];
    double found[16];
    struct abc_archive *archive;
    const struct abc_object *object;
    struct eval_chain chain;
    struct arena arena;
    struct diag diag;
    char path[512];

    for (int i = 0; i < 3; i++)
        between[i] = from[i] * 0.75 + to[i] * 0.25;
    snprintf(path, sizeof path, "%s/turn.abc", test_temp());
    turned(axis, 0.25, from, matrices);
    turned(axis, 2.25, to, matrices + 16);
    for (int c = 0; c < 3; c++) {
        matrices[12 + c] = c - 2;
        matrices[16 + 12 + c] = 2 * c + 4;
    }
    write_matrices(path, matrices);
    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    object = eval_find(archive, "/root");
    CHECK(object != NULL);
    CHECK(eval_chain_open(&chain, archive, object, &arena));
    CHECK(eval_world(&chain, archive, 0.25, &arena, found));
    turned(axis, 0.75, between, expected);
    for (int c = 0; c < 3; c++)
        expected[12 + c] = (c - 2) * 0.75 + (2 * c + 4) * 0.25;
    for (int i = 0; i < 16; i++) {
        test_context("scale %g %g %g, element %d", from[0], from[1], from[2],
                     i);
        NEAR(found[i], expected[i]);
    }
    arena_free(&arena);
    abc_close(archive);
    diag_finish(&diag);
}

static void rotations_between_samples_are_uniform(void)
{
    check_between((const double[3]){1, 2, 3}, (const double[3]){3, 2, 7});
    /* Mirrored: the x scale is negative. */
    check_between((const double[3]){-1, 2, 3}, (const double[3]){-3, 2, 7});
    /* With one scale of 0, the rotation follows from the two other axes. */
    check_between((const double[3]){1, 2, 0}, (const double[3]){3, 2, 7});
    check_between((const double[3]){0, 2, 1}, (const double[3]){3, 2, 7});
}

static void errors_keep_their_worst(void)
{
    struct verify_error error = {0};

    verify_add(&error, 0, 2, 5, 6, 7);
    CHECK_EQ_U(error.frame, 5);
    CHECK_EQ_U(error.vertex, 7);
    /* A tolerance of 0 gives no share. */
    verify_add(&error, 3, 0, 8, 9, 10);
    CHECK(error.worst_share == 0);
    CHECK(error.worst == 3);
    CHECK_EQ_U(error.mesh, 9);
    /* Of equal errors the first is kept. */
    verify_add(&error, 3, 4, 1, 1, 1);
    CHECK(error.worst_share == 0.75);
    CHECK_EQ_U(error.frame, 8);
    CHECK_EQ_U(error.count, 3);
    CHECK(error.sum == 6);
    verify_add(&error, NAN, 1, 2, 2, 2);
    CHECK(isinf(error.worst));
    CHECK_EQ_U(error.frame, 2);
}

static void errors_above_the_tolerance_fail(void)
{
    struct verify_error error = {0};

    CHECK(!verify_exceeds(&error));
    verify_add(&error, 0.3, 0.3, 0, 0, 0);
    CHECK(!verify_exceeds(&error));
    verify_add(&error, nextafter(0.3, 1), 0.3, 0, 0, 0);
    CHECK(verify_exceeds(&error));
}

static void angles_are_those_between_directions(void)
{
    static const double pi = 3.14159265358979323846;
    const double a[3] = {1, 2, 2};
    const double none[3] = {0, 0, 0};

    /* |a| = 3; across it two of length 3, and one another. */
    NEAR(vector_angle(a, (const double[3]){-2, -1, 2}), pi / 2);
    NEAR(vector_angle(a, (const double[3]){2, -2, 1}), pi / 2);
    NEAR(vector_angle(a, (const double[3]){4, -2, 8}), acos(16 / sqrt(756)));
    NEAR(vector_angle(a, (const double[3]){3, 6, 6}), 0);
    NEAR(vector_angle(a, (const double[3]){-0.5, -1, -1}), pi);
    /* The cosine is 1 in doubles. */
    CHECK(fabs(vector_angle(a, (const double[3]){1 + 2e-9, 2 - 1e-9, 2}) -
               sqrt(5) / 3e9) < 1e-16);
    CHECK(vector_angle(a, none) == 0);
}

TEST_MAIN(TEST(cofactors_are_those_of_the_matrix),
          TEST(stretch_is_three_where_angles_are_kept),
          TEST(rotations_between_samples_are_uniform),
          TEST(errors_keep_their_worst), TEST(errors_above_the_tolerance_fail),
          TEST(angles_are_those_between_directions))
