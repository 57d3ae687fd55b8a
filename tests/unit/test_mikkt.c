/* test_mikkt.c
 *
 * Goal: verify computes the tangents of MikkTSpace, and detects other ones.
 * Method: write the reference vectors as archives and compare sum by sum.
 *   Compile and verify the same archives, so that two independent
 *   implementations check each other. Compare caches with archives whose
 *   texture is rotated by less than its quantization. Threads as in
 *   test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/compile.h"
#include "support/made_writer.h"
#include "support/mktv.h"
#include "verify/mikkt.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct corner_choice choice;

static struct made_writer writer;

static const char *temp_path(const char *name)
{
    static char paths[4][600];
    static int turn;
    char *path = paths[turn++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", test_temp(), name);
    return path;
}

/* -- vectors as archives -- */

/* Archives are clockwise: the place where corner k of a triangle is stored. */
static const uint32_t stored_of[3] = {0, 2, 1};

/* Equal positions become one point, as the reference welds them. */
static void write_vectors(const struct mktv *v, const char *path,
                          struct arena *arena)
{
    uint32_t n = v->corners;
    float *points = ARENA_NEW(arena, float, 3 * (size_t)n);
    float *normals = ARENA_NEW(arena, float, 3 * (size_t)n);
    float *uvs = ARENA_NEW(arena, float, 2 * (size_t)n);
    int32_t *indices = ARENA_NEW(arena, int32_t, n);
    int32_t *counts = ARENA_NEW(arena, int32_t, n);
    uint32_t point_count = 0;
    struct made_param params[2] = {
        {"N", "fvr", "normal", ABC_F32, 3, 1, &n, normals, NULL, 0},
        {"uv", "fvr", NULL, ABC_F32, 2, 1, &n, uvs, NULL, 0}};
    struct made_mesh mesh = {.name = "m",
                             .sample_count = 1,
                             .point_counts = &point_count,
                             .positions = points,
                             .topology_samples = 1,
                             .face_count = n / 3,
                             .counts = counts,
                             .corner_count = n,
                             .indices = indices,
                             .param_count = 2,
                             .params = params};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = i / 3 * 3 + stored_of[i % 3];
        const float *p = v->positions + 3 * (size_t)i;
        uint32_t point = 0;

        while (point < point_count &&
               memcmp(points + 3 * (size_t)point, p, 12) != 0)
            point++;
        if (point == point_count)
            memcpy(points + 3 * (size_t)point_count++, p, 12);
        indices[to] = (int32_t)point;
        counts[i / 3] = 3;
        memcpy(normals + 3 * (size_t)to, v->normals + 3 * (size_t)i, 12);
        memcpy(uvs + 2 * (size_t)to, v->uvs + 2 * (size_t)i, 8);
    }
    made_open(&writer);
    made_mesh(&writer, &mesh);
    made_close(&writer, path);
}

static const double (*unit_normals(const struct corner_values *values,
                                   uint32_t count, struct arena *arena))[3]
{
    double(*out)[3] = arena_alloc(arena, count, sizeof *out);

    for (uint32_t i = 0; i < count; i++) {
        const double *n = corner_value(values, CORNER_NORMAL, i);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);

        for (int c = 0; c < 3 && length > 0; c++)
            out[i][c] = n[c] / length;
    }
    return (const double(*)[3])out;
}

