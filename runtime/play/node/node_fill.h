/* node_fill.h - the vertices of a mesh, in the vertex format of the engine.
 *
 * There are two ways. spn__node_fill converts when the engine calls it: the two
 * frames around the playback time, interpolated. Where the later frame hides
 * the mesh, the earlier frame is used alone. With frame buffers, each frame is
 * written once, to a buffer of the engine (frame_buffer.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_FILL_H
#define SPN_PLAY_NODE_FILL_H

#include "play/node/node.h"

#include <spindle/geom.h>

/* Write all vertices of a mesh. Caller's thread, or several threads at once for
 * different meshes; see spn_node_fill for the contract. */
spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out);
/* The engine's buffers of the shown frames; see spn_node_get_frames. */
spn_status spn__node_get_frames(const struct node *n, uint32_t mesh,
                                spn_frame_pair *out);

#endif
