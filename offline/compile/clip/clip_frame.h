/* clip_frame.h - the steps of producing a frame, for the files of compile/clip.
 *
 * Input: an open clip. All functions only read it and may be called from any
 * thread. clip.h declares the functions for other folders.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_FRAME_H
#define OFFLINE_COMPILE_CLIP_CLIP_FRAME_H

#include "compile/clip/clip_state.h"

/* Matrices of a node at a time (math/tns.h). */
struct node_matrices {
    double local[16]; /* relative to its parent node */
    double world[16]; /* in scene units, after --up */
};

/* Fill out[0 .. node_count). Returns false after a refusal. */
bool clip_node_matrices(const struct clip *clip, double time,
                        struct node_matrices *out);

/* Quantize one channel of a mesh. `values` has the channel's values. Fills
 * `error` if the options request statistics. Returns the quantized values, in
 * memory of the arena. */
void *clip_pack_channel(const struct clip *clip, const struct clip_mesh *mesh,
                        enum channel channel, const struct shape_frame *values,
                        struct arena *arena, struct error_stats *error);

/* Of q and -q, which are the same rotation, keep for each vertex the one closer
 * to its QTangent in `before`, the frame before. `before` NULL: closer to that
 * of the vertex neighbour[v] <= v of the same frame. */
void clip_align_signs(int16_t *qtangents, const int16_t *before,
                      const uint32_t *neighbour, uint32_t vertex_count);

#endif
