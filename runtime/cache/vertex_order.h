/* vertex_order.h - bring static channels to the order of the vertices.
 *
 * A lifted tile is stored, and decoded, in the order of its hierarchy. A tile
 * whose channels are all static is decoded once; from then on the order of the
 * vertices serves better: it needs no hierarchy, and equal meshes have equal
 * bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_VERTEX_ORDER_H
#define SPN_CACHE_VERTEX_ORDER_H

#include "cache/decoder.h"

#include <stdint.h>

/* Reorder channels and reflections of the tiles of a static mesh, in their
 * memory. Afterwards spn__cache_lift_order does not hold for them. All blobs
 * are decoded. Any thread; nobody else uses the mesh.
 *
 * scratch  BLOCK_RAW_BYTES_MAX bytes, aligned to 4 */
void spn__vertex_order_restore(const struct cache_decoder *cache, uint32_t mesh,
                               uint8_t *scratch);

#endif
