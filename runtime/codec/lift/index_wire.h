/* index_wire.h - a run of triangles' indices as bytes.
 *
 * Coded like shapes (codec/lift/lift_wire.h), by the same numbers and chances.
 * A triangle goes on from one of the INDEX_WIRE_RECENT edges that came last,
 * seen from the other side, or has three vertices of its own. A vertex is the
 * next one that no triangle had yet, one of those that came last, or is told by
 * its distance to the last one that had to be told.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_INDEX_WIRE_H
#define SPN_CODEC_LIFT_INDEX_WIRE_H

#include "codec/lift/lift_wire.h"

#define INDEX_WIRE_RECENT_BITS 4u
#define INDEX_WIRE_RECENT (1u << INDEX_WIRE_RECENT_BITS)
/* A vertex told so little before the next new one is followed by new ones. */
#define INDEX_WIRE_LEAP 64u
#define INDEX_WIRE_NO_EDGE INDEX_WIRE_RECENT

/* How a vertex is told, given by what edge the triangle came and how the vertex
 * before was told. */
struct wire_vertex {
    struct chance is_new;
    struct chance is_recent;
    struct chance recent[INDEX_WIRE_RECENT];
};

struct wire_indices {
    uint32_t limit; /* indices are below it */
    uint32_t next;
    uint32_t told;
    uint32_t last_edge;
    uint32_t last_turn;
    uint32_t last_way;
    /* the last first; edges as their triangle has them */
    uint32_t edges[INDEX_WIRE_RECENT][2];
    uint32_t vertices[INDEX_WIRE_RECENT];
    struct chance has_edge[INDEX_WIRE_RECENT + 1];
    struct chance edge[INDEX_WIRE_RECENT + 1][INDEX_WIRE_RECENT];
    struct chance turn[3][4];
    struct wire_vertex vertex[INDEX_WIRE_RECENT + 1][3];
    struct wire_number distance[3];
};

/* Before either direction. `index_bytes`: 2 or 4. */
void spn__wire_indices_begin(struct wire_indices *work, uint32_t index_bytes);

/* Read `count` indices, whole triangles, to `out`. */
SPN_NODISCARD spn_status spn__index_wire_read(const uint8_t *bytes,
                                              size_t bytes_count,
                                              uint32_t index_bytes,
                                              uint32_t count, void *out,
                                              struct wire_indices *work,
                                              struct spn_fault *fault);

#endif
