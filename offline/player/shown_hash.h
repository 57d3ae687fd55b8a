/* shown_hash.h - hash of the frame that a node shows.
 *
 * The hash covers quantized values. They are the same on every machine and do
 * not depend on the interpolation between two frames. They are hashed in
 * little-endian order. The module needs no C library: the tests of bare
 * machines use it too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_SHOWN_HASH_H
#define OFFLINE_PLAYER_SHOWN_HASH_H

#include <spindle/spindle.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes per vertex in the buffer of shown_hash. The buffer must hold the
 * largest mesh, and one byte for each scene node. */
#define SHOWN_HASH_STRIDE 22u

/* Hash the number of frame `frame`, the visibility of nodes and meshes, and
 * their decoded values. Returns 0 when the node shows another frame or none. */
uint64_t shown_hash(spn_runtime *rt, spn_cache cache,
                    const spn_cache_info *info, spn_node node, uint32_t frame,
                    void *buffer, size_t buffer_bytes);

#endif
