/* test_ear_clipping.c
 *
 * Goal: the ears are those that a test of all corners finds, for any size.
 *   Every polygon becomes count - 2 triangles, with bounded work.
 * Method: a second clipper that tests all corners. Polygons that are stars,
 *   that have few distinct positions, and that intersect themselves. The
 *   triangles of large polygons are validated by their areas.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/math/arith.h"
#include "compile/mesh/ear_clipping.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_MAX 700u

/* -- the walk -- */

struct walk {
    const double (*plane)[2];
    uint32_t next[SMALL_MAX];
    uint32_t previous[SMALL_MAX];
    bool is_reflex[SMALL_MAX];
    bool is_ear[SMALL_MAX];
};

static void classify_reflex(struct walk *walk, uint32_t b)
{
    walk->is_reflex[b] =
        !(orient2d(walk->plane[walk->previous[b]], walk->plane[b],
                   walk->plane[walk->next[b]]) > 0);
}

static bool equals(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* The point is inside the triangle or on an edge, but not at a corner. For
 * slivers, rounding can accept a point beyond the tip, so the bounding box
 * decides too. */
static bool is_inside(const double *a, const double *b, const double *c,
                      const double *p)
{
    for (int i = 0; i < 2; i++)
        if ((p[i] < a[i] && p[i] < b[i] && p[i] < c[i]) ||
            (p[i] > a[i] && p[i] > b[i] && p[i] > c[i]))
            return false;
    return orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 &&
           orient2d(c, a, p) >= 0 && !equals(p, a) && !equals(p, b) &&
           !equals(p, c);
}

static void is_ear(struct walk *walk, uint32_t b)
{
    uint32_t a = walk->previous[b];
    uint32_t c = walk->next[b];
    bool is_ear = orient2d(walk->plane[a], walk->plane[b], walk->plane[c]) > 0;

    for (uint32_t i = walk->next[c]; i != a; i = walk->next[i])
        is_ear = is_ear && !(walk->is_reflex[i] &&
                             is_inside(walk->plane[a], walk->plane[b],
                                       walk->plane[c], walk->plane[i]));
    walk->is_ear[b] = is_ear;
}

/* The ear with the shortest cut, or `at` if there is none. */
static uint32_t find_shortest(const struct walk *walk, uint32_t count,
                              uint32_t at)
{
    double shortest = INFINITY;

    for (uint32_t i = 0; i < count; i++) {
        const double *a = walk->plane[walk->previous[i]];
        const double *c = walk->plane[walk->next[i]];
        double length =
            (c[0] - a[0]) * (c[0] - a[0]) + (c[1] - a[1]) * (c[1] - a[1]);

        if (walk->is_ear[i] && length < shortest) {
            shortest = length;
            at = i;
        }
    }
    return at;
}

static void clip_by_walking(const double (*plane)[2], uint32_t count,
                            uint32_t *triangles)
{
    static struct walk walk;
    uint32_t at = 0;

    walk.plane = plane;
    for (uint32_t i = 0; i < count; i++) {
        walk.next[i] = (i + 1) % count;
        walk.previous[i] = (i + count - 1) % count;
    }
    for (uint32_t i = 0; i < count; i++)
        classify_reflex(&walk, i);
    for (uint32_t i = 0; i < count; i++)
        is_ear(&walk, i);
    for (uint32_t left = count; left >= 3; left--) {
        uint32_t a;
        uint32_t c;

        if (left > 3)
            at = find_shortest(&walk, count, at);
        a = walk.previous[at];
        c = walk.next[at];
        *triangles++ = a;
        *triangles++ = at;
        *triangles++ = c;
        walk.is_ear[at] = false;
        walk.next[a] = c;
        walk.previous[c] = a;
        classify_reflex(&walk, a);
        classify_reflex(&walk, c);
        is_ear(&walk, a);
        is_ear(&walk, c);
        at = c;
    }
}

enum kind { STAR, SCATTERED, LATTICE, COMB, KIND_COUNT };

static void make_polygon(enum kind kind, uint32_t count,
                         struct test_random *random, double (*plane)[2])
{
    for (uint32_t i = 0; i < count; i++) {
        double angle = 2 * ARITH_PI * i / count;
        double radius = 0.1 + test_random_below(random, 1000) / 500.0;
        uint32_t limit = kind == LATTICE ? 5 : 1000000;
        uint32_t half = count / 2;

        plane[i][0] = test_random_below(random, limit);
        plane[i][1] = test_random_below(random, limit);
        if (kind == STAR) {
            plane[i][0] = radius * cos(angle);
            plane[i][1] = radius * sin(angle);
        } else if (kind == COMB) {
            plane[i][0] = i < half ? half - i : i - half;
            plane[i][1] = i < half ? 9 * (i % 2) + 1 : 0;
        }
    }
}

static void ears_agree_with_a_full_search(void)
{
    static double plane[SMALL_MAX][2];
    static uint32_t wanted[3 * SMALL_MAX];
    static uint32_t found[3 * SMALL_MAX];
    struct test_random random = {3};

    for (uint32_t round = 0; round < 400; round++) {
        uint32_t count =
            4 + test_random_below(&random, round % 8 ? 120 : SMALL_MAX - 3);
        struct arena arena;
        struct ear_clipping ears;

        test_context("seed 3, round %u, %u corners", round, count);
        make_polygon((enum kind)(round % KIND_COUNT), count, &random, plane);
        arena_init(&arena);
        ear_clipping_open(&ears, count, &arena);
        ear_clipping_clip(&ears, (const double(*)[2])plane, count, found);
        clip_by_walking((const double(*)[2])plane, count, wanted);
        CHECK_MEM(found, wanted, 3 * (count - 2) * sizeof *found);
        arena_free(&arena);
    }
}

/* -- large polygons -- */

enum { LARGE = 10000 };

static double area_of(const double (*plane)[2], const uint32_t *corners)
{
    return orient2d(plane[corners[0]], plane[corners[1]], plane[corners[2]]);
}

static void large_polygons_are_covered(void)
{
    double(*plane)[2] = malloc(LARGE * sizeof *plane);
    uint32_t *triangles = malloc(3 * LARGE * sizeof *triangles);
    struct test_random random = {5};
    struct arena arena;
    struct ear_clipping ears;

    arena_init(&arena);
    ear_clipping_open(&ears, LARGE, &arena);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        double wanted = 0;
        double sum = 0;
        double below = 0;

        test_context("kind %d", kind);
        if (kind == LATTICE)
            continue;
        make_polygon((enum kind)kind, LARGE, &random, plane);
        ear_clipping_clip(&ears, (const double(*)[2])plane, LARGE, triangles);
        for (uint32_t i = 0; i < LARGE; i++) {
            const double *p = plane[i];
            const double *q = plane[(i + 1) % LARGE];

            wanted += p[0] * q[1] - p[1] * q[0];
        }
        for (uint32_t t = 0; t < LARGE - 2; t++) {
            double area =
                area_of((const double(*)[2])plane, triangles + 3 * (size_t)t);

            sum += area;
            below += area < 0 ? area : 0;
        }
        CHECK_NEAR(sum, wanted, 1e-9 * fabs(wanted));
        /* A polygon that crosses itself has no correct triangulation, only a
         * finished one. */
        if (kind != SCATTERED)
            CHECK_NEAR(below, 0, 1e-12 * wanted);
    }
    arena_free(&arena);
    free(plane);
    free(triangles);
}

