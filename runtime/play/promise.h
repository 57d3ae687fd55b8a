/* promise.h - which part of the heap belongs to whom, counted in pages.
 *
 * Caches, streams, paks and the caller share one heap. This module keeps the
 * totals that decide whether an allocation may be made now. It allocates only
 * the blocks of spn__promise_take_block; all other memory is allocated by its
 * user, who then changes the totals.
 *
 * Each playing stream gets a *promise*: a number of pages for decoded frames
 * and for one read (see stream_memory.h). A stream may use the pages of its
 * promise at any time. A promised page that the stream does not use yet is
 * *owed*. Every other allocation (a read or a decode beyond the promise, the
 * static data of a cache, a block of a pak) must leave free:
 *
 *   - all owed pages, and
 *   - a margin for fragmentation. An *extent* is a run of contiguous pages in
 *     use. With P extents in the heap, it finds u contiguous free pages if
 *     u + (P + 1)(u - 1) pages are free (heap.h). The margin is (P + 1)(u - 1),
 *     where u is largest_unit_pages, but at most an eighth of the heap. It is 0
 *     while nothing is promised.
 *
 * To *evict* is to take pages beyond its promise from a stream; it reads or
 * decodes the data again later. An allocation that fails sets wants_eviction if
 * evictions can make it possible. The manager's update, at its end, evicts once
 * if the flag is set, and clears it. So requests between two updates
 * (spn_block_alloc, paks, reads into the heap) evict, too.
 *
 * Owner of all fields: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_PROMISE_H
#define SPN_PLAY_PROMISE_H

#include "base/heap.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct promises {
    struct heap *heap; /* fixed after init */
    /* Pages of static data: the memory of caches that are open or opening, and
     * the blocks of spn__promise_take_block. */
    uint32_t static_pages;
    uint32_t block_pages;    /* the part of static_pages in such blocks */
    uint32_t promised_pages; /* sum of the promises of all streams */
    uint32_t owed_pages;     /* the part of promised_pages that is owed */
    /* The u of the formula above: the most contiguous pages that a decoded
     * frame needs, over all caches that were played since init. It never
     * decreases. */
    uint32_t largest_unit_pages;
    /* Since the last update ended, an allocation failed that an eviction can
     * make possible. */
    bool wants_eviction;
};

/* Set the heap. The other fields are 0 already. */
void spn__promise_init(struct promises *p, struct heap *heap);

/* Number of heap pages that a block of `bytes` occupies. */
uint32_t spn__promise_pages(const struct promises *p, uint64_t bytes);

/* True if `pages` can be allocated without touching what is owed to others.
 *
 * owed   pages that are owed to the requester itself; 0 for static data */
bool spn__promise_may_take(const struct promises *p, uint32_t pages,
                           uint32_t owed);

/* Request an eviction (set wants_eviction) if evictions can free `pages` for a
 * requester without a promise: the pages must fit beside all static data, all
 * promises and the margin. Otherwise evictions would only cause data to be read
 * again. */
void spn__promise_request_eviction(struct promises *p, uint32_t pages);

/* Allocate a block that counts as static data, for the caller or for a pak.
 *
 * promises    a struct promises; void *, because this is also a callback
 * bytes       size of the block
 * unit_bytes  how many bytes of the block must be contiguous, as for
 *             spn__heap_alloc: 0: one page; >= bytes: all
 * tag         the statistic in which the heap counts the block
 * out         handle of the block
 *
 * Returns SPN_NO_MEMORY_NOW if the memory is in use now; SPN_ERR_MEMORY if the
 * heap without the other blocks of this function is smaller than the block. */
spn_status spn__promise_take_block(void *promises, uint64_t bytes,
                                   uint32_t unit_bytes, enum heap_tag tag,
                                   heap_handle *out);

/* Free a block of spn__promise_take_block. */
void spn__promise_return_block(void *promises, heap_handle block);

/* True if the totals do not contradict each other. O(1). */
bool spn__promise_check(const struct promises *p);

#endif
