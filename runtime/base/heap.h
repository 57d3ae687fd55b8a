/* heap.h - the fixed heap: page runs, extent lists, generation handles.
 *
 * One arena of pages; all metadata lies outside it. A block is a list of
 * extents, each a whole number of pages and page-aligned; every extent but
 * the last is a multiple of the block's *unit*, the bytes that must be
 * contiguous. A unit of one page makes external fragmentation impossible; a
 * unit as large as the block gives one piece. Nothing ever moves.
 *
 * Bound: with P live extents, n pages in units of U pages (sizes that are
 * multiples of the unit) are found whenever
 *     free pages >= n + (P + 1) * (U - 1),
 * and for sizes that are not, whenever free >= n + (P + 1) * U; provided the
 * block's extents fit HEAP_EXTENTS_MAX. Every call is O(1) in the heap's size
 * and O(extents) in the block's.
 *
 * Owner: one thread makes all calls (the caller's). The extents of a live
 * block never change, so other threads that were handed a handle through a
 * ring or a job may read them.
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

struct heap_record; /* heap.c */

struct heap_stats {
    uint32_t page_bytes;
    uint32_t page_count;
    uint32_t free_pages;
    uint32_t live_blocks;
    uint32_t live_extents;
    uint32_t largest_run_pages;
    uint64_t live_bytes;      /* as asked for, without page slack */
    uint64_t live_bytes_peak;
    uint32_t used_pages_peak;
    uint64_t tag_bytes[HEAP_TAG_COUNT];
    uint32_t failed_no_memory; /* free pages were fewer than asked for */
    uint32_t failed_fragmented;
    uint32_t failed_no_record;
};

struct heap {
    uint8_t *arena;
    uint32_t page_shift;
    uint32_t page_count;
    struct heap_record *records;
    uint32_t record_count;
    uint32_t first_free_record;
    uint16_t *run_pages;  /* at both ends of a free run */
    uint16_t *run_next;   /* class lists, at the first page */
    uint16_t *run_prev;
    uint16_t *owner;      /* record + 1 at both ends of a used extent */
    uint16_t class_word;
    uint16_t class_bits[16];
    uint16_t class_head[256];
    struct heap_stats stats;
};

/* Pages that `bytes` of arena give at most: 65534 a heap. */
#define HEAP_PAGES_MAX 65534u

/* Cut metadata for `page_count` pages and `record_count` records (<= 65534),
 * and the arena itself, page-aligned. page_shift 12..16. */
void spn__heap_init(struct heap *heap, struct carve *carve,
                    uint32_t page_count, uint32_t page_shift,
                    uint32_t record_count);

/* Allocate `bytes` > 0 in units of `unit_bytes` (rounded up to pages; 0: one
 * page; >= bytes: one extent). Returns SPN_NO_MEMORY_NOW when it does not fit
 * now; the statistics say why. Contents are undefined. */
SPN_NODISCARD spn_status spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                         uint32_t unit_bytes,
                                         enum heap_tag tag,
                                         heap_handle *out);
/* False for a stale handle: nothing changes. */
bool spn__heap_free(struct heap *heap, heap_handle handle);

bool spn__heap_is_live(const struct heap *heap, heap_handle handle);
uint32_t spn__heap_bytes(const struct heap *heap, heap_handle handle);
uint32_t spn__heap_extent_count(const struct heap *heap, heap_handle handle);
/* Address and bytes of extent `index`; the last one's bytes end with the
 * block's. */
void *spn__heap_extent(const struct heap *heap, heap_handle handle,
                       uint32_t index, uint32_t *bytes);
/* The block's address when it is one extent, else NULL. */
void *spn__heap_data(const struct heap *heap, heap_handle handle);
/* Contiguous view of [offset, offset + bytes): a pointer into the block, or,
 * when the range crosses a seam, `bounce` (>= bytes) filled with a copy. */
const void *spn__heap_view(const struct heap *heap, heap_handle handle,
                           uint32_t offset, uint32_t bytes, void *bounce);

uint32_t spn__heap_free_pages(const struct heap *heap);
void spn__heap_get_stats(const struct heap *heap, struct heap_stats *out);

/* One byte a cell: 0 free, 1 + tag used, mixed cells show the majority. */
void spn__heap_map(const struct heap *heap, uint8_t *cells,
                   uint32_t cell_count);

/* Do all invariants hold? O(pages). */
bool spn__heap_check(const struct heap *heap);

#endif
