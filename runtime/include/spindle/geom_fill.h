/* geom_fill.h - fills: write the vertices of a mesh to memory of the engine.
 *
 * A fill writes the vertices of one mesh at the playback time of a node, in a
 * layout of the engine (geom_layout.h). spn_node_fill does it on the calling
 * thread. spn_fill_start gives the work to the workers, and spn_fill_wait
 * returns when it is done. geom.h explains the terms, the order of the calls
 * and what all functions have in common. For engines that interpolate in the
 * vertex shader, geom_buffers.h saves the fills.
 *
 *   vertices  vertex_count of the mesh (spn_mesh_info), each as large as the
 *             stride of the layout, in the order to which the indices of
 *             spn_cache_copy_indices refer
 *   bytes     size of the memory, at least vertex_count * stride
 *   alpha     0..1, the position between the frames floor and ceil
 *
 * Ownership. The memory of the vertices belongs to the engine. It is only
 * written; spn_node_fill uses it until it returns, a fill that was started
 * until it is over. Layouts are needed only during the call. Each fill that was
 * started must be awaited: until then it occupies one of spn_config.fill_count
 * slots. The frames that it reads stay in memory until it is over.
 *
 * Threads. Any thread may call spn_node_fill and spn_fill_start between two
 * updates, and spn_fill_wait and spn_fill_get_result at any time before
 * spn_shutdown.
 *
 * Errors. geom.h lists those that are checked first. spn_node_fill and
 * spn_fill_start need the cache's tables. SPN_PENDING also means that there is
 * nothing to show yet: try again after the next update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_FILL_H
#define SPINDLE_GEOM_FILL_H

#include <spindle/features.h>
#include <spindle/geom_layout.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_fill; /* handle; 0: none */

typedef struct spn_fill_result {
    uint32_t floor_frame;
    uint32_t ceil_frame; /* floor_frame if nothing was interpolated, as when the
                          * later frame hides the mesh */
    float alpha;         /* position between floor (0) and ceil (1); 0 if
                          * nothing was interpolated */
    uint32_t is_visible; /* a scene node shows the mesh, and the frame has its
                          * vertices. 0: nothing was written */
    uint32_t is_late;    /* the wanted frames, of those that the node does not
                          * leave out (spn_shortage), are not decoded, and
                          * others were used */
} spn_fill_result;

#if SPN_WITH_GEOMETRY

/* Write all vertices of one mesh at the node's playback time, in mesh space.
 * They are interpolated between floor and ceil; if the tuning variable
 * "interpolate" is 0, the floor is written alone. If the two are not decoded,
 * the decoded frame nearest in time is written. The work is done on the calling
 * thread; it is proportional to the number of vertices. Several threads may
 * fill different meshes of one node at the same time, or the same mesh to
 * different memory.
 *
 * `vertices` is only written, never read: it may be memory of a graphics
 * processor that is slow to read (write-combined). Each attribute is written
 * once.
 *
 * mesh      SPN_ERR_ARG unless it is less than mesh_count
 * layout    SPN_ERR_ARG if spn_layout_check refuses it
 * vertices  memory of the caller, any alignment. Bytes between attributes are
 *           not changed
 * bytes     size of that memory; SPN_ERR_ARG if less than vertex_count * stride
 * out       may be NULL
 *
 * Returns SPN_ERR_MEMORY or SPN_ERR_TABLE_FULL if the node can never play (see
 * spn_node_state.status); SPN_PENDING if no frame is decoded, because it is too
 * early, the node does not stream, or all frames are damaged, if the shown
 * frame was decoded without the mesh (spn_node_set_mesh_mask), or if the tuning
 * variable "geometry" is 0. */
spn_status spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                         const spn_vertex_layout *layout, void *vertices,
                         uint64_t bytes, spn_fill_result *out);

#endif

/* -- filling on the workers -- */

#if SPN_WITH_FILL_JOBS

/* Begin to write the vertices of one mesh, as spn_node_fill does, and return at
 * once. The node's playback time of now counts, whatever is set later. Workers
 * write one part after another, before they decode frames. Without workers,
 * spn_fill_wait and spn_update write them.
 *
 * The node may go on, stop or be destroyed meanwhile; none of this waits for
 * the fill or ends it. The frames that it reads, two and sometimes up to six,
 * stay in memory. A cache that was closed is freed after its fills.
 *
 * mesh, layout, vertices, bytes
 *       as for spn_node_fill. `layout` is copied. `vertices` must be mapped and
 *       valid until the fill is over. It is only written, never read
 * out   handle, for spn_fill_wait. Each fill must be awaited
 *
 * Returns what spn_node_fill returns, and SPN_ERR_TABLE_FULL if
 * spn_config.fill_count fills were started and not awaited. Thread: any,
 * between two updates. */
SPN_NODISCARD spn_status spn_fill_start(spn_runtime *rt, spn_node node,
                                        uint32_t mesh,
                                        const spn_vertex_layout *layout,
                                        void *vertices, uint64_t bytes,
                                        spn_fill *out);

/* Get what spn_node_fill would have returned in its result, at any time before
 * spn_fill_wait has returned SPN_OK for the fill. If is_visible is 0, the fill
 * is over and writes nothing.
 *
 * Returns SPN_ERR_HANDLE if spn_fill_wait has returned SPN_OK for it. Thread:
 * any; not while another thread may be in spn_fill_wait for this fill. */
spn_status spn_fill_get_result(const spn_runtime *rt, spn_fill fill,
                               spn_fill_result *out);

/* Wait until a fill is over. The calling thread writes the parts that no worker
 * has begun.
 *
 * timeout_us  most microseconds to wait, apart from the time of one part. 0: do
 *             not write, only look. UINT64_MAX: until it is over
 *
 * Returns
 *   SPN_OK           all vertices are written and visible to this thread. The
 *                    handle is invalid now
 *   SPN_ERR_TIMEOUT  it is not over yet
 *   SPN_ERR_HANDLE   a wait for it has returned SPN_OK before
 *   SPN_FULL         workers write the last parts, and spn_config.wait_count
 *                    other threads wait: try again
 * Thread: any, at any time before spn_shutdown; not in a function of
 * spn_listener (listener.h). */
spn_status spn_fill_wait(spn_runtime *rt, spn_fill fill, uint64_t timeout_us);

#endif

#ifdef __cplusplus
}
#endif
#endif
