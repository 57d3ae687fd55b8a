/* node_fill.h - the vertices of a mesh, in the vertex format of the engine.
 *
 * There are two ways. spn__node_fill converts when the engine calls it: the two
 * frames around the playback time, interpolated. Where the later frame hides
 * the mesh, the earlier frame is used alone. With frame buffers, each frame is
 * written once, to a buffer of the engine (frame_buffer.h). fill_job.h runs a
 * fill as jobs.
 *
 * Any thread between two updates. Nothing here reads the vertices that it
 * writes: they may lie in memory that is slow to read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_FILL_H
#define SPN_PLAY_NODE_FILL_H

#include "fill/fill.h"
#include "play/mesh_source.h"
#include "play/node/node.h"

#include <spindle/geom.h>

/* What a fill reads and writes. */
struct node_fill {
    struct cache *cache;
    struct fill_frames now;
    struct fill_frames before; /* what was shown before */
    struct fill_motion motion;
    uint32_t mesh;
    spn_vertex_layout layout;
    void *vertices;
};

/* The frames of a picture. A later frame that hides the mesh, or is not in
 * memory any more, is replaced by the earlier one. False if the earlier one
 * does not have the mesh, or is not in memory. */
bool spn__node_fill_frames(const struct node *n,
                           const struct node_picture *picture, uint32_t mesh,
                           struct fill_frames *out);
/* Describe a fill of what is shown. `fill` is written only if the mesh is
 * visible. Returns SPN_PENDING if no frame is shown. */
spn_status spn__node_fill_find(const struct node *n, uint32_t mesh,
                               const spn_vertex_layout *layout, void *vertices,
                               struct node_fill *fill, spn_fill_result *out);
/* How many parts there are to write. */
uint32_t spn__node_fill_parts(const struct cache *c, uint32_t mesh);
/* Write the vertices of one part of the mesh. Any thread while the frames
 * live. */
void spn__node_fill_part(const struct node_fill *fill,
                         const struct fill_constants *constants, uint32_t part);

/* Write all vertices of a mesh; see spn_node_fill for the contract. */
spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out);
/* The engine's buffers of the shown frames; see spn_node_get_frames. */
spn_status spn__node_get_frames(const struct node *n, uint32_t mesh,
                                spn_frame_pair *out);

#endif
