/* heap_record.h - records of blocks, shared by the files of the heap.
 *
 * A block is a chain of records. The handle names the first record, which has
 * the block's size. All records of a chain except the last are full. Free
 * records form a list. Both kinds of list are linked by `next`.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HEAP_RECORD_H
#define SPN_BASE_HEAP_RECORD_H

#include "base/compiler.h"
#include "base/heap.h"

#define HEAP_NONE 0xFFFFu /* no page, no record */
#define HEAP_ROWS 16u
#define HEAP_COLUMNS 16u
#define HEAP_GENERATION_MAX 0x7FFFu

enum heap_record_state {
    HEAP_RECORD_FREE,
    HEAP_RECORD_FIRST, /* the first record of a block */
    HEAP_RECORD_MORE   /* a further record of a block */
};

struct heap_record {
    uint32_t bytes;        /* of the block; first record only */
    uint16_t generation;   /* 1..HEAP_GENERATION_MAX */
    uint16_t next;         /* record of the chain or of the free list */
    uint16_t unit_pages;   /* of the block; first record only */
    uint16_t extent_count; /* of the block; first record only */
    uint8_t used;          /* elements of `extents` in use */
    uint8_t state;         /* enum heap_record_state */
    uint8_t tag;           /* enum heap_tag */
    struct heap_extent extents[HEAP_RECORD_EXTENTS];
};

/* Pages that hold `bytes` > 0. */
static inline uint32_t spn__heap_pages(const struct heap *heap, uint32_t bytes)
{
    return ((bytes - 1) >> heap->page_shift) + 1;
}

/* Size class of a span, as row << 4 | column. Each length below 32 pages has a
 * class of its own; longer spans share a class when their five leading bits are
 * equal. */
static inline uint32_t spn__heap_class(uint32_t pages)
{
    uint32_t log2;

    if (pages < HEAP_COLUMNS)
        return pages;
    log2 = compiler_highest_bit(pages);
    return (log2 - 3) << 4 | (pages >> (log2 - 4) & 15u);
}

/* The first record of a live block, or NULL. */
static inline const struct heap_record *spn__heap_find(const struct heap *heap,
                                                       heap_handle handle)
{
    uint32_t index = handle & 0xFFFFu;
    const struct heap_record *record;

    if (index >= heap->record_count)
        return NULL;
    record = &heap->records[index];
    if (record->state != HEAP_RECORD_FIRST ||
        record->generation != handle >> 16)
        return NULL;
    return record;
}

#endif
