/* node_fill.h - the vertices of a mesh, in the vertex format of the engine.
 *
 * A mesh consists of parts; each part is decoded as a part of one tile. The
 * data of a channel (positions, UVs ...) of a part comes from the tile's block
 * in each shown frame; if the channel never changes, from a blob, a piece of
 * the cache's static data. If the later frame hides the mesh, the earlier frame
 * is used alone. fill/fill.h converts to the vertex format.
 *
 * Without frame buffers, the engine calls spn__node_fill, which interpolates
 * and converts. With frame buffers (spn_frame_buffers), the stream acquires a
 * buffer from the engine when it launches a frame and releases it when it frees
 * the frame; the job that has decoded a tile writes the tile's vertices. The
 * vertex layout does not change while the stream is active, because workers
 * read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_FILL_H
#define SPN_PLAY_NODE_FILL_H

#include "play/node.h"

#include <spindle/geom.h>

/* Write all vertices of a mesh. Caller's thread, or several threads at once for
 * different meshes; see spn_node_fill for the contract. */
spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out);
/* Set the functions that provide frame buffers, for the next start of
 * streaming. Caller's thread. Only with SPN_WITH_FRAME_BUFFERS.
 *
 * buffers  copied; NULL: no frame buffers
 *
 * Returns SPN_ERR_STATE while the node streams or shows a frame. */
spn_status spn__node_set_buffers(struct node *n,
                                 const spn_frame_buffers *buffers);
/* The engine's buffers of the shown frames; see spn_node_get_frames. */
spn_status spn__node_get_frames(const struct node *n, uint32_t mesh,
                                spn_frame_pair *out);

#endif
