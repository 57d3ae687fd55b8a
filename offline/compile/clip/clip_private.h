/* clip_private.h - what clip.c and clip_frame.c share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_PRIVATE_H
#define OFFLINE_COMPILE_CLIP_CLIP_PRIVATE_H

#include "compile/clip/clip.h"
#include "compile/scene/scene_import.h"

struct clip_private {
    struct arena arena; /* the clip itself, too */
    struct abc_archive *archive;
    struct compile_options options;
    struct scene_import import;
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

/* How a mesh gets into the world, over all its nodes and frames. */
struct mesh_world {
    double scale[3]; /* largest length of its axes */
    double stretch;  /* matrix_stretch, the largest; 0: it is below
                      * MESH_STRETCH_MIN in all of them */
    uint32_t node;   /* the first with that, in its first frame */
    uint32_t frame;
};
/* Below it directions are stretched by 2.5 at most against others: what is off
 * by 0.2 degrees in the mesh is by no more than 0.5 in the world. */
#define MESH_STRETCH_MIN 3.9

/* Look at all nodes in all frames: refuse what is not finite, find out how
 * meshes get into the world (zeros before), mark nodes whose visibility
 * changes, and see what single precision makes of worlds. */
struct worlds;
bool clip_validate_nodes(struct clip *clip, struct mesh_world *meshes,
                         struct worlds *worlds);

/* Quantize one channel of a mesh. `fill` has what the channel needs. `error`
 * is set where the options ask for statistics. */
void *clip_pack_channel(const struct clip *clip, const struct clip_mesh *mesh,
                        enum channel channel, const struct shape_frame *fill,
                        struct arena *arena, struct measure *error);

/* Choose the signs of a mesh's QTangents: close to `before`, or where it is
 * NULL close to those of `lead`, an earlier neighbour of each vertex. */
void clip_turn_signs(int16_t *qtangents, const int16_t *before,
                     const uint32_t *lead, uint32_t vertex_count);

#endif
