/* adjacency.h - which vertices are joined by edges. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_ADJACENCY_H
#define OFFLINE_COMPILE_MESH_ADJACENCY_H

#include "common/arena.h"

#include <stdint.h>

/* Neighbours of vertex v: next[first[v]] up to next[first[v + 1]], rising,
 * each once and never v itself. */
struct adjacency {
    uint32_t count;
    uint32_t *first;
    uint32_t *next;
};

/* Edges in any order and direction, any number of times. */
struct adjacency_edges {
    uint32_t count;
    uint32_t (*pair)[2];
};

struct adjacency adjacency_make(const struct adjacency_edges *edges,
                                uint32_t vertex_count, struct arena *arena);

#endif
