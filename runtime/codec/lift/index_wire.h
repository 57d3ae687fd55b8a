/* index_wire.h - reads the indices of triangles from a file.
 *
 * A run of triangles is a stream of the adaptive range coder
 * (base/range_coder.h), made of numbers (number_model.h). The runtime reads it
 * when it opens a cache; index_model.h is compiled once to read and once to
 * write. Both keep lists of the last INDEX_WIRE_RECENT edges and vertices, most
 * recent first.
 *
 *   triangle  shares one of the edges in the list, and codes one vertex; or
 *             shares none, and codes three
 *   vertex    is new: the number after that of the last new one; or is one of
 *             the list; or is explicit: coded by the difference to the last
 *             explicit one
 *
 * Indices are checked only against the range of their type; the caller checks
 * them against the vertices of the mesh.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_INDEX_WIRE_H
#define SPN_CODEC_LIFT_INDEX_WIRE_H

#include "codec/lift/number_model.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_WIRE_RECENT 16u
/* An explicit vertex at most so far after the next new number moves it there.
 */
#define INDEX_WIRE_LEAP 64u
#define INDEX_WIRE_NO_EDGE INDEX_WIRE_RECENT

/* The models of triangles. */
struct wire_index_models {
    struct number_model first;                       /* the first new vertex */
    struct number_model edge[INDEX_WIRE_RECENT + 1]; /* by the last edge */
    struct number_model side[3];                     /* by the last side */
    /* [1]: of a triangle without an edge of the list; by the last kind */
    struct number_model vertex[2][3];
    struct number_model distance;
};

/* Workspace: indices that are being read or written. */
struct wire_indices {
    uint32_t limit;         /* indices are below it */
    uint32_t next;          /* the next new vertex */
    uint32_t last_explicit; /* the last explicit vertex */
    uint32_t last_edge;     /* its place in the list, or INDEX_WIRE_NO_EDGE */
    uint32_t last_side;     /* the side that it was, 0..2 */
    uint32_t last_kind; /* the last vertex was new 0, recent 1, explicit 2 */
    /* most recent first; an edge from [0] to [1], as its triangle has it */
    uint32_t edges[INDEX_WIRE_RECENT][2];
    uint32_t vertices[INDEX_WIRE_RECENT];
    struct wire_index_models models;
};

/* Reset the model before reading or writing. `index_bytes`: 2 or 4. */
void spn__wire_indices_begin(struct wire_indices *work, uint32_t index_bytes);

/* Read `count` indices, three for each triangle, of `index_bytes` bytes each,
 * to `out` in native byte order. SPN_ERR_FORMAT: the bytes are damaged. */
SPN_NODISCARD spn_status spn__index_wire_read(const uint8_t *bytes,
                                              size_t bytes_count,
                                              uint32_t index_bytes,
                                              uint32_t count, void *out,
                                              struct wire_indices *work,
                                              struct spn_fault *fault);

#endif
