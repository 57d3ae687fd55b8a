/* Goal: a triangle overlaps what its face has where one of all those triangles
 * says so, whatever was added and taken back before.
 * Method: triangles at random in small faces, compared one by one by the
 * definition; and the faces' arcs that a triangle may lie in, by hand. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/spans.h"

#define CORNERS_MAX 12u
#define TRIANGLES_MAX 24u

static struct span spans[CORNERS_MAX];

/* Steps from a corner to another along their face. */
static uint32_t steps_between(uint32_t from, uint32_t to, uint32_t count)
{
    return (to - from + count) % count;
}

/* Is each corner of one within one of the arcs between those of the other? */
static bool lie_apart(const uint32_t a[3], const uint32_t b[3], uint32_t count)
{
    for (int i = 0; i < 3; i++) {
        uint32_t one = steps_between(a[i], a[(i + 1) % 3], count);
        uint32_t two = steps_between(a[i], a[(i + 2) % 3], count);
        uint32_t arc = one < two ? one : two;

        if (steps_between(a[i], b[0], count) <= arc &&
            steps_between(a[i], b[1], count) <= arc &&
            steps_between(a[i], b[2], count) <= arc)
            return true;
    }
    return false;
}

static void choose(struct test_random *random, uint32_t count,
                   uint32_t corner[3])
{
    corner[0] = test_random_below(random, count);
    do
        corner[1] = test_random_below(random, count);
    while (corner[1] == corner[0]);
    do
        corner[2] = test_random_below(random, count);
    while (corner[2] == corner[0] || corner[2] == corner[1]);
}

struct placed {
    uint32_t count;
    uint32_t corner[TRIANGLES_MAX][3];
    struct span before[TRIANGLES_MAX][3];
};

static bool overlaps_one(const struct placed *placed, const uint32_t corner[3],
                         uint32_t corner_count)
{
    for (uint32_t i = 0; i < placed->count; i++)
        if (!lie_apart(placed->corner[i], corner, corner_count))
            return true;
    return false;
}

/* Add what does not overlap, sometimes what does; take back now and then. */
static void fill_face(struct test_random *random, uint32_t count,
                      uint32_t overlaps[2])
{
    struct placed placed = {0};

    spans_clear(spans, count);
    for (int turn = 0; turn < 200; turn++) {
        uint32_t at = placed.count;
        bool is_overlapping;

        if (at > 0 && test_random_below(random, 5) == 0) {
            at = --placed.count;
            spans_take_back(spans, placed.corner[at], placed.before[at]);
            continue;
        }
        if (at == TRIANGLES_MAX)
            continue;
        choose(random, count, placed.corner[at]);
        is_overlapping = overlaps_one(&placed, placed.corner[at], count);
        CHECK_EQ(spans_overlap(spans, placed.corner[at]), is_overlapping);
        overlaps[is_overlapping]++;
        if (is_overlapping && test_random_below(random, 10) > 0)
            continue;
        spans_add(spans, placed.corner[at], placed.before[at]);
        placed.count++;
    }
}

static void spans_tell_what_all_triangles_tell(void)
{
    struct test_random random = {7};
    uint32_t overlaps[2] = {0, 0};

    for (uint32_t round = 0; round < 400; round++) {
        uint32_t count = 3 + round % (CORNERS_MAX - 2);

        test_context("round %u, %u corners", round, count);
        fill_face(&random, count, overlaps);
    }
    CHECK(overlaps[0] > 1000 && overlaps[1] > 1000);
}

/* Corners in any order; a fan fills its face, and nothing more fits. */
static void spans_of_a_whole_face_are_full(void)
{
    struct span before[3];

    spans_clear(spans, CORNERS_MAX);
    for (uint32_t i = 1; i + 1 < CORNERS_MAX; i++) {
        const uint32_t corner[3] = {i + 1, i, 0};

        CHECK(!spans_overlap(spans, corner));
        spans_add(spans, corner, before);
        CHECK(spans_overlap(spans, corner));
    }
    for (uint32_t a = 0; a < CORNERS_MAX; a++)
        for (uint32_t b = a + 1; b < CORNERS_MAX; b++)
            for (uint32_t c = b + 1; c < CORNERS_MAX; c++) {
                const uint32_t corner[3] = {b, c, a};

                CHECK(spans_overlap(spans, corner));
            }
}

TEST_MAIN(TEST(spans_tell_what_all_triangles_tell),
          TEST(spans_of_a_whole_face_are_full))
