/* geom.h - geometry caches: open, play, fill vertex buffers.
 *
 * `spindle compile` makes a cache file (.sgc) of an animated scene. The runtime
 * opens the file, plays it, and writes the vertices of the current time into
 * vertex buffers of the engine.
 *
 * This header has no declarations of its own. It includes a header for each
 * subject, explains the terms of all, and says what their functions have in
 * common:
 *
 *   geom_cache.h    open a cache; its frames, meshes, materials, scene nodes
 *   geom_mesh.h     static meshes: equal ones of all caches are one
 *   geom_node.h     nodes: playback time, range, rate, mesh mask, importance
 *   geom_state.h    the state of a node: progress, shortages, errors
 *   geom_layout.h   how vertices are laid out in memory
 *   geom_fill.h     write the vertices of a mesh, at once or on the workers
 *   geom_buffers.h  frames straight into vertex buffers of the engine
 *   geom_scene.h    world transforms and boxes of what a node shows
 *   geom_ray.h     what a ray hits first
 *   geom_view.h     distance and visibility of nodes, stand-ins
 *   geom_draw.h     what is drawn: meshes with matrices, boxes and materials
 *   geom_event.h    a function that is called when something has changed
 *
 * Terms
 *
 *   cache        an opened cache file. Its tables and static data (triangles,
 *                and vertex data that never changes) are in the runtime's heap
 *   mesh         vertices and triangles. One call of spn_node_fill gives the
 *                engine the vertices of one mesh
 *   lifted mesh  a mesh that is compressed by prediction from coarse to fine
 *                vertices, the default of `spindle compile`
 *   part         a run of at most 8192 vertices of one mesh. Parts are decoded
 *                independently of each other
 *   scene node   a node of the scene's hierarchy: a transform, and a mesh or
 *                none. Several scene nodes may show the same mesh
 *   frame        the scene at one stored point in time
 *   index frame  a frame that is decoded without any other frame
 *   group        consecutive frames that are read as a unit. They refer to each
 *                other, and to the index frame before the group
 *   closure      a frame, and the frames that must be decoded before it because
 *                it refers to them, directly or not. It is decoded as a unit
 *   node         one player of a cache (spn_node). It has a playback time of
 *                its own. Any number of nodes may play one cache; they share
 *                what is read and decoded
 *   stream       the frames and the groups around a node's playback time, while
 *                it plays
 *   floor, ceil  the last frame at or before the playback time, and the frame
 *                after it. A node shows an interpolation between the two
 *   seek         to set a playback time whose frame is neither in memory nor
 *                about to be read
 *   drive profile
 *                the data that describes how fast a disc drive is
 *                (drive_profile.h)
 *   tuning variable
 *                a number that changes how the runtime streams; set by
 *                spn_tuning_set (spindle.h)
 *   caller's thread
 *                the thread that calls spn_update (spindle.h)
 *
 * Times are microseconds from the first frame. The time of a looping node is
 * any number, also a negative one; the clip repeats every `loop_us`. A node may
 * also play a range of its clip (spn_node_set_range).
 *
 * Errors. All functions check their arguments in this order; the comments in
 * the headers above do not repeat it:
 *
 *   SPN_ERR_ARG     `rt` is NULL, or another pointer that must not be NULL
 *   SPN_ERR_HANDLE  the handle is 0, the cache was closed, or the node was
 *                   destroyed
 *   SPN_PENDING     the function needs the cache's tables, and the cache is
 *                   still opening
 *   others          the function needs the cache's tables, and the cache could
 *                   not be opened: the result of spn_cache_get_status
 *
 * Outputs are written only if SPN_OK is returned. The only exception is the
 * fault of spn_cache_get_status, which is written if the cache could not be
 * opened. Strings in outputs are valid as long as the cache is open or a node
 * plays it.
 *
 * Usual order of the calls:
 *
 *   spn_cache_open    once; then spn_update in each frame of the engine, until
 *                     spn_cache_get_status does not return SPN_PENDING
 *   spn_node_create   for each player
 *   in each frame     spn_node_set_playback_time, spn_update, spn_node_fill
 *   at the end        spn_node_destroy, spn_cache_close
 *
 * Threads. Functions that change caches or nodes belong to the caller's thread,
 * as spn_update does. Any thread may call the others, several at the same time,
 * while none of those runs, that is between two updates:
 *
 *   spn_cache_get_..., spn_cache_find_scene_node, spn_cache_copy_indices,
 *   spn_cache_heap_needed,
 *   spn_cache_frame_buffers_needed, spn_node_get_..., spn_node_fill,
 *   spn_fill_start, spn_node_ray_cast, spn_mesh_ray_cast
 *
 * Any thread may call spn_layout_check at any time. Any thread may call
 * spn_fill_wait and spn_fill_get_result at any time before spn_shutdown, also
 * during an update; spn_fill_get_result not while another thread may be in
 * spn_fill_wait for the same fill.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_H
#define SPINDLE_GEOM_H

#include <spindle/features.h>
#include <spindle/geom_buffers.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_draw.h>
#include <spindle/geom_event.h>
#include <spindle/geom_fill.h>
#include <spindle/geom_layout.h>
#include <spindle/geom_mesh.h>
#include <spindle/geom_node.h>
#include <spindle/geom_ray.h>
#include <spindle/geom_scene.h>
#include <spindle/geom_state.h>
#include <spindle/geom_view.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#endif
