/* test_one_ring_walk.c
 *
 * Goal: the ring of a vertex contains its neighbours in the order of the
 * triangles, for any triangles. Neighbours beyond the limits are left out.
 * Method: fans made by hand: closed, open and separate; welded vertices,
 * triangles that leave the part, indices of both widths in runs of any length;
 * more triangles than the table holds; random triangles compared with a walk
 * without limits.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring_walk.h"
#include "harness.h"

#include <string.h>

#define INDICES_MAX (ONE_RING_WALK_CORNERS_MAX + 30u)

static uint32_t wide[INDICES_MAX];
static uint16_t narrow[INDICES_MAX];
static uint8_t *runs[INDICES_MAX];
static struct one_ring_corners corners;

/* Find the corners of a part of all vertices, from `count` indices in
 * `wide`. */
static void find(uint32_t count, uint32_t bytes, uint32_t per_run,
                 uint32_t first, uint32_t vertex_count)
{
    const struct one_ring_indices indices = {
        .runs = runs, .bytes = bytes, .per_run = per_run, .count = count};
    const struct one_ring_part part = {.indices = &indices,
                                       .range = {0, count / 3},
                                       .first = first,
                                       .vertex_count = vertex_count,
                                       .weld_first = vertex_count};

    for (uint32_t i = 0; i < count; i++)
        narrow[i] = (uint16_t)wide[i];
    for (uint32_t i = 0; i * per_run < count; i++)
        runs[i] = bytes == 2 ? (uint8_t *)(narrow + i * per_run)
                             : (uint8_t *)(wide + i * per_run);
    memset(&corners, 0xa5, sizeof corners);
    spn__one_ring_corners_find(&part, &corners);
}

/* The ring as text: "|1 2 3" is a gap, then slots; " 1 2 3" is a closed ring;
 * "+" marks a repeated slot. */
static const char *walk(uint32_t v)
{
    static char text[32 * ONE_RING_SLOTS_MAX];
    struct one_ring ring;
    size_t at = 0;

    spn__one_ring_walk(&corners, v, &ring);
    CHECK(ring.count <= ONE_RING_SLOTS_MAX);
    for (uint32_t i = 0; i < ring.count; i++) {
        text[at++] = ring.is_gap[i] ? '|' : ' ';
        CHECK(ring.vertex[i] < 26);
        text[at++] = (char)('a' + ring.vertex[i]);
        if (ring.is_again[i])
            text[at++] = '+';
    }
    text[at] = 0;
    return text;
}

/* Append triangles by the letters of their vertices. */
static uint32_t triangles(const char *letters)
{
    uint32_t count = 0;

    for (; *letters; letters++)
        if (*letters != ' ')
            wide[count++] = (uint32_t)(*letters - 'a');
    return count;
}