/* A star needs more than one test per corner. Some triangles are flipped, and
 * the signed areas still sum to that of the polygon. */
static void the_work_is_bounded(void)
{
    static double plane[SMALL_MAX][2];
    static uint32_t triangles[3 * SMALL_MAX];

    for (uint32_t per_corner = 1; per_corner <= 1000; per_corner += 999) {
        struct test_random random = {9};
        struct ear_clipping ears;
        struct arena arena;
        double wanted = 0;
        double sum = 0;
        uint32_t flipped = 0;

        arena_init(&arena);
        make_polygon(STAR, SMALL_MAX, &random, plane);
        ear_clipping_open(&ears, SMALL_MAX, &arena);
        ears.examined_per_corner = per_corner;
        ear_clipping_clip(&ears, (const double(*)[2])plane, SMALL_MAX,
                          triangles);
        for (uint32_t i = 0; i < SMALL_MAX; i++) {
            const double *q = plane[(i + 1) % SMALL_MAX];

            wanted += plane[i][0] * q[1] - plane[i][1] * q[0];
        }
        for (uint32_t t = 0; t < SMALL_MAX - 2; t++) {
            double area =
                area_of((const double(*)[2])plane, triangles + 3 * (size_t)t);

            sum += area;
            flipped += area < 0;
        }
        CHECK_NEAR(sum, wanted, 1e-9 * wanted);
        CHECK_EQ(flipped > 0, per_corner == 1);
        CHECK_EQ(ears.examined_left == 0, per_corner == 1);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(ears_agree_with_a_full_search), TEST(large_polygons_are_covered),
          TEST(the_work_is_bounded))
