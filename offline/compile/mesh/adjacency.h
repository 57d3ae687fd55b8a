/* adjacency.h - lists the neighbours of each vertex of a mesh.
 *
 * Two vertices are neighbours if an edge joins them. Built once from a list of
 * edges; read-only afterwards.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_ADJACENCY_H
#define OFFLINE_COMPILE_MESH_ADJACENCY_H

#include "common/arena.h"

#include <stdint.h>

/* The neighbours of vertex v are next[first[v]] .. next[first[v + 1] - 1], in
 * ascending order. Each is listed once; v is not listed. */
struct adjacency {
    uint32_t count; /* vertices */
    uint32_t *first;
    uint32_t *next;
};

/* Edges in any order and direction. An edge may be listed several times, and
 * may join a vertex with itself. */
struct adjacency_edges {
    uint32_t count;
    uint32_t (*pair)[2]; /* the two vertices of each edge */
};

/* Build the lists. They belong to `arena`. */
struct adjacency adjacency_make(const struct adjacency_edges *edges,
                                uint32_t vertex_count, struct arena *arena);

#endif