/* Compare the sums with the reference. */
static void compare(const char *name, const struct mktv *v,
                    const struct abc_archive *archive, struct arena *arena)
{
    const struct abc_object *object = archive->top->children[0];
    uint32_t *corners = ARENA_NEW(arena, uint32_t, v->corners);
    struct corner_mesh mesh;
    struct corner_values values;
    struct mikkt mikkt;
    struct mikkt_frame sums;
    uint32_t validated = 0;
    uint32_t excused = 0;
    uint32_t doubted = 0;
    double worst = 0;

    for (uint32_t i = 0; i < v->corners; i++)
        corners[i] = i / 3 * 3 + stored_of[i % 3];
    CHECK(corner_mesh_open(&mesh, archive, object, &choice, arena));
    CHECK(mikkt_open(&mikkt, &mesh, archive, false, corners, v->corners / 3,
                     arena));
    CHECK(corner_values_read(&mesh, archive, 0, arena, &values));
    mikkt_frame(&mikkt, &mesh, &values,
                unit_normals(&values, v->corners, arena), arena, &sums);
    for (uint32_t i = 0; i < v->corners; i++) {
        const float *t = v->tangents + 3 * (size_t)i;
        const float *n = v->normals + 3 * (size_t)i;
        double wanted[3] = {t[0], t[1], t[2]};
        double degrees;

        if (fabsf(t[0]) + fabsf(t[1]) + fabsf(t[2]) < 0.5f ||
            fabsf(t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) > 1e-3f) {
            excused++;
        } else if (!mikkt_angle(&sums, i, wanted, &degrees)) {
            doubted++;
        } else {
            validated++;
            worst = fmax(worst, degrees);
            CHECK_EQ(sums.groups.orientations[i / 3],
                     v->signs[i] > 0 ? MIKKT_PRESERVING : MIKKT_MIRRORED);
        }
    }
    printf("  %-18s %6u corners validated, worst %.4f degrees; %u excused, "
           "%u uncertain\n",
           name, validated, worst, excused, doubted);
    CHECK(worst < 0.06);
    CHECK(doubted * 20 < validated || strcmp(name, "degenerate") == 0);
    CHECK(validated > 0);
}

static void compile(const char *input, const char *output)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;

    compile_options_default(&options);
    options.input = input;
    options.output = output;
    diag_init(&diag);
    diag.is_silent = true;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    diag_finish(&diag);
}

static void verify(const char *cache, const char *archive,
                   struct verify_report *report)
{
    struct verify_options options = {.cache = cache, .archive = archive};
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    if (!verify_run(&options, &diag, report))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    diag_finish(&diag);
}

static void mikkt_agrees_with_the_reference(void)
{
    for (int i = 0; i < MKTV_COUNT; i++) {
        const char *path = temp_path("vectors.abc");
        struct abc_archive *archive;
        struct mktv vectors;
        struct arena arena;
        struct diag diag;

        test_context("%s", mktv_names[i]);
        arena_init(&arena);
        mktv_read(mktv_names[i], &arena, &vectors);
        write_vectors(&vectors, path, &arena);
        diag_init(&diag);
        archive = abc_open(path, &diag);
        CHECK(archive != NULL);
        compare(mktv_names[i], &vectors, archive, &arena);
        abc_close(archive);
        diag_finish(&diag);
        arena_free(&arena);
    }
}

static void both_implementations_agree(void)
{
    for (int i = 0; i < MKTV_COUNT; i++) {
        const char *path = temp_path("vectors.abc");
        const char *cache = temp_path("vectors.sgc");
        struct verify_report report;
        struct mktv vectors;
        struct arena arena;

        test_context("%s", mktv_names[i]);
        arena_init(&arena);
        mktv_read(mktv_names[i], &arena, &vectors);
        write_vectors(&vectors, path, &arena);
        arena_free(&arena);
        compile(path, cache);
        verify(cache, path, &report);
        printf("  %-18s worst %.4f degrees, mean %.4f, of %llu\n",
               mktv_names[i], report.tangent.worst,
               verify_mean(&report.tangent),
               (unsigned long long)report.tangent.count);
        if (report.failure)
            test_fail(__FILE__, __LINE__, "%s", report.failure);
        CHECK(report.tangent.count > 0);
    }
}

/* -- meshes made by hand -- */

/* A small quad and, far away in the texture, a triangle: quantization steps are
 * larger than the quad in the texture. */
static void write_quad(const char *path, const float corner[2], float sign)
{
    static const float positions[] = {0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0,
                                      0, 5, 0, 0, 5, 1, 0, 6, 0, 0};
    static const int32_t indices[] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t counts[] = {4, 3};
    static const uint32_t n = 7;
    const float uvs[] = {0,
                         0,
                         0,
                         0.01f * sign,
                         0.01f + corner[0],
                         0.01f * sign + corner[1],
                         0.01f,
                         0,
                         0,
                         0,
                         0,
                         4000,
                         4000,
                         0};
    struct made_param uv = {"uv", "vtx", NULL, ABC_F32, 2, 1, &n, uvs, NULL, 0};
    struct made_mesh mesh = {.name = "m",
                             .sample_count = 1,
                             .point_counts = &n,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 2,
                             .counts = counts,
                             .corner_count = n,
                             .indices = indices,
                             .param_count = 1,
                             .params = &uv};

    made_open(&writer);
    made_mesh(&writer, &mesh);
    made_close(&writer, path);
}

