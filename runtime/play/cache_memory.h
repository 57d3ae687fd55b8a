/* cache_memory.h - heap blocks for a cache's tables and static data.
 *
 * All sizes follow from the cache's header, which limits each count by the size
 * of the file. It is allocated only if it leaves free what is promised to
 * streams (promise.h). Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_MEMORY_H
#define SPN_PLAY_CACHE_MEMORY_H

#include "base/heap.h"
#include "play/cache.h"

/* Allocate a block for the cache.
 *
 * Returns SPN_NO_MEMORY_NOW if memory may become free later; SPN_ERR_MEMORY if
 * it cannot: the heap is smaller, or the allocation failed twice while nobody
 * but this cache used the heap. */
spn_status spn__cache_alloc(struct cache *c, uint64_t bytes,
                            uint32_t unit_bytes, enum heap_tag tag,
                            heap_handle *out);
/* Free a block of spn__cache_alloc and clear the handle; 0 is legal. */
void spn__cache_free(struct cache *c, heap_handle *handle);

/* Allocate the block of all arrays whose length the header gives, and set the
 * array pointers. */
spn_status spn__cache_alloc_tables(struct cache *c);
/* Allocate the chunks of frames and groups, from chunk_cursor on. After
 * SPN_NO_MEMORY_NOW call it again: it goes on at the cursor. */
spn_status spn__cache_alloc_chunks(struct cache *c);
/* The same for blobs. The tables must have been validated. */
spn_status spn__cache_alloc_blobs(struct cache *c);
/* Free all memory of the cache. No read or job of it may be running. */
void spn__cache_drop_memory(struct cache *c);

#endif
