/* cache_walk.h - validate and decode all of a cache that may be damaged.
 *
 * A walk takes a whole file through the runtime's validation and decoder:
 * header, frame table, tables, blobs, and every tile of every frame. Each step
 * reads and writes memory of exactly its size, so that a sanitizer sees the
 * first byte beyond. Noise replaces the frames that a frame refers to, so that
 * frames do not depend on each other; every bit pattern is a legal value.
 * Values that pass validation must have the invariants of cache_promises.h;
 * otherwise the claim fails. The codec must be a built-in one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CACHE_WALK_H
#define TESTS_SUPPORT_CACHE_WALK_H

#include "cache/cache_header.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Walk the whole file. Returns the first error, or SPN_OK. */
spn_status cache_walk_all(const uint8_t *bytes, size_t size,
                          struct spn_fault *fault);

/* The same with only the kernels of the instruction sets `cpu` (base/cpu.h; 0:
 * scalar). `sum` is a checksum of all decoded values and results, in order; 0
 * when no decoding began. */
spn_status cache_walk_on(const uint8_t *bytes, size_t size, uint32_t cpu,
                         uint32_t *sum, struct spn_fault *fault);

/* A good cache, of which single frames can be replaced and decoded. */
struct cache_walk;
struct cache_walk *cache_walk_open(const uint8_t *bytes, size_t size);
void cache_walk_close(struct cache_walk *walk);
const struct cache_header *cache_walk_header(const struct cache_walk *walk);
/* True if it has lifted meshes. */
bool cache_walk_has_lifted(const struct cache_walk *walk);
/* The same for the bytes of a good cache. */
bool cache_has_lifted(const uint8_t *bytes, size_t size);
/* The directory and blocks of a frame of the good cache. */
const uint8_t *cache_walk_good_frame(const struct cache_walk *walk,
                                     uint32_t number, uint32_t *bytes);
/* Decode `size` bytes, at least those of a directory, as frame `number`.
 * Results as for cache_walk_on. Offsets of faults count from `bytes`. */
spn_status cache_walk_frame(struct cache_walk *walk, uint32_t number,
                            const uint8_t *bytes, size_t size, uint32_t cpu,
                            uint32_t *sum, struct spn_fault *fault);

#endif
