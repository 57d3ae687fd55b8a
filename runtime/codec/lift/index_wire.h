/* index_wire.h - reads triangle indices of lifted meshes from a file.
 *
 * An index is the number of a vertex. A run of triangles is a sequence of
 * numbers (number_model.h), coded by an adaptive range coder
 * (base/range_coder.h). The runtime reads a run in a job when it opens a cache.
 * index_model.h has the order of the numbers; it is compiled once to read and
 * once to write, so both always agree.
 *
 * Reader and writer keep two lists: the last INDEX_WIRE_RECENT edges and the
 * last INDEX_WIRE_RECENT vertices, the most recent first.
 *
 *   triangle  either shares an edge of the list, and codes one vertex, or
 *             codes three vertices
 *   vertex    is new: its number follows that of the last new vertex; or it is
 *             a vertex of the list; or it is explicit: coded as the difference
 *             to the last explicit vertex
 *
 * Indices are checked only against the range of their type. The caller checks
 * them against the number of vertices of the mesh.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_INDEX_WIRE_H
#define SPN_CODEC_LIFT_INDEX_WIRE_H

#include "codec/lift/number_model.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_WIRE_RECENT 16u
/* If an explicit vertex is less than this above the next new number, new
 * numbers continue after it. */
#define INDEX_WIRE_LEAP 64u
#define INDEX_WIRE_NO_EDGE INDEX_WIRE_RECENT

/* The models. The fields last_... of struct wire_indices are their indices. */
struct wire_index_models {
    struct number_model first;                       /* the first new vertex */
    struct number_model edge[INDEX_WIRE_RECENT + 1]; /* index: last_edge */
    struct number_model side[3];                     /* index: last_side */
    /* Index: 1 if the triangle shares no edge, else 0; then last_kind. */
    struct number_model vertex[2][3];
    struct number_model distance; /* of explicit vertices */
};

/* Workspace: indices that are being read or written. It belongs to the caller.
 */
struct wire_indices {
    uint32_t limit;         /* all indices are below it */
    uint32_t next;          /* the number of the next new vertex */
    uint32_t last_explicit; /* the last explicit vertex */
    /* Place in the list of the edge that the last triangle shared;
     * INDEX_WIRE_NO_EDGE: it shared none. */
    uint32_t last_edge;
    uint32_t last_side; /* which of its sides that edge was, 0..2 */
    uint32_t last_kind; /* of the last vertex: 0 new, 1 of the list, 2 explicit
                         */
    /* The lists. An edge goes from [0] to [1], in the direction of its
     * triangle. */
    uint32_t edges[INDEX_WIRE_RECENT][2];
    uint32_t vertices[INDEX_WIRE_RECENT];
    struct wire_index_models models;
};

/* Reset the workspace. Call it before reading or writing. index_bytes: bytes of
 * an index, 2 or 4. */
void spn__wire_indices_begin(struct wire_indices *work, uint32_t index_bytes);

/* Read `count` indices, three for each triangle. They are written to `out` with
 * index_bytes bytes each, in native byte order. SPN_ERR_FORMAT with a fault:
 * the bytes are damaged, and `out` holds anything. */
SPN_NODISCARD spn_status spn__index_wire_read(const uint8_t *bytes,
                                              size_t bytes_count,
                                              uint32_t index_bytes,
                                              uint32_t count, void *out,
                                              struct wire_indices *work,
                                              struct spn_fault *fault);

#endif
