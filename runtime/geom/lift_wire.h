/* lift_wire.h - the shape of a tile as bytes.
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
 * Rings are three more, the latter two cut into runs of whole slots:
 *   rings       u16 scale of each axis, then a byte a block: its slots
 *   neighbours  of each slot eight, for the vertices of the block: the vertex
 *               minus the same of the slot before (0 before the run), zigzag,
 *               modulo 2^16; first the low bytes of the run, then the high ones
 *   weights     of each slot eight sectors' weights; behind those of the run
 *               as many of the neighbours'
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_LIFT_WIRE_H
#define SPN_GEOM_LIFT_WIRE_H

#include "geom/lift.h"

#define LIFT_WIRE_LAYER_BYTES 3u
#define LIFT_WIRE_REFERENCE_BYTES 8u /* a vertex */
#define LIFT_WIRE_WEIGHT_BYTES 3u    /* a vertex */
#define LIFT_WIRE_ROOT (-128)
#define LIFT_WIRE_SCALE_BYTES 6u
#define LIFT_WIRE_SLOT_BYTES (2u * RINGS_LANES) /* of either */

struct lift_wire {
    const uint8_t *layers;
    size_t layers_bytes;
    const uint8_t *references;
    size_t references_bytes;
    const uint8_t *weights;
    size_t weights_bytes;
};

/* Bytes of each array of a shape, with its padding. */
size_t spn__lift_layers_bytes(uint32_t layer_count);
size_t spn__lift_references_bytes(uint32_t vertex_count);
size_t spn__lift_weights_bytes(uint32_t vertex_count);

/* From bytes to an array, whole and with its padding. What comes out is judged
 * when the shape is whole; only what no array could hold is refused here. */
SPN_NODISCARD spn_status spn__lift_wire_layers(const uint8_t *wire,
                                               uint32_t layer_count,
                                               uint32_t vertex_count,
                                               struct lift_layer *layers,
                                               struct spn_fault *fault);
void spn__lift_wire_references(const uint8_t *wire, uint32_t vertex_count,
                               uint16_t *references);
SPN_NODISCARD spn_status spn__lift_wire_weights(const uint8_t *wire,
                                                uint32_t vertex_count,
                                                int8_t *weights,
                                                struct spn_fault *fault);

/* The same of rings. `first` has one entry more than blocks. Refused are slots
 * that do not add up to `slot_count`. */
SPN_NODISCARD spn_status spn__lift_wire_rings(
    const uint8_t *wire, uint32_t vertex_count, uint32_t slot_count,
    uint32_t *first, uint16_t scale[3], struct spn_fault *fault);
/* Of `slots` slots. */
void spn__lift_wire_neighbours(const uint8_t *wire, uint32_t slots,
                               uint16_t *neighbours);

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
