/* test_reorder.c
 *
 * Goal: reordering moves whole triangles within their range, improves vertex
 *   cache hits, and numbers vertices by first use.
 * Method: a grid in random order; compare triangles as sets, and count misses
 *   of a small FIFO cache.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/reorder.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, TRIANGLES = 2 * SIDE * SIDE, INDICES = 3 * TRIANGLES };

static void make_grid(uint32_t *indices, uint64_t seed)
{
    struct test_random random = {seed};
    uint32_t count = 0;

    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t a = y * (SIDE + 1) + x;
            uint32_t b = a + SIDE + 1;
            uint32_t corners[6] = {a, a + 1, b, b, a + 1, b + 1};
            memcpy(indices + count, corners, sizeof corners);
            count += 6;
        }
    for (uint32_t i = TRIANGLES - 1; i > 0; i--) {
        uint32_t k = test_random_below(&random, i + 1);
        uint32_t kept[3];
        memcpy(kept, indices + 3 * i, 12);
        memmove(indices + 3 * i, indices + 3 * k, 12);
        memcpy(indices + 3 * k, kept, 12);
    }
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 12);
}

/* Triangles with their corners rotated so that the smallest is first. */
static void canonical(const uint32_t *indices, uint32_t count, uint32_t *out)
{
    for (uint32_t t = 0; t < count / 3; t++) {
        const uint32_t *in = indices + 3 * t;
        uint32_t least =
            in[0] < in[1] ? (in[0] < in[2] ? 0 : 2) : (in[1] < in[2] ? 1 : 2);
        for (uint32_t i = 0; i < 3; i++)
            out[3 * t + i] = in[(least + i) % 3];
    }
    qsort(out, count / 3, 12, compare_triangles);
}

static uint32_t misses(const uint32_t *indices, uint32_t count)
{
    uint32_t fifo[16];
    uint32_t head = 0;
    uint32_t missed = 0;

    memset(fifo, 0xff, sizeof fifo);
    for (uint32_t i = 0; i < count; i++) {
        bool is_held = false;
        for (int k = 0; k < 16; k++)
            is_held = is_held || fifo[k] == indices[i];
        if (is_held)
            continue;
        fifo[head++ % 16] = indices[i];
        missed++;
    }
    return missed;
}

static void ranges_keep_their_triangles(void)
{
    static uint32_t before[INDICES];
    static uint32_t after[INDICES];
    static uint32_t sorted[2][INDICES];
    static uint32_t seen[(SIDE + 1) * (SIDE + 1)];
    uint32_t first = INDICES / 4;
    struct arena arena;

    arena_init(&arena);
    make_grid(before, 5);
    memcpy(after, before, sizeof after);
    reorder_range(after, first, seen, &arena);
    reorder_range(after + first, INDICES - first, seen, &arena);
    reorder_range(after, 0, seen, &arena);
    canonical(before, first, sorted[0]);
    canonical(after, first, sorted[1]);
    CHECK_MEM(sorted[0], sorted[1], 4 * first);
    canonical(before + first, INDICES - first, sorted[0]);
    canonical(after + first, INDICES - first, sorted[1]);
    CHECK_MEM(sorted[0], sorted[1], 4 * (INDICES - first));
    CHECK(misses(after, INDICES) * 2 < misses(before, INDICES));
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); i++)
        CHECK_EQ(seen[i], 0);
    arena_free(&arena);
}

static void vertices_are_numbered_by_first_use(void)
{
    uint32_t indices[9] = {7, 3, 5, 5, 3, 1, 9, 7, 1};
    static const uint32_t wanted[9] = {0, 1, 2, 2, 1, 3, 4, 0, 3};
    static const uint32_t wanted_old[5] = {7, 3, 5, 1, 9};
    uint32_t old_of[10];
    struct arena arena;

    arena_init(&arena);
    CHECK_EQ(reorder_vertices(indices, 9, 10, old_of, &arena), 5);
    CHECK_MEM(indices, wanted, sizeof wanted);
    CHECK_MEM(old_of, wanted_old, sizeof wanted_old);
    arena_free(&arena);
}

TEST_MAIN(TEST(ranges_keep_their_triangles),
          TEST(vertices_are_numbered_by_first_use))
