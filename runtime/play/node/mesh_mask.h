/* mesh_mask.h - which tiles of a cache are decoded: those that some node wants.
 *
 * A node may say which meshes it wants (cursor.mesh_mask). A cache decodes the
 * tiles that have a mesh which a playing node wants; the others are *omitted*.
 * A frame that is launched omits also the tiles that a frame omits to which it
 * refers. So when a tile becomes wanted, it is decoded again from the next
 * frames on whose references have it, which is the next index frame at the
 * latest.
 *
 * A decoded frame that omits a wanted tile *lacks* it. A node that wants the
 * tile does not keep such frames, except those that it will show at once. They
 * are freed when nobody else needs them, if they would have the tile when they
 * are decoded again. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_MESH_MASK_H
#define SPN_PLAY_MESH_MASK_H

#include "play/node/node.h"

#include <stdint.h>

/* The implementation of spn_node_set_mesh_mask; the arguments were checked. */
void spn__mesh_mask_set(struct node *n, const uint32_t *words, uint32_t count);

/* Find which tiles of a cache are wanted, if masks or playing nodes have
 * changed: when a node begins, and before the cursors plan. */
void spn__mesh_mask_update(struct cache *c);
void spn__mesh_masks_update(struct manager *m);
/* After the cursors planned: free the frames that lack tiles. */
void spn__mesh_masks_free(struct manager *m);

/* True if the marks of frames agree with the wanted tiles of their cache. */
bool spn__mesh_mask_check(const struct cache *c);

#endif
