/* cache_memory.h - heap blocks for a cache's tables and static data.
 *
 * All sizes are computed from the cache's header. The header was validated, so
 * no count is larger than the size of the file allows. A block is allocated
 * only if enough pages remain free for what is promised to streams (promise.h).
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_MEMORY_H
#define SPN_PLAY_CACHE_MEMORY_H

#include "base/heap.h"
#include "play/cache.h"

/* Allocate a heap block for the cache. unit_bytes and tag are those of
 * spn__heap_alloc.
 *
 * Returns SPN_NO_MEMORY_NOW if memory may become free later; SPN_ERR_MEMORY if
 * it cannot: the heap is smaller, or the allocation failed twice while only
 * this cache used the heap. */
spn_status spn__cache_alloc(struct cache *c, uint64_t bytes,
                            uint32_t unit_bytes, enum heap_tag tag,
                            heap_handle *out);
/* Free a block of spn__cache_alloc, and set *handle to 0. No effect if it is 0
 * already. */
void spn__cache_free(struct cache *c, heap_handle *handle);

/* Allocate a block that may live longer than the cache, which does not count
 * it. Free it by spn__promise_return_block. Returns as above. */
spn_status spn__cache_take_block(struct cache *c, uint64_t bytes,
                                 heap_handle *out);
/* Free the memory of a blob, if it has some. */
void spn__cache_free_blob(struct cache *c, uint32_t blob);

/* Allocate the block of all arrays whose length the header gives, and set the
 * array pointers. */
spn_status spn__cache_alloc_tables(struct cache *c);
/* Allocate the chunks of frames and groups, from chunk_cursor on. After
 * SPN_NO_MEMORY_NOW call it again: it goes on at the cursor. */
spn_status spn__cache_alloc_chunks(struct cache *c);
/* Allocate a block for each blob, in the same way. The tables must have been
 * validated. */
spn_status spn__cache_alloc_blobs(struct cache *c);
/* Free the blobs. No job of the cache may be running. */
void spn__cache_free_blobs(struct cache *c);
/* Pages of all blobs. */
uint32_t spn__cache_blob_pages(const struct cache *c);
/* Free all memory of the cache. No read or job of it may be running, and its
 * meshes are released (cache_meshes.h). */
void spn__cache_drop_memory(struct cache *c);

/* Handle of a heap block of the cache; 0: none there. False if there are no
 * more.
 *
 * index  0, 1, 2 ... */
bool spn__cache_block_at(const struct cache *c, uint32_t index,
                         heap_handle *out);

#endif
