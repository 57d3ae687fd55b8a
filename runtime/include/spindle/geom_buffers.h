/* geom_buffers.h - frame buffers: frames straight into vertex buffers.
 *
 * For engines that interpolate in the vertex shader, from two vertex buffers
 * and a fraction. Workers write each frame that will be shown soon to a buffer
 * of the engine, once for all nodes that play the cache, and the caller's
 * thread writes nothing. spn_node_fill can be used at the same time.
 *
 * spn_cache_set_frame_buffers gives a cache two functions of the engine:
 * `acquire` provides the buffer of a frame, `release` takes it back.
 * spn_node_get_frames then returns the two buffers to draw and the fraction
 * between them. geom.h explains the terms, the order of the calls and what all
 * functions have in common.
 *
 *   buffer   the vertices of all meshes of one frame:
 *            spn_cache_info.vertex_count * layout.stride bytes
 *   layout   the same for all meshes, without previous positions
 *            (geom_layout.h)
 *   alpha    0..1, the position between the frames floor and ceil
 *
 * Ownership. Buffers belong to the engine. The runtime has one from `acquire`
 * to `release`; workers write to it and never read from it. The struct with the
 * functions is copied. The functions must be valid until the last buffer is
 * released.
 *
 * Threads. spn_cache_set_frame_buffers belongs to the caller's thread, and both
 * functions of the engine are called on it. Any thread may call
 * spn_cache_frame_buffers_needed and spn_node_get_frames between two updates.
 *
 * Errors. geom.h lists those that are checked first.
 * spn_cache_frame_buffers_needed and spn_node_get_frames need the cache's
 * tables. A buffer that `acquire` cannot provide is no error: the frame is
 * shown without one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_BUFFERS_H
#define SPINDLE_GEOM_BUFFERS_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_layout.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_frame_buffers {
    /* The vertex format of all meshes. previous_position.format must be
     * SPN_FORMAT_NONE. Only velocities of the file are written; meshes without
     * has_velocities get 0. */
    spn_vertex_layout layout;
    /* Provide a buffer for a frame that some node of the cache shows, or will
     * show within 0.1 s at its rate of playback. Its size is
     * spn_cache_info.vertex_count * layout.stride bytes, with any alignment.
     * The vertices of a mesh begin at byte spn_mesh_info.first_vertex *
     * layout.stride. If the function returns NULL, the frame is shown all the
     * same, but not written.
     *
     * Workers write to the buffer until the frame can be shown; they never read
     * from it. They do not write meshes that never change
     * (spn_mesh_info.is_animated is 0; call spn_node_fill once for them),
     * meshes that the frame hides, and damaged parts.
     *
     * cache  the handle of spn_cache_set_frame_buffers
     * frame  its number. A frame has one buffer at a time, whatever the number
     *        of nodes. It is acquired again in another loop, or after a seek */
    void *(*acquire)(void *user, spn_cache cache, uint32_t frame);
    /* Take a buffer back. Called exactly once for each buffer: when no node
     * shows the frame any more, or when all nodes have stopped. No worker
     * writes to the buffer any more, and spn_node_get_frames does not return it
     * any more. */
    void (*release)(void *user, spn_cache cache, uint32_t frame,
                    void *vertices);
    /* First argument of both functions. Both are called in spn_update, and
     * release also in spn_node_stop_streaming, spn_node_destroy and
     * spn_shutdown. They must not call functions that change caches or nodes.
     * They and `user` must be valid until the last buffer is released. This may
     * be in an spn_update after all nodes were destroyed and the cache was
     * closed, because a worker may still write to a buffer. */
    void *user;
} spn_frame_buffers;

#if SPN_WITH_FRAME_BUFFERS

/* Get the number of buffers that are enough for so many nodes of the cache. At
 * most this many buffers of the cache are acquired and not yet released at any
 * time if no more nodes than that play the cache at a time. A node that was
 * stopped or destroyed counts until its reads and jobs have ended. For each
 * node, the number is the sum of
 *
 * - the largest number of frames in 0.1 s of the clip;
 * - 5, for frames that are shown, or were shown before.
 *
 * But it is at most the number of frames of the clip. Nodes that play in step
 * use no more than one node. */
spn_status spn_cache_frame_buffers_needed(const spn_runtime *rt,
                                          spn_cache cache, uint32_t node_count,
                                          uint32_t *out);

/* Set the functions that provide buffers for the frames of a cache, or remove
 * them. They belong to the open cache, whatever the number of its references,
 * until it is freed. The cache may still be opening.
 *
 * buffers  copied; NULL: frames are not written to buffers
 *
 * Returns SPN_ERR_ARG if a function is NULL, if spn_layout_check refuses the
 * layout, or if it has previous positions; SPN_ERR_STATE while a node of the
 * cache streams, or a stream that was stopped has not ended. */
spn_status spn_cache_set_frame_buffers(spn_runtime *rt, spn_cache cache,
                                       const spn_frame_buffers *buffers);

#endif

typedef struct spn_frame_pair {
    /* The buffers of the two frames, as `acquire` returned them, with all
     * meshes. NULL: none was provided, or is_visible is 0. */
    void *floor;
    void *ceil; /* the same as `floor` if alpha is 0 */
    uint32_t floor_frame;
    uint32_t ceil_frame; /* floor_frame if alpha is 0, as when the later frame
                          * hides the mesh */
    float alpha;         /* position between floor (0) and ceil (1) */
    uint32_t is_visible; /* 0: do not draw; no scene node shows the mesh, or the
                          * frame does not have its vertices */
    uint32_t is_late;    /* the wanted frames are not decoded, and others are
                          * used */
} spn_frame_pair;

#if SPN_WITH_FRAME_BUFFERS

/* Get the buffers of the frames that spn_node_fill would use now for a mesh.
 * They are valid until they are released. SPN_ERR_ARG unless mesh < mesh_count;
 * otherwise the same results as spn_node_fill. */
spn_status spn_node_get_frames(spn_runtime *rt, spn_node node, uint32_t mesh,
                               spn_frame_pair *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
