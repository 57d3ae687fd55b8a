/* lift.h - decodes vertex data that the lifting codec has compressed.
 *
 * The lifting codec predicts each vertex from coarser vertices of the same mesh
 * and from the same vertex in other frames. It stores the prediction errors.
 * One call decodes one payload: one channel (channel.h) of one tile in one
 * frame. A lifted tile is one part of a mesh. A part of a cache has at most
 * 8,192 vertices; the codec itself allows LIFT_VERTICES_MAX (65,536).
 *
 * A payload is a head (lift_head.h), which says how the vertices are predicted,
 * followed by the coded prediction errors (residual_coder.h). LIFTING.md in
 * this folder specifies the arithmetic; a caller does not need it.
 *
 * How to use it:
 *
 *   1. Fill a struct lift_ops by spn__lift_ops_init() once (lift_kernels.h).
 *   2. Fill a struct lift_input for each payload, and call spn__lift_decode().
 *
 * The runtime does this from jobs on any thread (cache/decoder.c), the tool to
 * verify what it has encoded. A call keeps no state: it reads its input, and
 * writes only its workspace and its output.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_H
#define SPN_CODEC_LIFT_LIFT_H

#include "codec/channel.h"
#include "codec/lift/lift_head.h"
#include "codec/lift/lift_hierarchy.h"
#include "codec/lift/one_ring.h"
#include "codec/lift/residual_coder.h"

struct lift_ops; /* the table of kernels (lift_kernels.h) */

/* The input of a call, besides the payload. Everything belongs to the caller,
 * and does not change during the call. */
struct lift_input {
    enum channel channel;
    const struct lift_hierarchy *hierarchy; /* of the tile; validated */
    const struct residual_tables *tables;   /* Huffman tables of the channel */
    /* The reference frames: for each, the decoded values of the same tile and
     * channel, laid out as the output. The order is that of
     * cache_frame.reference, the list in which the file stores them
     * (cache/cache_frame_table.h). */
    const void *from[LIFT_FRAMES_MAX];
    uint32_t from_count; /* 0..LIFT_FRAMES_MAX */
    /* Only for QTangents that may be predicted from the positions of the same
     * frame (one_ring.h); otherwise NULL. */
    const struct one_rings *rings; /* of the tile's vertices */
    const uint16_t *positions;     /* decoded; same tile and frame */
    const uint16_t *uvs;           /* likewise; only if rings->by_uvs */
};

/* Bytes of workspace for tiles of up to `vertex_count` vertices. 8192 vertices
 * need 211 KiB. The workspace holds 16-bit numbers. For each vertex 13:
 * four of E, four of X or of guesses, four of R or of unpacked positions, and
 * one of the fourth component of E (LIFTING.md). Then one chunk of
 * LIFT_CHUNK_VERTICES vertices for each reference frame. The chunks serve
 * colours, whose reference frames are bytes: they are widened to 16 bits chunk
 * by chunk. */
#define LIFT_CHUNK_VERTICES 48u
#define LIFT_PADDED_VERTICES(vertex_count)                                     \
    (((vertex_count) + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE *                \
         RESIDUAL_STRIPE +                                                     \
     2 * LIFT_PADDING)
#define LIFT_WORKSPACE_BYTES(vertex_count)                                     \
    ((LIFT_PADDED_VERTICES(vertex_count) * 13 +                                \
      LIFT_FRAMES_MAX * 4 * (LIFT_CHUNK_VERTICES + LIFT_PADDING)) *            \
     2)

/* Decode one payload.
 *
 * payload    `bytes` bytes. RESIDUAL_PADDING more bytes after them must be
 *            readable; their values do not matter
 * workspace  LIFT_WORKSPACE_BYTES() of the tile's vertices, aligned to 64; no
 *            other call uses it at the same time
 * values     the output: the quantized values of all vertices of the tile, as
 *            channel.h lays the channel out, in native byte order. Written on
 *            SPN_OK, unchanged otherwise
 *
 * Returns SPN_ERR_FORMAT with a fault if the payload is damaged, or if its head
 * needs reference frames or one-rings that `input` does not have. Returns
 * SPN_ERR_FPU if the channel is QTangents and this thread does not round to
 * nearest (fpu.h). */
SPN_NODISCARD spn_status spn__lift_decode(const struct lift_ops *ops,
                                          const struct lift_input *input,
                                          const uint8_t *payload, size_t bytes,
                                          void *workspace, void *values,
                                          struct spn_fault *fault);

#endif
