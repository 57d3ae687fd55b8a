/* shown_hash.h - one number for the frame that a node shows.
 *
 * Quantized values are asked for: they are the same numbers on every machine,
 * and do not depend on the moment between two frames at which a picture was
 * drawn. They are hashed as a file has them, lowest byte first. Needs no C
 * library.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_SHOWN_HASH_H
#define OFFLINE_PLAYER_SHOWN_HASH_H

#include <spindle/spindle.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a vertex. `buffer` holds the largest mesh with so many for each, and
 * a byte for each scene node. */
#define SHOWN_HASH_STRIDE 22u

/* Of frame `frame`: its number, which nodes and meshes are visible, and what
 * was decoded for them. 0: the node shows another one, or none. */
uint64_t shown_hash(spn_runtime *rt, spn_cache cache,
                    const spn_cache_info *info, spn_node node, uint32_t frame,
                    void *buffer, size_t buffer_bytes);

#endif