static void rings_follow_the_order_of_the_triangles(void)
{
    static const struct {
        const char *triangles;
        const char *ring; /* ring of vertex a */
    } rows[] = {
        {"", ""},
        {"bcd", ""},
        {"abc", "|b c"},
        {"bca", "|b c"},
        {"abc acd", "|b c d"},
        {"acd abc", "|b c d"},
        {"abc acd ade aeb", " b c d e"},
        {"abc acd adb", " b c d"},
        {"abc acb", "|b c b+"},
        {"abc acd adb aef", "|e f|b c d b+"},
        {"abc ade", "|b c|d e"},
        {"abc acd aef", "|b c d|e f"},
        {"abc abc", "|b c|b+ c+"},
        {"aab", "|a b a+"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t count = triangles(rows[i].triangles);

        test_context("%s", rows[i].triangles);
        for (uint32_t bytes = 2; bytes <= 4; bytes += 2)
            for (uint32_t per_run = 1; per_run < 16; per_run++) {
                find(count, bytes, per_run, 0, 8);
                CHECK_STR(walk(0), rows[i].ring);
            }
    }
}

static void triangles_that_leave_the_part_are_ignored(void)
{
    /* The part is c to f. Letters of a ring count from the part's first
     * vertex. */
    find(triangles("abc cde cag cef efh dea fgc"), 2, 100, 2, 4);
    CHECK_STR(walk(0), "|b c d");
    CHECK_STR(walk(3), "|a c");
    /* A part whose vertices are in no triangle. */
    find(triangles("abc"), 2, 100, 10, 4);
    for (uint32_t v = 0; v < 4; v++)
        CHECK_STR(walk(v), "");
}

static void welded_vertices_count_as_one(void)
{
    /* e and f have the positions of b and a. */
    static const uint16_t weld[] = {9, 9, 9, 9, 1, 0};
    const struct one_ring_indices indices = {
        .runs = runs, .bytes = 4, .per_run = 64, .count = 9};
    const struct one_ring_part part = {.indices = &indices,
                                       .range = {0, 3},
                                       .vertex_count = 6,
                                       .weld = weld,
                                       .weld_stride = 1,
                                       .weld_first = 4};

    (void)triangles("abc acd fde");
    runs[0] = (uint8_t *)wide;
    spn__one_ring_corners_find(&part, &corners);
    CHECK_EQ(one_ring_welded(&part, 3), 3);
    CHECK_EQ(one_ring_welded(&part, 5), 0);
    CHECK_STR(walk(0), " b c d");
    CHECK_STR(walk(1), "|c a d");
}

static void vertices_outside_of_the_range_are_ignored(void)
{
    const struct one_ring_indices indices = {
        .runs = runs, .bytes = 4, .per_run = 64, .count = 9};
    struct one_ring_part part = {
        .indices = &indices, .vertex_count = 6, .weld_first = 6};

    (void)triangles("abc acd ade");
    runs[0] = (uint8_t *)wide;
    spn__one_ring_corners_find(&part, &corners);
    CHECK_STR(walk(0), "");
    part.range = (struct triangle_range){1, 1};
    spn__one_ring_corners_find(&part, &corners);
    CHECK_STR(walk(0), "|c d");
    part.range = (struct triangle_range){1, 2};
    spn__one_ring_corners_find(&part, &corners);
    CHECK_STR(walk(0), "|c d e");
}

static void rings_contain_each_position_once(void)
{
    static const uint16_t members[] = {1, 2, 0, 3};
    const struct one_ring_indices indices = {
        .runs = runs, .bytes = 4, .per_run = 64, .count = 6};
    const struct one_ring_part part = {.indices = &indices,
                                       .range = {0, 2},
                                       .vertex_count = 4,
                                       .members = members,
                                       .weld_first = 4};

    (void)triangles("abc acd");
    runs[0] = (uint8_t *)wide;
    spn__one_ring_corners_find(&part, &corners);
    CHECK_STR(walk(2), "|a b d");
    CHECK_STR(walk(0), "|b c");
}

static void slots_beyond_the_limit_are_left_out(void)
{
    struct one_ring ring;

    /* Separate triangles: two slots each. */
    for (uint32_t i = 0; i < 300; i++) {
        wide[3 * i] = 0;
        wide[3 * i + 1] = 2 * i + 1;
        wide[3 * i + 2] = 2 * i + 2;
    }
    find(900, 4, 64, 0, 601);
    CHECK_EQ(corners.first[1] - corners.first[0], 300);
    spn__one_ring_walk(&corners, 0, &ring);
    CHECK_EQ(ring.count, ONE_RING_SLOTS_MAX);
    for (uint32_t i = 0; i < ring.count; i++)
        CHECK_EQ(ring.vertex[i], i + 1);
    /* More corners than the table holds: the first are kept. */
    for (uint32_t i = 0; i < INDICES_MAX; i++)
        wide[i] = i % 3;
    find(INDICES_MAX, 4, 1000, 0, ONE_RING_WALK_VERTICES_MAX);
    CHECK_EQ(corners.first[ONE_RING_WALK_VERTICES_MAX],
             ONE_RING_WALK_CORNERS_MAX / 3 * 3);
    CHECK_EQ(corners.first[1], ONE_RING_WALK_CORNERS_MAX / 3);
    /* An incomplete triangle is ignored. */
    find(5, 4, 1000, 0, 3);
    CHECK_EQ(corners.first[3], 3);
}

/* -- any triangles -- */

#define FAN_MAX 64u

struct plain_walk {
    uint32_t count;
    uint32_t from[FAN_MAX];
    uint32_t to[FAN_MAX];
    bool is_used[FAN_MAX];
    uint32_t slots;
    uint32_t vertex[2 * FAN_MAX];
    bool is_gap[2 * FAN_MAX];
};

static bool plain_is_led_to(const struct plain_walk *w, uint32_t i)
{
    for (uint32_t k = 0; k < w->count; k++)
        if (!w->is_used[k] && w->to[k] == w->from[i])
            return true;
    return false;
}

/* The first unused corner that no other leads to; otherwise the first;
 * otherwise count. */
static uint32_t plain_start(const struct plain_walk *w)
{
    uint32_t any = w->count;

    for (uint32_t i = w->count; i-- > 0;)
        if (!w->is_used[i])
            any = i;
    for (uint32_t i = 0; i < w->count; i++)
        if (!w->is_used[i] && !plain_is_led_to(w, i))
            return i;
    return any;
}

static uint32_t plain_next(const struct plain_walk *w, uint32_t at)
{
    for (uint32_t k = 0; k < w->count; k++)
        if (!w->is_used[k] && w->from[k] == w->to[at])
            return k;
    return w->count;
}

static void plain_add(struct plain_walk *w, uint32_t vertex, bool is_gap)
{
    w->vertex[w->slots] = vertex;
    w->is_gap[w->slots++] = is_gap;
}

/* All slots, of which a ring keeps the first. */
static void walk_plainly(struct plain_walk *w)
{
    uint32_t at;

    w->slots = 0;
    while ((at = plain_start(w)) < w->count) {
        plain_add(w, w->from[at], true);
        for (; at < w->count; at = plain_next(w, at)) {
            w->is_used[at] = true;
            plain_add(w, w->to[at], false);
        }
    }
    w->slots = w->slots > ONE_RING_SLOTS_MAX ? ONE_RING_SLOTS_MAX : w->slots;
}

/* The walk returned to its first vertex, and the only gap is before it. */
static bool plain_is_closed(const struct plain_walk *w)
{
    for (uint32_t i = 1; i < w->slots; i++)
        if (w->is_gap[i])
            return false;
    return w->slots >= 4 && w->vertex[w->slots - 1] == w->vertex[0];
}

static void random_triangles_give_the_ring_of_a_plain_walk(void)
{
    struct test_random random = {.state = 77};

    for (uint32_t round = 0; round < 20000; round++) {
        struct plain_walk w = {.count =
                                   test_random_below(&random, FAN_MAX + 1)};
        const uint32_t vertices = 1 + test_random_below(&random, 3 + w.count);
        struct one_ring ring;
        bool is_closed;

        memset(corners.first, 0, sizeof corners.first);
        corners.first[1] = (uint16_t)w.count;
        for (uint32_t i = 0; i < w.count; i++) {
            w.from[i] = test_random_below(&random, vertices);
            w.to[i] = test_random_below(&random, vertices);
            corners.from[i] = (uint16_t)w.from[i];
            corners.to[i] = (uint16_t)w.to[i];
        }
        test_context("round %u: %u triangles of %u", (unsigned)round,
                     (unsigned)w.count, (unsigned)vertices);
        walk_plainly(&w);
        spn__one_ring_walk(&corners, 0, &ring);
        is_closed = plain_is_closed(&w);
        CHECK_EQ(ring.count, w.slots - is_closed);
        for (uint32_t i = 0; i < ring.count; i++) {
            bool is_again = false;

            for (uint32_t k = 0; k < i; k++)
                is_again = is_again || w.vertex[k] == w.vertex[i];
            CHECK_EQ(ring.vertex[i], w.vertex[i]);
            CHECK_EQ(ring.is_gap[i], w.is_gap[i] && !(i == 0 && is_closed));
            CHECK_EQ(ring.is_again[i], is_again);
        }
    }
}

TEST_MAIN(TEST(rings_follow_the_order_of_the_triangles),
          TEST(triangles_that_leave_the_part_are_ignored),
          TEST(welded_vertices_count_as_one),
          TEST(vertices_outside_of_the_range_are_ignored),
          TEST(rings_contain_each_position_once),
          TEST(slots_beyond_the_limit_are_left_out),
          TEST(random_triangles_give_the_ring_of_a_plain_walk))
