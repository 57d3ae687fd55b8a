/* match.c - nearest rows through a hashed grid over the first three numbers. */
/* SPDX-License-Identifier: MIT */
#include "verify/match.h"

#include <math.h>

/* More than twice the reach: a corner's neighbourhood is 8 cells at most. */
#define CELL_EDGE 8.0

struct grid {
    uint32_t mask;
    uint32_t *head; /* per bucket: vertex + 1 */
    uint32_t *next; /* per vertex: vertex + 1 */
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

    /* What is not finite lies in a cell of its own. */
    if (!(cell > -1e15 && cell < 1e15))
        return INT64_MIN;
    return (int64_t)cell;
}

static void grid_make(struct grid *grid, const struct match_side *vertices,
                      uint32_t dimension, struct arena *arena)
{
    uint32_t buckets = 16;

    while (buckets < vertices->count && buckets < (1u << 30))
        buckets *= 2;
    grid->mask = buckets - 1;
    grid->head = ARENA_NEW(arena, uint32_t, buckets);
    grid->next = ARENA_NEW(arena, uint32_t, vertices->count);
    /* From the back, so that chains rise. */
    for (uint32_t i = vertices->count; i-- > 0;) {
        const double *row = vertices->rows + (size_t)i * dimension;
        int64_t cell[3] = {cell_of(row[0]), cell_of(row[1]), cell_of(row[2])};
        uint32_t bucket = bucket_of(grid, cell);

        grid->next[i] = grid->head[bucket];
        grid->head[bucket] = i + 1;
    }
}

struct best {
    uint32_t vertex;
    double cost;
};

static void try_vertex(const double *corner, const double *vertex,
                       uint32_t number, uint32_t dimension, struct best *best)
{
    double cost = 0;

    for (uint32_t i = 0; i < dimension; i++) {
        double difference = corner[i] - vertex[i];

        if (i < 3 && !(fabs(difference) <= MATCH_REACH))
            return;
        cost += difference * difference;
        if (cost > best->cost)
            return;
    }
    if (cost < best->cost || (cost == best->cost && number < best->vertex)) {
        best->cost = cost;
        best->vertex = number;
    }
}

static uint32_t nearest(const struct grid *grid, const double *corner,
                        const struct match_side *vertices, uint32_t dimension)
{
    struct best best = {MATCH_NONE, INFINITY};
    int64_t low[3];
    int64_t high[3];
    int64_t cell[3];

    for (int i = 0; i < 3; i++) {
        low[i] = cell_of(corner[i] - MATCH_REACH);
        high[i] = cell_of(corner[i] + MATCH_REACH);
    }
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
                uint32_t at = grid->head[bucket_of(grid, cell)];

                for (; at != 0; at = grid->next[at - 1])
                    try_vertex(corner,
                               vertices->rows + (size_t)(at - 1) * dimension,
                               at - 1, dimension, &best);
            }
    return best.vertex;
}

void match_nearest(const struct match_side *corners,
                   const struct match_side *vertices, uint32_t dimension,
                   struct arena *arena, uint32_t *match)
{
    struct grid grid;

    grid_make(&grid, vertices, dimension, arena);
    for (uint32_t i = 0; i < corners->count; i++)
        match[i] = nearest(&grid, corners->rows + (size_t)i * dimension,
                           vertices, dimension);
}
