/* lift_wire.h - the shape of a tile as bytes. No cache holds one yet: what
 * follows is the layout that encoder and decoder here share, and how it fits
 * the file's blocks.
 *
 * Three runs of bytes, each at most 64 KiB for 8192 vertices and made to be
 * compressed by the file's block codec:
 *   layers      3 bytes a layer: u16 vertices, u8 level
 *   references  for j = 0..3, of each vertex: r_j minus that of the vertex
 *               before (0 before the first), zigzag, modulo 2^16; first the
 *               low bytes of all, then the high ones. References of a vertex
 *               rise: that makes the differences small
 *   weights     for j = 0..2, of each vertex: W_j as a byte, W_3 being what is
 *               missing to 64; W_0 = -128: a root, all four are 0
 *
 * How it is meant to join one. A tile with this coding has these three blobs in
 * place of predictor entries; each channel of a mesh one blob of tables
 * (TRIPLES_WIRE_BYTES, expanded once, shared by its tiles); where QTangents go
 * by positions the rings' weights, a byte a used slot, while the rings follow
 * from the indices. A channel block's bytes are a payload of lift.h, stored raw
 * under a coding of its own, behind the checksum that blocks have; the read
 * buffer ends with TRIPLES_PADDING more. A group of frames is one index frame
 * and the frames between it and the one before, which is the lead of the
 * group: frames list 0 or 2..4 references, their waits are 1 + the references
 * used, and their dependents a mask of the group's frames, the same for every
 * group of its length. QTangents by positions wait for the block of positions
 * of the same tile, so both are one job.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_LIFT_WIRE_H
#define SPN_GEOM_LIFT_WIRE_H

#include "geom/lift.h"

#define LIFT_WIRE_LAYER_BYTES 3u
#define LIFT_WIRE_REFERENCE_BYTES 8u /* a vertex */
#define LIFT_WIRE_WEIGHT_BYTES 3u    /* a vertex */
#define LIFT_WIRE_ROOT (-128)

struct lift_wire {
    const uint8_t *layers;
    size_t layers_bytes;
    const uint8_t *references;
    size_t references_bytes;
    const uint8_t *weights;
    size_t weights_bytes;
};

/* Memory for the arrays of a shape with so many layers. */
size_t spn__lift_wire_memory(uint32_t vertex_count, uint32_t layer_count);

/* Read and judge a shape into `memory`, aligned to 8. SPN_ERR_MEMORY where it
 * is too small. Everything that is read once fits spn__lift_judge. */
SPN_NODISCARD spn_status spn__lift_wire_read(const struct lift_wire *wire,
                                             uint32_t vertex_count,
                                             void *memory, size_t memory_bytes,
                                             struct lift_shape *out,
                                             struct spn_fault *fault);

#endif
