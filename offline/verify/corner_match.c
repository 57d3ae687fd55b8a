/* corner_match.c - a hash table of grid cells over positions. */
/* SPDX-License-Identifier: MIT */
#include "verify/corner_match.h"

#include "common/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than 2 * MATCH_REACH, so that a search touches at most 8 cells. */
#define CELL_EDGE 8.0

struct grid {
    uint32_t mask;
    uint32_t *head; /* per bucket: corner + 1 */
    uint32_t *next; /* per corner: corner + 1 */
};

static uint32_t bucket_of(const struct grid *grid, const int64_t cell[3])
{
    uint64_t hash = 0;

    for (int i = 0; i < 3; i++) {
        hash ^= (uint64_t)cell[i];
        hash *= 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16) & grid->mask;
}

static int64_t cell_of(double value)
{
    double cell = floor(value / CELL_EDGE);

    /* NaN and infinities share one cell. */
    if (!(cell > -1e15 && cell < 1e15))
        return INT64_MIN;
    return (int64_t)cell;
}

static void cell_of_row(const double *row, int64_t cell[3])
{
    for (int i = 0; i < 3; i++)
        cell[i] = cell_of(row[i]);
}

static void grid_make(struct grid *grid, const struct match_side *corners,
                      uint32_t dimension, struct arena *arena)
{
    uint32_t buckets = 16;

    while (buckets < corners->count && buckets < (1u << 30))
        buckets *= 2;
    grid->mask = buckets - 1;
    grid->head = ARENA_NEW(arena, uint32_t, buckets);
    grid->next = ARENA_NEW(arena, uint32_t, corners->count);
    /* Backwards, so that each chain has ascending corners. */
    for (uint32_t i = corners->count; i-- > 0;) {
        int64_t cell[3];
        uint32_t bucket;

        cell_of_row(corners->rows + (size_t)i * dimension, cell);
        bucket = bucket_of(grid, cell);
        grid->next[i] = grid->head[bucket];
        grid->head[bucket] = i + 1;
    }
}

double match_cost(const double *a, const double *b, uint32_t dimension)
{
    double cost = 0;

    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) <= MATCH_REACH))
            return INFINITY;
    for (uint32_t i = 0; i < dimension; i++)
        cost += (a[i] - b[i]) * (a[i] - b[i]);
    return cost;
}

/* -- the nearest corners -- */

struct near {
    uint32_t count;
    uint32_t corner[MATCH_NEAR_MAX];
    double cost[MATCH_NEAR_MAX]; /* ascending */
};

static void near_add(struct near *near, uint32_t corner, double cost)
{
    uint32_t at = near->count;

    if (near->count == MATCH_NEAR_MAX) {
        if (cost >= near->cost[MATCH_NEAR_MAX - 1])
            return;
        at--;
    } else {
        near->count++;
    }
    for (; at > 0 && near->cost[at - 1] > cost; at--) {
        near->cost[at] = near->cost[at - 1];
        near->corner[at] = near->corner[at - 1];
    }
    near->cost[at] = cost;
    near->corner[at] = corner;
}

static void find_near(const struct grid *grid, const struct match_side *corners,
                      const double *vertex, uint32_t dimension,
                      struct near *near)
{
    int64_t low[3];
    int64_t high[3];
    int64_t cell[3];

    near->count = 0;
    for (int i = 0; i < 3; i++) {
        low[i] = cell_of(vertex[i] - MATCH_REACH);
        high[i] = cell_of(vertex[i] + MATCH_REACH);
    }
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
                uint32_t at = grid->head[bucket_of(grid, cell)];

                for (; at != 0; at = grid->next[at - 1]) {
                    const double *row =
                        corners->rows + (size_t)(at - 1) * dimension;
                    int64_t own[3];
                    double cost;

                    /* Several cells may share the bucket. */
                    cell_of_row(row, own);
                    if (memcmp(own, cell, sizeof own) != 0)
                        continue;
                    cost = match_cost(row, vertex, dimension);
                    if (cost < INFINITY)
                        near_add(near, at - 1, cost);
                }
            }
}

void match_near(const struct match_side *corners,
                const struct match_side *vertices, uint32_t dimension,
                struct arena *arena, struct match_lists *lists)
{
    struct near *near = ARENA_NEW(arena, struct near, 1);
    uint32_t **found = ARENA_NEW(arena, uint32_t *, vertices->count);
    struct grid grid;

    grid_make(&grid, corners, dimension, arena);
    lists->first = ARENA_NEW(arena, uint32_t, (size_t)vertices->count + 1);
    for (uint32_t v = 0; v < vertices->count; v++) {
        find_near(&grid, corners, vertices->rows + (size_t)v * dimension,
                  dimension, near);
        qsort(near->corner, near->count, sizeof *near->corner,
              compare_u32_items);
        found[v] = ARENA_NEW(arena, uint32_t, near->count);
        memcpy(found[v], near->corner, near->count * sizeof *found[v]);
        lists->first[v + 1] = lists->first[v] + near->count;
    }
    lists->list = ARENA_NEW(arena, uint32_t, lists->first[vertices->count]);
    for (uint32_t v = 0; v < vertices->count; v++)
        memcpy(lists->list + lists->first[v], found[v],
               (lists->first[v + 1] - lists->first[v]) * sizeof *found[v]);
}