static void other_tangents_are_detected(void)
{
    static const float none[2] = {0, 0};
    static const float skewed[2] = {0, 0.004f};
    const char *first = temp_path("first.abc");
    const char *second = temp_path("second.abc");
    const char *cache = temp_path("first.sgc");
    struct verify_report report;

    write_quad(first, none, 1);
    compile(first, cache);
    verify(cache, first, &report);
    CHECK(report.failure == NULL);
    CHECK(report.tangent.count > 0);
    write_quad(second, skewed, 1);
    verify(cache, second, &report);
    CHECK(report.failure != NULL);
    CHECK_STR(report.failure, "tangent errors exceed the tolerance (degrees)");
    CHECK(report.tangent.worst > 0.6);
    /* The same directions of u, and reversed directions of v. */
    write_quad(second, none, -1);
    verify(cache, second, &report);
    CHECK(report.failure != NULL);
    CHECK_STR(report.failure, "tangent frames have the wrong handedness");
}

/* Two triangles with a common edge. In the second sample the texture of the
 * second one is mirrored. */
static void groups_are_those_of_each_frame(void)
{
    static const float positions[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    static const float uvs[] = {0, 0, 0, 1, 1, 0, 1,     1,
                                0, 0, 0, 1, 1, 0, -0.5f, 0};
    static const uint32_t point_counts[] = {4, 4};
    static const int32_t counts[] = {3, 3};
    static const int32_t indices[] = {0, 1, 2, 2, 1, 3};
    /* Counter-clockwise. */
    static const uint32_t corners[] = {0, 2, 1, 3, 5, 4};
    struct made_param uv = {"uv", "vtx",        NULL, ABC_F32, 2,
                            2,    point_counts, uvs,  NULL,    0};
    struct made_mesh made = {.name = "m",
                             .sample_count = 1,
                             .point_counts = point_counts,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 2,
                             .counts = counts,
                             .corner_count = 6,
                             .indices = indices,
                             .param_count = 1,
                             .params = &uv};
    const char *path = temp_path("later.abc");
    struct abc_archive *archive;
    struct corner_mesh mesh;
    struct mikkt mikkt;
    struct arena arena;
    struct diag diag;

    made_open(&writer);
    made_mesh(&writer, &made);
    made_close(&writer, path);
    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    CHECK(corner_mesh_open(&mesh, archive, archive->top->children[0], &choice,
                           &arena));
    CHECK(mikkt_open(&mikkt, &mesh, archive, false, corners, 2, &arena));
    for (int s = 0; s < 2; s++) {
        static const double normals[6][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1},
                                             {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
        /* The direction of u, on the second triangle only. */
        const double found[2][3] = {{1, 0, 0}, {0, -1, 0}};
        struct corner_values values;
        struct mikkt_frame frame;
        double degrees;

        test_context("sample %d", s);
        CHECK(
            corner_values_read(&mesh, archive, s / MADE_FPS, &arena, &values));
        mikkt_frame(&mikkt, &mesh, &values, normals, &arena, &frame);
        CHECK_EQ(frame.groups.group[1] == frame.groups.group[3], s == 0);
        CHECK_EQ(frame.groups.orientations[0], MIKKT_PRESERVING);
        CHECK_EQ(frame.groups.orientations[1],
                 s == 0 ? MIKKT_PRESERVING : MIKKT_MIRRORED);
        CHECK(mikkt_angle(&frame, 3, found[s], &degrees));
        CHECK_NEAR(degrees, 0, 1e-4);
        CHECK(mikkt_angle(&frame, 1, found[0], &degrees));
        CHECK_NEAR(degrees, 0, 1e-4);
    }
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
}

TEST_MAIN(TEST(mikkt_agrees_with_the_reference),
          TEST(both_implementations_agree), TEST(other_tangents_are_detected),
          TEST(groups_are_those_of_each_frame))
