/* adjacency.c - lists both directions of all edges, then sorts each list. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/adjacency.h"

#include "common/compare.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Sort each list and remove repetitions. */
static void close_rows(struct adjacency *g)
{
    uint32_t at = 0;

    for (uint32_t v = 0; v < g->count; v++) {
        const uint32_t first = g->first[v];
        const uint32_t limit = g->first[v + 1];
        uint32_t last = NONE;

        qsort(g->next + first, limit - first, sizeof *g->next,
              compare_u32_items);
        g->first[v] = at;
        for (uint32_t i = first; i < limit; i++) {
            if (g->next[i] == last || g->next[i] == v)
                continue;
            last = g->next[i];
            g->next[at++] = last;
        }
    }
    g->first[g->count] = at;
}

struct adjacency adjacency_make(const struct adjacency_edges *edges,
                                uint32_t vertex_count, struct arena *arena)
{
    struct adjacency g = {.count = vertex_count};
    uint32_t *at = ARENA_NEW(arena, uint32_t, vertex_count + 1);

    g.first = ARENA_NEW(arena, uint32_t, vertex_count + 1);
    g.next = ARENA_NEW(arena, uint32_t, 2 * (size_t)edges->count);
    for (uint32_t i = 0; i < edges->count; i++) {
        g.first[edges->pair[i][0] + 1]++;
        g.first[edges->pair[i][1] + 1]++;
    }
    for (uint32_t v = 0; v < vertex_count; v++)
        g.first[v + 1] += g.first[v];
    memcpy(at, g.first, (vertex_count + 1) * sizeof *at);
    for (uint32_t i = 0; i < edges->count; i++) {
        g.next[at[edges->pair[i][0]]++] = edges->pair[i][1];
        g.next[at[edges->pair[i][1]]++] = edges->pair[i][0];
    }
    close_rows(&g);
    return g;
}
