/* promise.h - which part of the heap belongs to whom, counted in pages.
 *
 * Caches, cursors, paks and the game share one heap. This module keeps the
 * totals that decide whether an allocation may be made now, and makes it. Its
 * owner is the caller's thread.
 *
 * Terms. Each is a number of pages
 *
 *   static    of caches (tables, blobs) and of paks, and blocks of the game
 *             (spn_block_alloc, reads into the heap)
 *   kept      of decoded frames and read buffers (kept.h)
 *   needed    the part of kept that cursors will use soon
 *   idle      the part of kept that is not needed
 *   held      the part of needed that is not freed in this update; all other
 *             kept memory can be freed at once. A cursor holds what it needs as
 *             far as its promise goes, and what its decode jobs and reads use
 *             now, whatever was promised
 *   promised  that a playing cursor may hold, for decoded frames and for reads
 *             (cursor_promise.h)
 *   charged   that a cursor holds. What several cursors hold is charged in full
 *             to each of them
 *   unpaid    held by jobs that write vertices for the engine, and charged to
 *             no cursor
 *   owed      the part of a promise that is not charged
 *   beyond    the part of what is charged to a cursor that exceeds its promise,
 *             and all that is unpaid. It is held only until the jobs and reads
 *             that use it have ended
 *
 * At any time, summed over all cursors,
 *
 *     (1)  static + promised <= pages of the heap
 *     (2)  free pages + kept - held + beyond >= owed
 *
 * (2) follows from (1): every held page is charged to a cursor or unpaid, so
 * held <= charged + unpaid = promised - owed + beyond. So an allocation within
 * a promise succeeds at the latest when what is beyond promises has ended,
 * except for fragmentation.
 *
 * The user may limit the kept pages (tuning variable stream_memory_kib). Then
 * promised <= limit, and kept <= limit + beyond, as soon as promises have been
 * reduced and kept memory has been freed to that end. In (2), what the limit
 * leaves of free pages + kept takes their place.
 *
 * Clips (anim/) have a reserve. Its unused pages count as static, and in (2) as
 * owed: streams keep frames there, which are freed when a clip needs the pages.
 *
 * An allocation beyond a promise must leave (2) true without the term `beyond`.
 * An allocation of static data must leave (1) true and also (2) without
 * `beyond`. Both must leave a margin for fragmentation: with P live extents,
 * the heap finds a block of n pages, all contiguous, if n + (P + 1)(V - 1)
 * pages are free, where V is n, or a little more if n is above 32 (heap.h). The
 * margin is (P + 1)(n - 1), n being the largest contiguous block that a playing
 * cache needs, but at most 1/32 of the heap. So it makes failures by
 * fragmentation rare, but does not exclude them: it neglects the difference
 * between V and n, and has an upper limit. A cursor whose allocation fails
 * tries again at its next update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_PROMISE_H
#define SPN_PLAY_PROMISE_H

#include "base/heap.h"
#include "play/kept.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct account;
struct promises;

struct promises {
    /* fixed after init */
    struct heap *heap;
    /* Free one entry of `keeper`. False if none can be freed. Set by the
     * module that knows what the entries are (reclaim.h); NULL: none is kept.
     *
     * is_needed  false: an idle one; true: one that is needed, but not held */
    bool (*reclaim)(struct promises *p, bool is_needed);
    /* caller */
    struct keeper keeper; /* decoded frames and read buffers */
    /* Pages of static data: the memory of caches that are open or opening, and
     * the blocks of spn__promise_take_block. */
    uint32_t static_pages;
    uint32_t block_pages; /* the part of static_pages that is such blocks */
    uint32_t mesh_pages;  /* the part of block_pages that is static meshes,
                              * which go with the caches; kept by
                              * cache_meshes.h */
    /* Pages that clips use, and pages that are theirs (spindle/anim.h). The
     * larger number is a part of static_pages and of block_pages. */
    uint32_t clip_pages;
    uint32_t clip_reserve_pages;
    uint32_t refusals;       /* static data and blocks that found no room, since
                        * init */
    uint32_t promised_pages; /* sum of the promises of all cursors */
    uint32_t owed_pages;     /* the part of it that is not charged */
    uint32_t beyond_pages;   /* sum of what is charged beyond promises, and of
                              * unpaid_pages */
    uint32_t unpaid_pages;   /* held by jobs on behalf of no cursor */
    uint32_t limit_pages;    /* most kept pages, and most promised ones; set at
                              * each update. No limit if the heap has no more */
    uint32_t evicted_frames; /* that `reclaim` has freed, since init */
    uint32_t evicted_reads;
    /* Static data for which a cache found no room in this update; 0: none. Only
     * one cache loads at a time. */
    uint64_t refused_pages;
    /* Room that promises leave for it until it is allocated, with the margin
     * for fragmentation. */
    uint32_t reserved_pages;
    /* Of caches that play from memory (node/memory_play.h): pages of their
     * frames beyond promises, whether they are decoded yet or not. */
    uint32_t spare_pages;
    /* Largest contiguous block of a decoded frame, over all caches that have
     * played. */
    uint32_t largest_unit_pages;
};

