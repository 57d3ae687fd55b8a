/* Goal: a face of at most 32 corners has the triangulation with the fewest
 * flipped triangles in all frames; a face with flipped triangles is reported.
 * Method: faces whose corners move, as archives; areas are computed by the
 * test's own arithmetic. For small faces all triangulations are tried.
 * One thread. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/retriangulate.h"
#include "support/made_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CORNERS_MAX 100
#define SAMPLES_MAX 8
/* Corners of faces for which the best cut is promised. */
#define SMALL_MAX 32

static struct made_writer writer;
static struct source source;
static struct warnings warnings;
static struct abc_archive *archive;
static struct arena arena;
static struct diag diag;

/* Faces of points in the plane z = 0, clockwise seen from +z. */
static float positions[SAMPLES_MAX * 3 * CORNERS_MAX];
static int32_t indices[CORNERS_MAX];
static int32_t counts[8];
static uint32_t sample_count;
/* What best_cut knows: one more. */
static uint32_t known_best[SMALL_MAX][SMALL_MAX];
static uint32_t corner_count;
static uint32_t face_count;

static void clear(uint32_t samples)
{
    memset(positions, 0, sizeof positions);
    memset(known_best, 0, sizeof known_best);
    sample_count = samples;
    corner_count = 0;
    face_count = 0;
}

/* `plane`: x and y of each corner in each sample. */
static void add_face(uint32_t count, const float *plane)
{
    counts[face_count++] = (int32_t)count;
    for (uint32_t i = 0; i < count; i++)
        indices[corner_count + i] = (int32_t)(corner_count + i);
    for (uint32_t s = 0; s < sample_count; s++)
        for (uint32_t i = 0; i < count; i++) {
            float *p = positions + 3 * (s * CORNERS_MAX + corner_count + i);

            p[0] = plane[2 * (s * count + i)];
            p[1] = plane[2 * (s * count + i) + 1];
        }
    corner_count += count;
}

static const float *point_at(uint32_t sample, uint32_t corner)
{
    return positions + 3 * (sample * CORNERS_MAX + (uint32_t)indices[corner]);
}

static void open_mesh(void)
{
    uint32_t point_counts[SAMPLES_MAX];
    struct made_mesh mesh = {.name = "m",
                             .sample_count = sample_count,
                             .point_counts = point_counts,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = face_count,
                             .counts = counts,
                             .corner_count = corner_count,
                             .indices = indices};
    struct compile_options options;
    char path[512];

    for (uint32_t s = 0; s < sample_count; s++)
        point_counts[s] = CORNERS_MAX;
    snprintf(path, sizeof path, "%s/cuts.abc", test_temp());
    made_open(&writer);
    made_mesh(&writer, &mesh);
    made_close(&writer, path);
    compile_options_default(&options);
    memset(&warnings, 0, sizeof warnings);
    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    CHECK(source_open(&source, archive, archive->top->children[0], &options,
                      &warnings, &arena));
}

static struct retriangulate_report mend(void)
{
    struct retriangulate_report report;
    double times[SAMPLES_MAX];

    for (uint32_t s = 0; s < sample_count; s++)
        times[s] = s / MADE_FPS;
    open_mesh();
    CHECK(retriangulate(&source, times, sample_count, &report));
    return report;
}

static void close_mesh(void)
{
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
}

/* -- judging -- */

static double area_at(uint32_t sample, uint32_t a, uint32_t b, uint32_t c)
{
    const float *p = point_at(sample, a);
    const float *q = point_at(sample, b);
    const float *r = point_at(sample, c);

    return ((double)q[0] - p[0]) * ((double)r[1] - p[1]) -
           ((double)q[1] - p[1]) * ((double)r[0] - p[0]);
}

/* Triangles of all samples that are not counter-clockwise; the faces are
 * clockwise in all. Every corner is used. */
static uint32_t count_turned(void)
{
    const struct triangulation *cut = &source.triangles;
    static uint8_t is_used[CORNERS_MAX];
    uint32_t turned = 0;

    memset(is_used, 0, sizeof is_used);
    for (uint32_t t = 0; t < cut->triangle_count; t++) {
        const uint32_t *c = cut->corners + 3 * (size_t)t;

        for (int i = 0; i < 3; i++) {
            is_used[c[i]] = 1;
            CHECK_EQ_U(source.corner_faces[c[i]], cut->faces[t]);
        }
        for (uint32_t s = 0; s < sample_count; s++)
            turned += area_at(s, c[0], c[1], c[2]) < 0;
    }
    for (uint32_t i = 0; i < corner_count; i++)
        CHECK(is_used[i]);
    return turned;
}

