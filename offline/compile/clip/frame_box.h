/* frame_box.h - the box of a frame in the world: around all that fills give.
 *
 * A fill gives quantized positions, and the runtime multiplies matrices in
 * single precision; so that is what boxes are made of, not the archive's
 * numbers. They are wider by what rounding between two frames, and in the
 * caller's own product of matrix and position, can cost.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_FRAME_BOX_H
#define OFFLINE_COMPILE_CLIP_FRAME_BOX_H

#include "compile/clip/clip.h"

/* Where the runtime puts a node. */
struct frame_place {
    float matrix[12];     /* as spn_node_get_transforms gives it */
    double magnitude[12]; /* the same product of absolute values: what roundings
                           * on the way are relative to */
    uint32_t depth;       /* nodes on the way */
};
/* `parent` NULL: a root. */
void frame_place_make(const struct transform *transform,
                      const struct frame_place *parent,
                      struct frame_place *out);

struct frame_box {
    bool is_empty;
    double min[3];
    double max[3];
};
void frame_box_begin(struct frame_box *box);
void frame_box_grow(struct frame_box *box, const double p[3]);
void frame_box_join(struct frame_box *box, const struct frame_box *more);
/* Quantized positions of all vertices; NULL: whatever the mesh has in any
 * frame. */
void frame_box_add(struct frame_box *box, const struct frame_place *place,
                   const struct clip_mesh *mesh, const uint16_t *positions);
/* Outward to single precision; empty: min > max. */
void frame_box_store(const struct frame_box *box, float min[3], float max[3]);

#endif
