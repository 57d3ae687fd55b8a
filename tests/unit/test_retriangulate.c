/* test_retriangulate.c
 *
 * Goal: a face of at most 32 corners has the triangulation with the fewest
 *   flipped triangles in all frames; a face with flipped triangles is reported.
 * Method: faces whose corners move, as archives; areas are computed by the
 *   test's own arithmetic. For small faces all triangulations are tried.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/retriangulate.h"
#include "support/made_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CORNERS_MAX 100
#define SAMPLES_MAX 8
/* Corners of the largest face that is triangulated again. */
#define SMALL_MAX 32

static struct made_writer writer;
static struct source source;
static struct warnings warnings;
static struct abc_archive *archive;
static struct arena arena;
static struct diag diag;

/* Faces in the plane z = 0, clockwise seen from +z. */
static float positions[SAMPLES_MAX * 3 * CORNERS_MAX];
static int32_t indices[CORNERS_MAX];
static int32_t counts[8];
static uint32_t sample_count;
/* Results of best_cost, plus 1; 0: unknown. */
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
    snprintf(path, sizeof path, "%s/faces.abc", test_temp());
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

static struct retriangulate_report retriangulate_mesh(void)
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

/* -- validation -- */

static double area_at(uint32_t sample, uint32_t a, uint32_t b, uint32_t c)
{
    const float *p = point_at(sample, a);
    const float *q = point_at(sample, b);
    const float *r = point_at(sample, c);

    return ((double)q[0] - p[0]) * ((double)r[1] - p[1]) -
           ((double)q[1] - p[1]) * ((double)r[0] - p[0]);
}

/* Count the clockwise triangles of all samples. The faces are clockwise in all
 * samples, so right triangles are counter-clockwise. Check that every corner is
 * used. */
static uint32_t count_flipped(void)
{
    const struct triangulation *triangles = &source.triangles;
    static uint8_t is_used[CORNERS_MAX];
    uint32_t flipped = 0;

    memset(is_used, 0, sizeof is_used);
    for (uint32_t t = 0; t < triangles->triangle_count; t++) {
        const uint32_t *c = triangles->corners + 3 * (size_t)t;

        for (int i = 0; i < 3; i++) {
            is_used[c[i]] = 1;
            CHECK_EQ_U(source.corner_faces[c[i]], triangles->faces[t]);
        }
        for (uint32_t s = 0; s < sample_count; s++)
            flipped += area_at(s, c[0], c[1], c[2]) < 0;
    }
    for (uint32_t i = 0; i < corner_count; i++)
        CHECK(is_used[i]);
    return flipped;
}

/* The number of flipped triangles of the best triangulation of the corners
 * first .. last. */
static uint32_t best_cost(uint32_t first, uint32_t last)
{
    uint32_t best = UINT32_MAX;

    if (last - first < 2)
        return 0;
    if (known_best[first][last] > 0)
        return known_best[first][last] - 1;
    for (uint32_t middle = first + 1; middle < last; middle++) {
        uint32_t flipped = best_cost(first, middle) + best_cost(middle, last);

        for (uint32_t s = 0; s < sample_count; s++)
            flipped += area_at(s, first, last, middle) < 0;
        best = flipped < best ? flipped : best;
    }
    known_best[first][last] = best + 1;
    return best;
}

/* -- claims -- */

