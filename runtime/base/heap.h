/* heap.h - the fixed heap: memory for blocks whose size is known at run time.
 *
 * The heap divides one arena into pages. Its metadata lies outside of the
 * arena. Blocks never move. Terms:
 *
 *   page    the smallest piece of the arena, 4 to 64 KiB
 *   span    a sequence of adjacent pages
 *   block   one allocation: a list of extents
 *   extent  a span that a block uses
 *   unit    the number of bytes of a block that must be contiguous. Every
 *           extent except the block's last is a multiple of it
 *   record  the metadata that lists up to HEAP_RECORD_EXTENTS extents of a
 *           block; longer lists are chains of records
 *   carve   the allocator that hands out parts of the memory of spn_init, or
 *           only counts their bytes (carve.h)
 *
 * With a unit of one page, a block of at most HEAP_EXTENTS_MAX pages fits
 * whenever enough pages and records are free. With a unit as large as the block
 * the block is one extent.
 *
 * heap_view.h reads the bytes of a live block; heap_check.h has statistics,
 * the map of the arena and the check of all invariants.
 *
 * Guarantee. Let
 *     n  the pages of the block (its bytes, rounded up to pages),
 *     U  the pages of its unit (n when the unit is larger than the block),
 *     P  the number of extents of all live blocks,
 *     V  the smallest number >= U of the form m * 2^k with m < 32.
 * An allocation succeeds whenever n <= HEAP_EXTENTS_MAX * U, one record is
 * free for every HEAP_RECORD_EXTENTS units of the block (rounded up), and
 *     free pages >= n + (P + 1) * (V - 1).
 * V = U for every U up to 32 and for every power of two. For U = 1 the last
 * condition says: n pages are free.
 *
 * An allocation beyond the guarantee is tried as well and may fail. The end of
 * this file has the proof.
 *
 * Cost: O(extents of the block), independent of the size of the heap.
 *
 * Thread: one thread (the caller's) makes all calls. The record of a live block
 * does not change, so that other threads which received a handle through a
 * queue or a job may use heap_view.h.
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

/* Purpose of a block. The statistics and the map are by tag. */
enum heap_tag {
    HEAP_TAG_READ,    /* compressed frames */
    HEAP_TAG_DECODED, /* decoded channels */
    HEAP_TAG_STATIC,  /* tables, indices, static channels */
    HEAP_TAG_USER,    /* blocks of the game: spn_block_alloc, and reads into
                         the heap */
    HEAP_TAG_COUNT
};

typedef uint32_t heap_handle; /* 0: none */

struct heap_extent {
    uint16_t start; /* its first page */
    uint16_t pages;
};

struct heap_record; /* heap_record.h */

struct heap_stats {
    uint32_t page_bytes;
    uint32_t page_count;
    uint32_t free_pages;
    uint32_t free_spans;
    uint32_t free_records;
    uint32_t live_blocks;
    uint32_t live_extents;
    uint32_t largest_span_pages;
    uint64_t live_bytes; /* as requested: not rounded up to pages */
    uint64_t live_bytes_peak;
    uint32_t used_pages_peak;
    uint64_t tag_bytes[HEAP_TAG_COUNT]; /* live bytes */
    /* failed allocations, by reason */
    uint32_t failed_no_memory;  /* too few free pages */
    uint32_t failed_fragmented; /* enough free pages, but in too short spans */
    uint32_t failed_no_record;  /* no free record */
};

/* Owner of all fields: the caller's thread. */
struct heap {
    uint8_t *arena;
    uint32_t page_shift;
    uint32_t page_count;
    struct heap_record *records;
    uint32_t record_count;
    /* Queue of free records, first in, first out, so that the generation of
     * one record does not advance faster than that of the others. */
    uint16_t first_free_record;
    uint16_t last_free_record;
    /* Tables with one element per page. */
    uint16_t *span_pages; /* pages of a free span, at its first and last page; 0
                            at all other pages */
    uint16_t *span_next; /* links of the list of a size class (see row_bits), at
                            the first page of a free span */
    uint16_t *span_prev;
    uint16_t *owner; /* index of the record + 1, at the first and last page of
                        a used extent; 0 at all other pages */
    /* Free spans by size class (heap_record.h): 16 rows of 16 columns. The
     * first row has the spans of 0 to 15 pages; row i > 0 has those of 2^(i+3)
     * to 2^(i+4) - 1 pages, divided evenly. */
    uint16_t row_bits;        /* rows with a span */
    uint16_t column_bits[16]; /* of each row: the columns with a span */
    /* Of each size class: the page of its first span; HEAP_NONE: it has no
     * span. NULL if the heap has no arena. */
    uint16_t *class_head;
    struct heap_stats stats; /* without largest_span_pages: it stays 0 here.
                               * spn__heap_stats computes it for its copy */
};

/* Most pages and records of a heap. */
#define HEAP_PAGES_MAX 65534u
#define HEAP_RECORDS_MAX 65534u

/* Take the metadata and the arena from `carve`.
 *
 * page_count    0..HEAP_PAGES_MAX
 * page_shift    12..16: pages of 1 << page_shift bytes
 * record_count  0..HEAP_RECORDS_MAX
 * carve         where the memory comes from (carve.h)
 *
 * The arena is aligned to pages; its contents are undefined. If `carve` only
 * counts bytes, or its memory is too small, the heap has no pages. */
void spn__heap_init(struct heap *heap, struct carve *carve, uint32_t page_count,
                    uint32_t page_shift, uint32_t record_count);

/* Allocate a block. Its contents are undefined.
 *
 * bytes       > 0
 * unit_bytes  contiguous bytes, rounded up to pages. 0: one page; >= bytes:
 *             one extent
 *
 * The same sequence of calls returns the same addresses. Returns
 * SPN_NO_MEMORY_NOW if the block does not fit now (the statistics say why), and
 * SPN_ERR_ARG for 0 bytes or an invalid tag. */
SPN_NODISCARD spn_status spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                         uint32_t unit_bytes, enum heap_tag tag,
                                         heap_handle *out);
/* Free a block. Returns false for a stale handle, without effect. The value of
 * a handle is reused after its record was used another 32767 times. */
bool spn__heap_free(struct heap *heap, heap_handle handle);

/* Change the purpose of a live block. */
void spn__heap_set_tag(struct heap *heap, heap_handle handle,
                       enum heap_tag tag);

/* O(1). */
uint32_t spn__heap_free_pages(const struct heap *heap);

/* Proof of the guarantee, with the symbols of the top of this file.
 *
 * The P extents of the live blocks leave at most P + 1 free spans between them.
 * Of a span of V pages or more, cut down to whole units, at most U - 1 <= V - 1
 * pages are lost. A shorter span has at most V - 1 pages. So, if n + (P + 1) *
 * (V - 1) pages are free, the spans of at least V pages hold all units of the
 * block.
 *
 * The search finds all of these spans. The lower bounds of the size classes are
 * numbers m * 2^k, and V is one of these bounds: in each class either every
 * span has at least V pages, or every span has fewer. The search takes spans
 * from the topmost class that is not empty.
 *
 * Every extent has at least one unit, so the block needs at most n / U extents,
 * rounded up. */

#endif