/* Turned triangles of the best cut of the corners first .. last. */
static uint32_t best_cut(uint32_t first, uint32_t last)
{
    uint32_t best = UINT32_MAX;

    if (last - first < 2)
        return 0;
    if (known_best[first][last] > 0)
        return known_best[first][last] - 1;
    for (uint32_t middle = first + 1; middle < last; middle++) {
        uint32_t turned = best_cut(first, middle) + best_cut(middle, last);

        for (uint32_t s = 0; s < sample_count; s++)
            turned += area_at(s, first, last, middle) < 0;
        best = turned < best ? turned : best;
    }
    known_best[first][last] = best + 1;
    return best;
}

/* -- claims -- */

static void a_quad_that_dents_later_is_cut_the_other_way(void)
{
    static const float late[] = {0, 0, 0, 2, 2,   2,   2, 0,
                                 0, 0, 0, 2, .5f, .5f, 2, 0};
    static const float other[] = {0, 0, 0,   2,   2, 2, 2, 0,
                                  0, 0, .5f, .5f, 2, 2, 2, 0};

    for (int i = 0; i < 2; i++) {
        struct retriangulate_report report;

        clear(2);
        add_face(4, i == 0 ? late : other);
        report = mend();
        CHECK_EQ(count_turned(), 0);
        CHECK_EQ_U(report.wrong_count, 0);
        CHECK_EQ_U(source.triangles.triangle_count, 2);
        close_mesh();
    }
}

static void make_star(uint32_t count, uint32_t sample, double turn,
                      struct test_random *random, float *plane)
{
    for (uint32_t i = 0; i < count; i++) {
        double angle = turn - 6.283185307179586 * i / count;
        double radius = 1 + test_random_below(random, 1000) / 300.0;

        plane[2 * (sample * count + i)] = (float)(radius * cos(angle));
        plane[2 * (sample * count + i) + 1] = (float)(radius * sin(angle));
    }
}

static void small_faces_have_the_best_of_all_cuts(void)
{
    static float plane[SAMPLES_MAX * 2 * SMALL_MAX];
    struct test_random random = {23};
    uint32_t mended = 0;

    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = 4 + test_random_below(&random, SMALL_MAX - 3);
        uint32_t samples = 1 + test_random_below(&random, 4);
        struct retriangulate_report report;

        test_context("seed 23, round %u: %u corners, %u samples", round, count,
                     samples);
        clear(samples);
        for (uint32_t s = 0; s < samples; s++)
            make_star(count, s, 0, &random, plane);
        add_face(count, plane);
        open_mesh();
        mended += count_turned() > 0 && best_cut(0, count - 1) == 0;
        close_mesh();
        report = mend();
        CHECK_EQ_U(count_turned(), best_cut(0, count - 1));
        CHECK_EQ_U(report.wrong_count, count_turned() > 0);
        close_mesh();
    }
    CHECK(mended > 20);
}

/* A disc of 32 or 33 corners that grows teeth: the smaller one is triangulated
 * again, the larger one keeps the triangulation of the first sample. */
static void large_faces_keep_that_of_the_first_sample(void)
{
    enum { COUNT = SMALL_MAX };
    static float plane[2 * 2 * (COUNT + 1)];

    for (uint32_t count = COUNT; count <= COUNT + 1; count++) {
        struct retriangulate_report report;
        uint32_t turned;

        for (uint32_t s = 0; s < 2; s++)
            for (uint32_t i = 0; i < count; i++) {
                double angle = -6.283185307179586 * i / count;
                double radius = s == 1 && i % 2 == 1 ? 0.5 : 1;

                plane[2 * (s * count + i)] = (float)(radius * cos(angle));
                plane[2 * (s * count + i) + 1] = (float)(radius * sin(angle));
            }
        clear(2);
        add_face(count, plane);
        open_mesh();
        turned = count_turned();
        CHECK(turned > 10);
        close_mesh();
        report = mend();
        CHECK_EQ_U(count_turned(), count > COUNT ? turned : 0);
        CHECK_EQ_U(report.wrong_count, count > COUNT);
        CHECK_EQ_U(report.large_count, count > COUNT);
        CHECK_EQ_U(report.face, 0);
        CHECK_EQ_U(report.frame, count > COUNT);
        CHECK_EQ_U(source.triangles.triangle_count, count - 2);
        close_mesh();
    }
}

