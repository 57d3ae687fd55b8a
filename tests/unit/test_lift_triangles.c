/* test_lift_triangles.c
 *
 * Goal: all triangles and vertices of a cut mesh are present, part by part.
 *   The work around the vertices of all parts is proportional to their number.
 * Method: grids of several sizes are cut, and their triangles are compared
 *   with the source's. The triangles that a reader examines are counted, also
 *   where materials or random numbers scatter the parts.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_header.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_triangles.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

struct grid {
    struct arena arena;
    struct clip_mesh mesh;
    uint32_t part_count;
    uint32_t *order; /* vertex of each number */
    uint32_t *indices;
    struct triangle_range *ranges;
};

static uint32_t part_first(const struct grid *g, uint32_t part)
{
    return lift_parts_first(g->mesh.vertex_count, g->part_count, part);
}

/* Make the triangles row by row. Every `stripe` columns the material alternates
 * between two, with 0 there is one. */
static void make_triangles(struct grid *g, uint32_t side, uint32_t stripe)
{
    uint32_t n = 0;

    g->mesh.indices =
        ARENA_NEW(&g->arena, uint32_t, 6 * (size_t)(side - 1) * (side - 1));
    g->mesh.materials = ARENA_NEW(&g->arena, struct clip_material, 2);
    for (uint32_t m = 0; m < 2; m++) {
        g->mesh.materials[m].first_index = n;
        for (uint32_t y = 0; y + 1 < side; y++)
            for (uint32_t x = 0; x + 1 < side; x++) {
                const uint32_t v = y * side + x;
                const uint32_t quad[6] = {v,        v + 1, v + side,
                                          v + side, v + 1, v + side + 1};

                if ((stripe > 0 ? x / stripe % 2 : 0) != m)
                    continue;
                memcpy(g->mesh.indices + n, quad, sizeof quad);
                n += 6;
            }
        g->mesh.materials[m].index_count = n - g->mesh.materials[m].first_index;
    }
    g->mesh.index_count = n;
    g->mesh.material_count = 2;
}

static void make_order(struct grid *g, const uint16_t *positions)
{
    const uint32_t count = g->mesh.vertex_count;

    g->part_count = lift_parts_count(count, CACHE_TILE_VERTICES_MAX);
    g->order = ARENA_NEW(&g->arena, uint32_t, count);
    g->indices = ARENA_NEW(&g->arena, uint32_t, g->mesh.index_count);
    g->ranges = ARENA_NEW(&g->arena, struct triangle_range, g->part_count);
    lift_parts_split(positions, count, g->part_count, g->order);
    lift_triangles_order(&g->mesh, g->part_count, g->order, g->indices);
    lift_triangles_ranges(g->indices, g->mesh.index_count, count, g->part_count,
                          g->ranges);
}

static void make(struct grid *g, uint32_t side, uint32_t stripe)
{
    const uint32_t count = side * side;
    uint16_t *positions;

    memset(g, 0, sizeof *g);
    arena_init(&g->arena);
    g->mesh.vertex_count = count;
    make_triangles(g, side, stripe);
    positions = ARENA_NEW(&g->arena, uint16_t, 3 * (size_t)count);
    for (uint32_t v = 0; v < count; v++) {
        positions[3 * v] = (uint16_t)(v % side);
        positions[3 * v + 1] = (uint16_t)(v / side);
    }
    make_order(g, positions);
}

