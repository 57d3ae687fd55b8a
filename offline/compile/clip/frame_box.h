/* frame_box.h - the bounding box of a frame in the world.
 *
 * The box contains every position that the runtime can show for the frame:
 * decoded positions times world matrices in single precision. A margin covers
 * the rounding of interpolation between two frames, and of the product of
 * matrix and position that the game computes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_FRAME_BOX_H
#define OFFLINE_COMPILE_CLIP_FRAME_BOX_H

#include "compile/clip/clip.h"

/* The world matrix of a node as the runtime computes it. */
struct node_world {
    float matrix[12];     /* 3 x 4, as spn_node_get_transforms returns it */
    double magnitude[12]; /* the same product of absolute values; rounding
                           * errors are proportional to it */
    uint32_t depth;       /* matrices in the product; a root has 1 */
};

/* Compute it from the local transform and the parent's world matrix; `parent`
 * NULL: a root. */
void node_world_compute(const struct transform *transform,
                        const struct node_world *parent,
                        struct node_world *out);

/* A box; min and max are valid unless is_empty. */
struct frame_box {
    bool is_empty;
    double min[3];
    double max[3];
};

void frame_box_init(struct frame_box *box); /* empty */
/* Extend the box to a point, or to another box. */
void frame_box_add_point(struct frame_box *box, const double p[3]);
void frame_box_merge(struct frame_box *box, const struct frame_box *more);

/* Extend the box to all vertices of a mesh in the world, with the margin.
 * `positions` are quantized; NULL: to the box of the mesh over all frames. */
void frame_box_add_mesh(struct frame_box *box, const struct node_world *world,
                        const struct clip_mesh *mesh,
                        const uint16_t *positions);

/* Store the box in single precision, rounded outward. An empty box has min >
 * max. */
void frame_box_store(const struct frame_box *box, float min[3], float max[3]);

#endif
