/* clip_private.h - what clip.c and clip_frame.c share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_PRIVATE_H
#define OFFLINE_COMPILE_CLIP_PRIVATE_H

#include "compile/clip.h"
#include "compile/gather.h"

struct clip_private {
    struct arena arena; /* the clip itself, too */
    struct abc_archive *archive;
    struct compile_options options;
    struct gather gather;
    struct timeline timeline;
    struct scene scene;
    struct scene_locals locals;
    struct warnings warnings;
    double root[16]; /* turns the scene, --up */
};

/* Matrices of all nodes at a time, in memory of the caller's: under their
 * parents and in the world. */
struct node_matrices {
    double local[16];
    double world[16];
};
bool clip_node_matrices(const struct clip *clip, double time,
                        struct node_matrices *out);

/* Look at all nodes in all frames: refuse what is not finite, find the largest
 * length of each mesh's axes in the world (`scales`, three a mesh, zero
 * before), mark nodes whose visibility changes, and see what single precision
 * makes of worlds. */
struct worlds;
bool clip_judge_nodes(struct clip *clip, double *scales, struct worlds *worlds);

/* Quantize one channel of a mesh. `fill` has what the channel needs. `error`
 * is set where the options ask for details. */
void *clip_pack_channel(const struct clip *clip, const struct clip_mesh *mesh,
                        enum channel channel, const struct shape_frame *fill,
                        struct arena *arena, struct measure *error);

/* Choose the signs of a mesh's QTangents: close to `before`, or where it is
 * NULL close to those of `lead`, an earlier neighbour of each vertex. */
void clip_turn_signs(int16_t *qtangents, const int16_t *before,
                     const uint32_t *lead, uint32_t vertex_count);

#endif