/* The second face crosses itself in the third sample; those around it are
 * left alone. */
static void faces_that_cannot_be_cut_are_named(void)
{
    static const float sound[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1,
                                  1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0};
    static const float bow[] = {0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2,
                                2, 2, 2, 0, 0, 0, 0, 2, 4, 1, 2, 2};
    struct retriangulate_report report;

    clear(3);
    add_face(4, sound);
    add_face(4, bow);
    add_face(4, sound);
    report = mend();
    CHECK_EQ_U(report.wrong_count, 1);
    CHECK_EQ_U(report.large_count, 0);
    CHECK_EQ_U(report.face, 1);
    CHECK_EQ_U(report.frame, 2);
    CHECK_EQ_U(source.triangles.triangle_count, 6);
    close_mesh();
}

/* Three corners of five in a row, at angles, far away, and shrunk to nearly
 * nothing: rounding turns triangles over, and that says nothing. */
static void rounding_is_no_turn(void)
{
    static const double shape[5][2] = {
        {0, 0}, {0.3, 0}, {1, 0}, {1, -1}, {0, -1}};
    static float plane[SAMPLES_MAX * 2 * 5];
    uint32_t turned = 0;

    for (uint32_t round = 0; round < 30; round++) {
        struct retriangulate_report report;

        for (uint32_t s = 0; s < SAMPLES_MAX; s++) {
            double angle = 0.1 * round + 0.7 * s;
            double size = s == 5 ? 0 : s == 6 ? 1e-4 : 1;

            for (uint32_t i = 0; i < 5; i++) {
                double x = size * shape[i][0];
                double y = size * shape[i][1];

                plane[2 * (s * 5 + i)] =
                    (float)(1000 + x * cos(angle) - y * sin(angle));
                plane[2 * (s * 5 + i) + 1] =
                    (float)(-300 + x * sin(angle) + y * cos(angle));
            }
        }
        clear(SAMPLES_MAX);
        add_face(5, plane);
        report = mend();
        turned += count_turned();
        CHECK_EQ_U(report.wrong_count, 0);
        close_mesh();
    }
    CHECK(turned > 10);
}

/* A frame half way between two samples is one of three to be right in. */
static void frames_between_samples_count(void)
{
    static const double times[] = {0, 0.5 / MADE_FPS, 1 / MADE_FPS};
    static float plane[2 * 2 * 6];
    struct test_random random = {29};
    uint32_t mended = 0;

    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = 4 + test_random_below(&random, 3);
        struct retriangulate_report report;
        uint32_t turned;

        test_context("seed 29, round %u", round);
        clear(2);
        make_star(count, 0, 0, &random, plane);
        make_star(count, 1, round % 7 * 0.4, &random, plane);
        add_face(count, plane);
        mend();
        for (uint32_t i = 0; i < 3 * count; i++) {
            float a = positions[i];
            float b = positions[3 * CORNERS_MAX + i];

            positions[2 * 3 * CORNERS_MAX + i] =
                (float)(a + ((double)b - a) * 0.5);
        }
        sample_count = 3;
        turned = count_turned();
        sample_count = 2;
        close_mesh();
        open_mesh();
        CHECK(retriangulate(&source, times, 3, &report));
        sample_count = 3;
        CHECK_EQ_U(count_turned(), best_cut(0, count - 1));
        CHECK_EQ_U(report.wrong_count, count_turned() > 0);
        mended += turned > count_turned();
        close_mesh();
    }
    CHECK(mended > 5);
}

TEST_MAIN(TEST(a_quad_that_dents_later_is_cut_the_other_way),
          TEST(small_faces_have_the_best_of_all_cuts),
          TEST(large_faces_keep_that_of_the_first_sample),
          TEST(faces_that_cannot_be_cut_are_named), TEST(rounding_is_no_turn),
          TEST(frames_between_samples_count))