static bool contains_vertex(const struct grid *g, const uint32_t *corner,
                            uint32_t part)
{
    for (int k = 0; k < 3; k++)
        if (corner[k] < part_first(g, part) ||
            corner[k] >= part_first(g, part + 1))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

static void triangles_are_the_same_of_each_material(void)
{
    struct grid g;

    make(&g, 150, 8);
    CHECK(g.part_count > 2);
    for (uint32_t i = 0; i < g.mesh.index_count; i++)
        g.indices[i] = g.order[g.indices[i]];
    for (uint32_t m = 0; m < 2; m++) {
        const struct clip_material *material = &g.mesh.materials[m];
        uint32_t *there = g.indices + material->first_index;
        uint32_t *source = g.mesh.indices + material->first_index;

        qsort(there, material->index_count / 3, 12, compare);
        qsort(source, material->index_count / 3, 12, compare);
        CHECK_MEM(there, source, material->index_count * sizeof *source);
    }
    arena_free(&g.arena);
}

/* The triangles of a part use its vertices in increasing order. */
static void vertices_are_numbered_by_first_use(void)
{
    struct grid g;
    uint32_t *next;

    make(&g, 150, 0);
    next = calloc(g.part_count, sizeof *next);
    for (uint32_t p = 0; p < g.part_count; p++)
        next[p] = part_first(&g, p);
    for (uint32_t i = 0; i < g.mesh.index_count; i++)
        for (uint32_t p = 0; p < g.part_count; p++)
            if (contains_vertex(&g, g.indices + i - i % 3, p)) {
                CHECK(g.indices[i] <= next[p]);
                next[p] += g.indices[i] == next[p];
            }
    for (uint32_t p = 0; p < g.part_count; p++)
        CHECK(next[p] + 600 > part_first(&g, p + 1)); /* except at borders */
    free(next);
    arena_free(&g.arena);
}

/* Return the number of triangles that a reader examines for all parts. `unseen`
 * receives the number of triangles that the reader of their part does not
 * examine. */
static uint64_t count_work(const struct grid *g, uint32_t *unseen)
{
    uint64_t work = 0;

    *unseen = 0;
    for (uint32_t p = 0; p < g->part_count; p++) {
        const struct triangle_range *r = &g->ranges[p];

        work += r->count;
        CHECK(r->count <=
              triangle_range_max(part_first(g, p + 1) - part_first(g, p)));
        CHECK(r->first <= g->mesh.index_count / 3);
        CHECK(r->count <= g->mesh.index_count / 3 - r->first);
        for (uint32_t t = 0; t < g->mesh.index_count / 3; t++)
            *unseen += (t < r->first || t - r->first >= r->count) &&
                       contains_vertex(g, g->indices + 3 * (size_t)t, p);
    }
    return work;
}

static void work_is_in_proportion_to_vertices(void)
{
    static const uint32_t sides[] = {60, 120, 240, 480, 960};

    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        uint32_t unseen;
        struct grid g;

        make(&g, sides[i], 0);
        test_context("%u vertices in %u parts", g.mesh.vertex_count,
                     g.part_count);
        CHECK(count_work(&g, &unseen) <= g.mesh.index_count / 3);
        CHECK_EQ_U(unseen, 0);
        arena_free(&g.arena);
    }
}

static void materials_that_scatter_parts_have_bounded_work(void)
{
    uint32_t unseen;
    struct grid g;

    /* The format permits sixteen times the triangles of a part. */
    make(&g, 240, 4);
    CHECK(count_work(&g, &unseen) > g.mesh.index_count / 3);
    CHECK_EQ_U(unseen, 0);
    arena_free(&g.arena);
    make(&g, 960, 4);
    CHECK(count_work(&g, &unseen) <= 32 * (uint64_t)g.mesh.vertex_count);
    CHECK(unseen > 0 && unseen < g.mesh.index_count / 3 * 6 / 10);
    arena_free(&g.arena);
}

/* The densest range has the most triangles of the part among all ranges of its
 * size. */
static void the_densest_range_is_found(void)
{
    static const uint32_t vertex_count = 8;
    uint32_t indices[3 * 400];
    struct test_random random = {3};

    for (uint32_t round = 0; round < 50; round++) {
        struct triangle_range ranges[2];

        for (uint32_t i = 0; i < 3 * 400; i++)
            indices[i] = test_random_below(&random, 10) == 0
                             ? test_random_below(&random, 4)
                             : 4 + test_random_below(&random, 4);
        lift_triangles_ranges(indices, 3 * 400, vertex_count, 2, ranges);
        for (uint32_t p = 0; p < 2; p++) {
            const uint32_t most = triangle_range_max(4);
            uint32_t inside[400];
            uint32_t best = 0;
            uint32_t found = 0;

            for (uint32_t t = 0; t < 400; t++)
                inside[t] = indices[3 * t] / 4 == p &&
                            indices[3 * t + 1] / 4 == p &&
                            indices[3 * t + 2] / 4 == p;
            for (uint32_t first = 0; first + most <= 400; first++) {
                uint32_t sum = 0;

                for (uint32_t t = 0; t < most; t++)
                    sum += inside[first + t];
                best = sum > best ? sum : best;
            }
            for (uint32_t t = 0; t < ranges[p].count; t++)
                found += inside[ranges[p].first + t];
            test_context("round %u, part %u", round, p);
            CHECK(ranges[p].count <= most);
            CHECK_EQ_U(found, best);
        }
    }
}

TEST_MAIN(TEST(triangles_are_the_same_of_each_material),
          TEST(vertices_are_numbered_by_first_use),
          TEST(work_is_in_proportion_to_vertices),
          TEST(materials_that_scatter_parts_have_bounded_work),
          TEST(the_densest_range_is_found))
