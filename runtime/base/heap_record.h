/* heap_record.h - what the heap's own files share: records and conversions.
 *
 * A block is a chain of records. The first carries the block's size and its
 * handle; each but the last is full. Free records form a list through `next`.
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
    HEAP_RECORD_FIRST, /* of a block: its handle names this one */
    HEAP_RECORD_MORE   /* of a block, reached through `next` only */
};

struct heap_record {
    uint32_t bytes;        /* of the block; first record only */
    uint16_t generation;   /* 1..HEAP_GENERATION_MAX */
    uint16_t next;         /* of the chain or of the free list */
    uint16_t unit_pages;   /* first record only */
    uint16_t extent_count; /* of the block; first record only */
    uint8_t held;          /* extents of this record */
    uint8_t state;         /* enum heap_record_state */
    uint8_t tag;           /* enum heap_tag */
    struct heap_extent extents[HEAP_RECORD_EXTENTS];
};

/* Pages that hold `bytes` > 0. */
static inline uint32_t spn__heap_pages(const struct heap *heap, uint32_t bytes)
{
    return ((bytes - 1) >> heap->page_shift) + 1;
}

/* Class of a run: lengths below 32 have one each, longer ones share one with
 * those of the same five leading bits. Row << 4 | column. */
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