static void a_quad_that_dents_later_gets_the_other_diagonal(void)
{
    static const float late[] = {0, 0, 0, 2, 2,   2,   2, 0,
                                 0, 0, 0, 2, .5f, .5f, 2, 0};
    static const float other[] = {0, 0, 0,   2,   2, 2, 2, 0,
                                  0, 0, .5f, .5f, 2, 2, 2, 0};

    for (int i = 0; i < 2; i++) {
        struct retriangulate_report report;

        clear(2);
        add_face(4, i == 0 ? late : other);
        report = retriangulate_mesh();
        CHECK_EQ(count_flipped(), 0);
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

static void small_faces_have_the_best_triangulation(void)
{
    static float plane[SAMPLES_MAX * 2 * SMALL_MAX];
    struct test_random random = {23};
    uint32_t improved = 0;

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
        improved += count_flipped() > 0 && best_cost(0, count - 1) == 0;
        close_mesh();
        report = retriangulate_mesh();
        CHECK_EQ_U(count_flipped(), best_cost(0, count - 1));
        CHECK_EQ_U(report.wrong_count, count_flipped() > 0);
        close_mesh();
    }
    CHECK(improved > 20);
}

/* A disc of 32 or 33 corners that grows teeth: the smaller one is triangulated
 * again, the larger one keeps the triangulation of the first sample. */
static void large_faces_keep_that_of_the_first_sample(void)
{
    enum { COUNT = SMALL_MAX };
    static float plane[2 * 2 * (COUNT + 1)];

    for (uint32_t count = COUNT; count <= COUNT + 1; count++) {
        struct retriangulate_report report;
        uint32_t flipped;

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
        flipped = count_flipped();
        CHECK(flipped > 10);
        close_mesh();
        report = retriangulate_mesh();
        CHECK_EQ_U(count_flipped(), count > COUNT ? flipped : 0);
        CHECK_EQ_U(report.wrong_count, count > COUNT);
        CHECK_EQ_U(report.large_count, count > COUNT);
        CHECK_EQ_U(report.face, 0);
        CHECK_EQ_U(report.frame, count > COUNT);
        CHECK_EQ_U(source.triangles.triangle_count, count - 2);
        close_mesh();
    }
}

/* The second face intersects itself in the third sample; the faces around it
 * keep their triangulations. */
static void faces_without_a_right_triangulation_are_reported(void)
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
    report = retriangulate_mesh();
    CHECK_EQ_U(report.wrong_count, 1);
    CHECK_EQ_U(report.large_count, 0);
    CHECK_EQ_U(report.face, 1);
    CHECK_EQ_U(report.frame, 2);
    CHECK_EQ_U(source.triangles.triangle_count, 6);
    close_mesh();
}

/* Three of five corners are collinear, and the face is rotated, far away, and
 * scaled to almost 0: triangles that rounding flips are not counted. */
static void rounding_is_no_flip(void)
{
    static const double shape[5][2] = {
        {0, 0}, {0.3, 0}, {1, 0}, {1, -1}, {0, -1}};
    static float plane[SAMPLES_MAX * 2 * 5];
    uint32_t flipped = 0;

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
        report = retriangulate_mesh();
        flipped += count_flipped();
        CHECK_EQ_U(report.wrong_count, 0);
        close_mesh();
    }
    CHECK(flipped > 10);
}

/* A frame between two samples counts, too. */
static void frames_between_samples_count(void)
{
    static const double times[] = {0, 0.5 / MADE_FPS, 1 / MADE_FPS};
    static float plane[2 * 2 * 6];
    struct test_random random = {29};
    uint32_t improved = 0;

    for (uint32_t round = 0; round < 300; round++) {
        uint32_t count = 4 + test_random_below(&random, 3);
        struct retriangulate_report report;
        uint32_t flipped;

        test_context("seed 29, round %u", round);
        clear(2);
        make_star(count, 0, 0, &random, plane);
        make_star(count, 1, round % 7 * 0.4, &random, plane);
        add_face(count, plane);
        retriangulate_mesh();
        for (uint32_t i = 0; i < 3 * count; i++) {
            float a = positions[i];
            float b = positions[3 * CORNERS_MAX + i];

            positions[2 * 3 * CORNERS_MAX + i] =
                (float)(a + ((double)b - a) * 0.5);
        }
        sample_count = 3;
        flipped = count_flipped();
        sample_count = 2;
        close_mesh();
        open_mesh();
        CHECK(retriangulate(&source, times, 3, &report));
        sample_count = 3;
        CHECK_EQ_U(count_flipped(), best_cost(0, count - 1));
        CHECK_EQ_U(report.wrong_count, count_flipped() > 0);
        improved += flipped > count_flipped();
        close_mesh();
    }
    CHECK(improved > 5);
}

TEST_MAIN(TEST(a_quad_that_dents_later_gets_the_other_diagonal),
          TEST(small_faces_have_the_best_triangulation),
          TEST(large_faces_keep_that_of_the_first_sample),
          TEST(faces_without_a_right_triangulation_are_reported),
          TEST(rounding_is_no_flip), TEST(frames_between_samples_count))
