/* cache_box.h - the boxes of meshes, in mesh space.
 *
 * The directory of a frame ends with a box for each part whose positions are
 * animated. Its ends are quantized positions without their lowest box_shift
 * bits, rounded outward: a box contains every vertex of its part as the fill
 * (fill/fill.h) shows it at the time of the frame. The box of a mesh is the
 * union of those of its parts. If positions are static, the box is the range of
 * the positions, in all frames.
 *
 * The functions keep no state: any thread may call them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_BOX_H
#define SPN_CACHE_CACHE_BOX_H

#include "cache/cache_tables.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_BOX_SHIFT_MAX 15u

/* Positions as they are stored, both ends included. */
struct cache_box {
    uint32_t least[3];
    uint32_t most[3];
};

/* True if each frame has boxes of the parts of the mesh. */
static inline bool cache_mesh_has_boxes(const struct cache_mesh *mesh)
{
    return (mesh->animated_mask & CHANNEL_BIT(CHANNEL_POSITION)) != 0;
}

/* Bits of one end of a box on one axis. 0: the box covers the whole axis. */
static inline uint32_t cache_box_axis_bits(const struct cache_mesh *mesh,
                                           uint32_t axis)
{
    const uint32_t bits = mesh->range[CHANNEL_POSITION].bits[axis];

    return bits > mesh->box_shift ? bits - mesh->box_shift : 0;
}

/* Bits of the box of each part of the mesh; 0: it has no boxes. */
uint32_t spn__cache_box_bits(const struct cache_mesh *mesh);

/* Validate the boxes at the end of a directory: no end is below the other, and
 * the bits that fill up the last byte are 0. */
SPN_NODISCARD spn_status spn__cache_boxes_validate(
    const struct cache_header *header, const struct cache_tables *tables,
    const uint8_t *directory, struct spn_fault *fault);

/* The box of one part.
 *
 * directory  of the frame, validated. It is not read if positions are static */
void spn__cache_part_box(const struct cache_header *header,
                         const struct cache_tables *tables,
                         const uint8_t *directory, uint32_t part,
                         struct cache_box *box);
/* The box of a mesh as floats, in the units of the mesh. `directory` as above.
 */
void spn__cache_mesh_box(const struct cache_header *header,
                         const struct cache_tables *tables,
                         const uint8_t *directory, uint32_t mesh, float min[3],
                         float max[3]);
/* Convert a box of a part to floats. */
void spn__cache_box_floats(const struct cache_mesh *mesh,
                           const struct cache_box *box, float min[3],
                           float max[3]);

#endif
