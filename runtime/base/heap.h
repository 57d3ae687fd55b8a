/* heap.h - the fixed heap: page runs, extent lists, generation handles.
 *
 * One arena of pages; all metadata lies outside it. A block is a list of
 * extents, each a whole number of pages and page-aligned; every extent but
 * the last is a multiple of the block's *unit*, the bytes that must be
 * contiguous. A unit of one page makes external fragmentation impossible; a
 * unit as large as the block gives one piece. Nothing ever moves.
 *
 * Promise. A block of n pages in units of U pages (bytes rounded up to pages;
 * a unit beyond the block counts as U = n) is found whenever
 *     free pages >= n + (P + 1) * (V - 1),
 * with P live extents and V the smallest number >= U of the form m * 2^k with
 * m < 32; provided n <= HEAP_EXTENTS_MAX * U and one record is free for every
 * HEAP_RECORD_EXTENTS units begun. V = U up to 32 pages and for every power
 * of two, so for every unit from one page to 64 KiB that is one. With U = 1
 * it reads: found if and only if n pages are free.
 *
 * Reason. P extents leave at most P + 1 free runs. Cut down to whole units, a
 * run of V pages or more loses at most U - 1 <= V - 1 pages; a shorter one is
 * at most V - 1 pages. So the runs of at least V hold n pages or more in
 * whole units, that is, all units of the block. And they are all found: the
 * numbers m * 2^k are where the classes of the free lists begin, so every run
 * of a class is at least V long or none is, and the search takes from the
 * topmost class that is not empty. Each extent takes one unit or more: at
 * most n / U, rounded up, are needed. Beyond the promise an allocation is
 * tried all the same.
 *
 * Calls are O(1) in the heap's size and O(extents) in the block's, but for
 * map and check, O(pages), and get_stats, O(runs in the topmost class).
 *
 * Owner: one thread makes all calls (the caller's). The record of a live
 * block never changes, so other threads that were handed a handle through a
 * ring or a job may read it: is_live, bytes, the extents, data and view.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HEAP_H
#define SPN_BASE_HEAP_H

#include "base/carve.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

/* Extents of one record, and of one block (records are chained). */
#define HEAP_RECORD_EXTENTS 16u
#define HEAP_EXTENTS_MAX 256u

/* What a block is for: the statistics and the map tell them apart. */
enum heap_tag {
    HEAP_TAG_READ,    /* compressed frames */
    HEAP_TAG_DECODED, /* decoded channels */
    HEAP_TAG_STATIC,  /* tables, indices, static channels */
    HEAP_TAG_USER,    /* reads into the heap for the caller */
    HEAP_TAG_COUNT
};

typedef uint32_t heap_handle; /* 0: none */

struct heap_extent {
    uint16_t start; /* page */
    uint16_t pages;
};

struct heap_record; /* heap_record.h */

struct heap_stats {
    uint32_t page_bytes;
    uint32_t page_count;
    uint32_t free_pages;
    uint32_t free_runs;
    uint32_t free_records;
    uint32_t live_blocks;
    uint32_t live_extents;
    uint32_t largest_run_pages;
    uint64_t live_bytes; /* as asked for, without page slack */
    uint64_t live_bytes_peak;
    uint32_t used_pages_peak;
    uint64_t tag_bytes[HEAP_TAG_COUNT];
    uint32_t failed_no_memory;  /* free pages were fewer than asked for */
    uint32_t failed_fragmented; /* enough pages, in too small pieces */
    uint32_t failed_no_record;
};

struct heap {
    uint8_t *arena;
    uint32_t page_shift;
    uint32_t page_count;
    struct heap_record *records;
    uint32_t record_count;
    uint16_t first_free_record; /* first in, first out: a record rests */
    uint16_t last_free_record;
    uint16_t *run_pages; /* at both ends of a free run, else 0 */
    uint16_t *run_next;  /* class lists, at the first page */
    uint16_t *run_prev;
    uint16_t *owner;   /* record + 1 at both ends of a used extent, else 0 */
    uint16_t row_bits; /* rows that have a run */
    uint16_t column_bits[16]; /* classes of a row that have a run */
    uint16_t class_head[256];
    struct heap_stats stats; /* but largest_run_pages */
};

/* Pages and records of a heap at most. */
#define HEAP_PAGES_MAX 65534u
#define HEAP_RECORDS_MAX 65534u

/* Cut metadata for `page_count` pages and `record_count` records, and the
 * arena itself, page-aligned and with undefined contents. page_shift 12..16.
 * Counted only, or when the block is over, the heap is one of no pages. */
void spn__heap_init(struct heap *heap, struct carve *carve, uint32_t page_count,
                    uint32_t page_shift, uint32_t record_count);

/* Allocate `bytes` > 0 in units of `unit_bytes` (rounded up to pages; 0: one
 * page; >= bytes: one extent). Returns SPN_NO_MEMORY_NOW when it does not fit
 * now; the statistics say why. SPN_ERR_ARG for 0 bytes or no such tag.
 * Contents are undefined. The same calls give the same addresses. */
SPN_NODISCARD spn_status spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                         uint32_t unit_bytes, enum heap_tag tag,
                                         heap_handle *out);
/* False for a stale handle: nothing changes. A handle comes again after
 * 32767 further uses of its record. */
bool spn__heap_free(struct heap *heap, heap_handle handle);

/* For a stale handle: false, 0 or NULL. */
bool spn__heap_is_live(const struct heap *heap, heap_handle handle);
bool spn__heap_is_tagged(const struct heap *heap, heap_handle handle,
                         enum heap_tag tag);
uint32_t spn__heap_bytes(const struct heap *heap, heap_handle handle);
uint32_t spn__heap_extent_count(const struct heap *heap, heap_handle handle);
/* Address and bytes of extent `index`; the last one's bytes end with the
 * block's. NULL past the last. `bytes` is written in any case. O(index / 16):
 * to visit all, walk. */
void *spn__heap_extent(const struct heap *heap, heap_handle handle,
                       uint32_t index, uint32_t *bytes);
/* The block's address when it is one extent, else NULL. */
void *spn__heap_data(const struct heap *heap, heap_handle handle);
/* Contiguous view of [offset, offset + bytes): a pointer into the block, or,
 * when the range crosses a seam, `bounce` (>= bytes) filled with a copy. NULL
 * when the range is empty or leaves the block. */
const void *spn__heap_view(const struct heap *heap, heap_handle handle,
                           uint32_t offset, uint32_t bytes, void *bounce);

/* Visit the extents in order, O(1) each, while the block lives. */
struct heap_walk {
    const struct heap *heap;
    const struct heap_record *record; /* of the next extent; NULL: the end */
    uint32_t slot;
    uint32_t bytes_left;
};
void spn__heap_walk_begin(const struct heap *heap, heap_handle handle,
                          struct heap_walk *walk);
/* Address and bytes of the next extent; NULL, and 0 bytes, at the end. */
void *spn__heap_walk_next(struct heap_walk *walk, uint32_t *bytes);

uint32_t spn__heap_free_pages(const struct heap *heap);
void spn__heap_get_stats(const struct heap *heap, struct heap_stats *out);

/* One byte a cell: 0 free, 1 + tag used, mixed cells show the majority (the
 * smaller number when tied). Cells beyond the pages repeat them; a heap of no
 * pages is free. */
void spn__heap_map(const struct heap *heap, uint8_t *cells,
                   uint32_t cell_count);

/* Do all invariants hold? Survives any damage to the metadata. O(pages). */
bool spn__heap_check(const struct heap *heap);

#endif