/* On whose account an allocation is made. */
enum promise_kind {
    PROMISE_WITHIN, /* within a promise: may free all that is not held */
    PROMISE_BEYOND, /* of a cursor, beyond its promise: may free idle memory */
    PROMISE_STATIC  /* static data: may free all that is not held */
};

/* Set the heap. The other fields are 0 already. */
void spn__promise_init(struct promises *p, struct heap *heap);

/* Number of heap pages that a block of `bytes` occupies. */
uint32_t spn__promise_pages(const struct promises *p, uint64_t bytes);

/* A new update: nothing is needed or held any more. */
void spn__promise_begin(struct promises *p);
/* Hold memory, and charge a cursor for it. If the cursor was the last one that
 * was charged for this memory in this update, it is not charged again. (If
 * another one was charged in between, it is: too much is charged then, which is
 * safe.) */
void spn__promise_hold(struct promises *p, struct account *a, struct kept *k);

/* Hold memory that a job uses on behalf of no cursor, until the next update. No
 * effect if it is held already. */
void spn__promise_hold_unpaid(struct promises *p, struct kept *k);

/* Bring what is owed to a cursor, and what it has beyond its promise, up to
 * date. Call it after a change of its promise or of what is charged to it. */
void spn__promise_settle(struct promises *p, struct account *a);

/* Pages that streams could get now if all kept memory were freed, except for
 * `kept` pages of it: free pages of the heap, as far as the limit goes. */
uint64_t spn__promise_available(const struct promises *p, uint32_t kept);

/* Free kept memory that is not held until the limit is respected, or nothing
 * more can be freed. */
void spn__promise_trim(struct promises *p);

/* Pages that fragmentation may make useless. */
uint32_t spn__promise_margin(const struct promises *p);

/* True if so many pages may be allocated: within a promise always, otherwise if
 * they leave what is owed to others.
 *
 * owed  PROMISE_BEYOND: how many of `pages` use up what is left of the
 *       requester's own promise. They are owed to it, not to others.
 *       PROMISE_STATIC: 0. PROMISE_WITHIN: ignored */
bool spn__promise_may_take(const struct promises *p, enum promise_kind kind,
                           uint32_t pages, uint32_t owed);

/* A cache found no room for static data in this update.
 *
 * pages  of all of the data, as far as it is known */
void spn__promise_refuse(struct promises *p, uint64_t pages);
/* Reserve room for it, or for nothing if all promises cannot be reduced by so
 * much. Ends the refusal.
 *
 * spare  pages by which they can be reduced */
void spn__promise_reserve(struct promises *p, uint64_t spare);
/* Pages by which promises must be reduced to leave the reserved room. */
uint32_t spn__promise_excess(const struct promises *p);

/* Free one kept entry that an allocation of this kind may displace. False if
 * there is none: the allocation has to wait. */
bool spn__promise_reclaim(struct promises *p, enum promise_kind kind);

/* Free kept memory until the limit allows so many pages more. False if it does
 * not: the allocation has to wait. No effect on static data, or without a
 * limit: only the heap knows which pages are free. */
bool spn__promise_respect_limit(struct promises *p, enum promise_kind kind,
                                uint32_t pages);

/* Allocate a block of the heap, and free kept memory until it fits. Whether it
 * may be allocated was decided before. Returns what spn__heap_alloc returns. */
SPN_NODISCARD spn_status spn__promise_alloc(struct promises *p,
                                            enum promise_kind kind,
                                            uint32_t bytes, uint32_t unit_bytes,
                                            enum heap_tag tag,
                                            heap_handle *out);

/* Allocate a block that counts as static data, for the game or for a pak.
 *
 * promises    a struct promises; void *, because this is also a callback
 * bytes       size of the block
 * unit_bytes  how many bytes of the block must be contiguous, as for
 *             spn__heap_alloc: 0: one page; >= bytes: all
 * tag         the statistic in which the heap counts the block
 * out         handle of the block
 *
 * Returns SPN_NO_MEMORY_NOW if the memory is in use now; SPN_ERR_MEMORY if the
 * heap without the other blocks of the game and of paks is smaller than the
 * block. */
spn_status spn__promise_take_block(void *promises, uint64_t bytes,
                                   uint32_t unit_bytes, enum heap_tag tag,
                                   heap_handle *out);

/* Free a block of spn__promise_take_block. */
void spn__promise_return_block(void *promises, heap_handle block);

/* Set how much of the heap is reserved for clips, once, before anything is
 * allocated: at most half of the heap. */
void spn__promise_reserve_clips(struct promises *p, uint32_t bytes);

/* Allocate a block for a clip: from what is left of the reserve as within a
 * promise, and what exceeds that as static data. SPN_NO_MEMORY_NOW. */
spn_status spn__promise_take_clip(struct promises *p, uint32_t bytes,
                                  uint32_t unit_bytes, heap_handle *out);
void spn__promise_return_clip(struct promises *p, heap_handle block);

/* True if (1) and (2) hold, and the totals do not contradict each other. O(1).
 */
bool spn__promise_check(const struct promises *p);

#endif
