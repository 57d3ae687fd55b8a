/* cache_layout.h - which blocks and blobs a cache has, and in which order.
 *
 * Both follow from the tables, so the file does not list them. The parser and
 * the tool's writer call the same functions.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_LAYOUT_H
#define SPN_CACHE_CACHE_LAYOUT_H

#include "cache/cache_tables.h"

#include <stdint.h>

/* The blocks of a frame. Of the animated nodes `affine_count` are matrices.
 * Reads of each tile vertex_count, animated_mask, layer_count, and whether
 * predictor_blob is CACHE_NONE; fills its `block`. Fills up to `limit` elements
 * of `blocks`, which may be NULL with a limit of 0. Returns how many blocks
 * there are. */
uint64_t spn__cache_layout_blocks(uint32_t animated_node_count,
                                  uint32_t affine_count,
                                  struct cache_tile *tiles, uint32_t tile_count,
                                  struct cache_block *blocks, uint32_t limit);

/* The blobs: kind, tile, channel and raw_bytes of each. Fills tables_blob, and
 * of each tile `blob`, hierarchy_blob, one_rings_blob, and those of
 * predictor_blob and reflection_blob that are not CACHE_NONE. `blobs`, `limit`
 * and the result as above. */
uint64_t spn__cache_layout_blobs(uint32_t index16_count, uint32_t index32_count,
                                 struct cache_tile *tiles, uint32_t tile_count,
                                 uint32_t tables_blob[CHANNEL_COUNT],
                                 struct cache_blob *blobs, uint32_t limit);

#endif
