/* heap.c - allocation: free spans, extents and records.
 *
 * Adjacent free pages always form one span. Free spans are in lists by size
 * class (heap_record.h), as in a two-level segregated fit allocator (TLSF): 16
 * rows of 16 columns with one bit each, so that the next larger class with a
 * span, and the largest one, are found by two bit scans. A search looks at no
 * more than LOOK_MAX elements of a list. The first and last page of a span have
 * its length, those of a used extent its record; all other pages have 0. So the
 * neighbours of freed pages are found without a search.
 *
 * The contents of the arena are never accessed.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "base/assert.h"
#include "base/compiler.h"
#include "base/heap_record.h"
#include "base/mem.h"
#include "base/minmax.h"

#include <spindle/memory.h>

#define LOOK_MAX 8u
#define PAGE_SHIFT_MIN 12u
#define PAGE_SHIFT_MAX 16u

SPN_STATIC_ASSERT(HEAP_EXTENTS_MAX % HEAP_RECORD_EXTENTS == 0, full_chains);
SPN_STATIC_ASSERT(HEAP_PAGES_MAX < HEAP_NONE, page_numbers);
SPN_STATIC_ASSERT(HEAP_RECORDS_MAX < HEAP_NONE, record_numbers);

/* -- bits -- */

/* Bits of a 16-bit word that are higher than `bit`. */
static uint32_t bits_above(uint32_t bits, uint32_t bit)
{
    return bits & (0xFFFEu << bit);
}

/* -- spans -- */

static void insert_span(struct heap *heap, uint32_t start, uint32_t pages)
{
    uint32_t class = spn__heap_class(pages);
    uint32_t row = class >> 4;
    uint16_t old = heap->class_head[class];

    heap->span_pages[start] = (uint16_t)pages;
    heap->span_pages[start + pages - 1] = (uint16_t)pages;
    heap->span_next[start] = old;
    heap->span_prev[start] = HEAP_NONE;
    if (old != HEAP_NONE)
        heap->span_prev[old] = (uint16_t)start;
    heap->class_head[class] = (uint16_t)start;
    heap->column_bits[row] |= (uint16_t)(1u << (class & 15u));
    heap->row_bits |= (uint16_t)(1u << row);
    heap->stats.free_spans++;
}

/* Remove a span from its list. Returns its pages. */
static uint32_t remove_span(struct heap *heap, uint32_t start)
{
    uint32_t pages = heap->span_pages[start];
    uint32_t class = spn__heap_class(pages);
    uint32_t row = class >> 4;
    uint16_t next = heap->span_next[start];
    uint16_t prev = heap->span_prev[start];

    if (next != HEAP_NONE)
        heap->span_prev[next] = prev;
    if (prev != HEAP_NONE)
        heap->span_next[prev] = next;
    else
        heap->class_head[class] = next;
    if (heap->class_head[class] == HEAP_NONE) {
        heap->column_bits[row] &= (uint16_t) ~(1u << (class & 15u));
        if (heap->column_bits[row] == 0)
            heap->row_bits &= (uint16_t) ~(1u << row);
    }
    heap->span_pages[start] = 0;
    heap->span_pages[start + pages - 1] = 0;
    heap->stats.free_spans--;
    return pages;
}

/* The shortest span of at least `pages` among the first LOOK_MAX of a class. */
static uint32_t best_of_class(const struct heap *heap, uint32_t class,
                              uint32_t pages)
{
    uint32_t best = HEAP_NONE;
    uint32_t span = heap->class_head[class];

    for (uint32_t i = 0; i < LOOK_MAX && span != HEAP_NONE; i++) {
        uint32_t length = heap->span_pages[span];

        if (length >= pages &&
            (best == HEAP_NONE || length < heap->span_pages[best]))
            best = span;
        span = heap->span_next[span];
    }
    return best;
}

/* A span of at least `pages`, preferably a short one; HEAP_NONE: none was
 * found. It may miss spans in the class of `pages` itself, but not in larger
 * classes.
 */
static uint32_t find_fitting(const struct heap *heap, uint32_t pages)
{
    uint32_t class = spn__heap_class(pages);
    uint32_t row = class >> 4;
    uint32_t best = best_of_class(heap, class, pages);
    uint32_t columns;

    if (best != HEAP_NONE)
        return best;
    columns = bits_above(heap->column_bits[row], class & 15u);
    if (columns == 0) {
        uint32_t rows = bits_above(heap->row_bits, row);

        if (rows == 0)
            return HEAP_NONE;
        row = compiler_lowest_bit(rows);
        columns = heap->column_bits[row];
    }
    return best_of_class(heap, row << 4 | compiler_lowest_bit(columns), pages);
}

/* The longest of the first LOOK_MAX spans of the largest class that has spans.
 * At least one page is free. */
static uint32_t find_long(const struct heap *heap)
{
    uint32_t row;
    uint32_t span;
    uint32_t best;

    SPN_ASSERT(heap->row_bits != 0);
    row = compiler_highest_bit(heap->row_bits);
    span = heap->class_head[row << 4 |
                            compiler_highest_bit(heap->column_bits[row])];
    best = span;
    for (uint32_t i = 0; i < LOOK_MAX && span != HEAP_NONE; i++) {
        if (heap->span_pages[span] > heap->span_pages[best])
            best = span;
        span = heap->span_next[span];
    }
    return best;
}

/* -- extents -- */

static void take_extent(struct heap *heap, uint32_t start, uint32_t pages,
                        uint32_t record)
{
    uint32_t length = remove_span(heap, start);

    SPN_ASSERT(pages > 0 && pages <= length);
    if (length > pages)
        insert_span(heap, start + pages, length - pages);
    heap->owner[start] = (uint16_t)(record + 1);
    heap->owner[start + pages - 1] = (uint16_t)(record + 1);
    heap->stats.free_pages -= pages;
}

static void give_extent(struct heap *heap, uint32_t start, uint32_t pages)
{
    uint32_t limit = start + pages;

    heap->owner[start] = 0;
    heap->owner[limit - 1] = 0;
    heap->stats.free_pages += pages;
    if (limit < heap->page_count && heap->span_pages[limit] != 0)
        limit += remove_span(heap, limit);
    if (start > 0 && heap->span_pages[start - 1] != 0) {
        start -= heap->span_pages[start - 1];
        remove_span(heap, start);
    }
    insert_span(heap, start, limit - start);
}

/* -- records -- */

static uint32_t take_record(struct heap *heap, enum heap_record_state state,
                            enum heap_tag tag)
{
    uint32_t index = heap->first_free_record;
    struct heap_record *record;

    if (index == HEAP_NONE)
        return HEAP_NONE;
    record = &heap->records[index];
    heap->first_free_record = record->next;
    if (heap->first_free_record == HEAP_NONE)
        heap->last_free_record = HEAP_NONE;
    heap->stats.free_records--;
    record->bytes = 0;
    record->next = HEAP_NONE;
    record->unit_pages = 0;
    record->extent_count = 0;
    record->used = 0;
    record->state = (uint8_t)state;
    record->tag = (uint8_t)tag;
    return index;
}

static void give_record(struct heap *heap, uint32_t index)
{
    struct heap_record *record = &heap->records[index];

    record->state = HEAP_RECORD_FREE;
    record->generation = record->generation == HEAP_GENERATION_MAX
                             ? 1
                             : (uint16_t)(record->generation + 1);
    record->next = HEAP_NONE;
    if (heap->last_free_record == HEAP_NONE)
        heap->first_free_record = (uint16_t)index;
    else
        heap->records[heap->last_free_record].next = (uint16_t)index;
    heap->last_free_record = (uint16_t)index;
    heap->stats.free_records++;
}

/* Free the records of a chain and all their extents. */
static void give_chain(struct heap *heap, uint32_t index)
{
    while (index != HEAP_NONE) {
        const struct heap_record *record = &heap->records[index];
        uint32_t next = record->next;

        for (uint32_t i = 0; i < record->used; i++)
            give_extent(heap, record->extents[i].start,
                        record->extents[i].pages);
        give_record(heap, index);
        index = next;
    }
}

/* Append an extent to the block whose last record is *last. Returns false if
 * there is no free record. */
static bool append_extent(struct heap *heap, struct heap_record *first,
                          uint32_t *last, uint32_t start, uint32_t pages)
{
    struct heap_record *record = &heap->records[*last];

    if (record->used == HEAP_RECORD_EXTENTS) {
        uint32_t more =
            take_record(heap, HEAP_RECORD_MORE, (enum heap_tag)first->tag);

        if (more == HEAP_NONE)
            return false;
        record->next = (uint16_t)more;
        *last = more;
        record = &heap->records[more];
    }
    take_extent(heap, start, pages, *last);
    record->extents[record->used].start = (uint16_t)start;
    record->extents[record->used].pages = (uint16_t)pages;
    record->used++;
    first->extent_count++;
    return true;
}

/* -- the interface -- */

/* The part of spn__heap_check that takes O(1). */
static bool are_counts_possible(const struct heap *heap)
{
    const struct heap_stats *stats = &heap->stats;

    return stats->free_pages <= heap->page_count &&
           stats->free_spans <= stats->free_pages &&
           stats->live_bytes <= (uint64_t)(heap->page_count - stats->free_pages)
                                    << heap->page_shift;
}

void spn__heap_init(struct heap *heap, struct carve *carve, uint32_t page_count,
                    uint32_t page_shift, uint32_t record_count)
{
    SPN_ASSERT(page_count <= HEAP_PAGES_MAX);
    SPN_ASSERT(record_count <= HEAP_RECORDS_MAX);
    SPN_ASSERT(page_shift >= PAGE_SHIFT_MIN && page_shift <= PAGE_SHIFT_MAX);
    memset(heap, 0, sizeof *heap);
    spn__carve_for(carve, SPN_MEMORY_HEAP_TABLES);
    heap->records = SPN_CARVE(carve, struct heap_record, record_count);
    heap->span_pages = SPN_CARVE(carve, uint16_t, page_count);
    heap->span_next = SPN_CARVE(carve, uint16_t, page_count);
    heap->span_prev = SPN_CARVE(carve, uint16_t, page_count);
    heap->owner = SPN_CARVE(carve, uint16_t, page_count);
    heap->class_head = SPN_CARVE(carve, uint16_t, HEAP_ROWS * HEAP_COLUMNS);
    spn__carve_for(carve, SPN_MEMORY_HEAP);
    heap->arena = spn__carve_raw(carve, page_count, (size_t)1 << page_shift,
                                 (size_t)1 << page_shift);
    heap->page_shift = page_shift;
    heap->stats.page_bytes = 1u << page_shift;
    heap->first_free_record = HEAP_NONE;
    heap->last_free_record = HEAP_NONE;
    /* The arena is carved last: if there is none, the carve only counts or is
     * over. */
    if (!heap->arena)
        return;

    for (uint32_t i = 0; i < HEAP_ROWS * HEAP_COLUMNS; i++)
        heap->class_head[i] = HEAP_NONE;
    heap->page_count = page_count;
    heap->stats.page_count = page_count;
    heap->stats.free_pages = page_count;
    insert_span(heap, 0, page_count);
    heap->record_count = record_count;
    for (uint32_t i = 0; i < record_count; i++)
        give_record(heap, i);
}

static void count_block(struct heap *heap, const struct heap_record *first)
{
    struct heap_stats *stats = &heap->stats;
    uint32_t used_pages = stats->page_count - stats->free_pages;

    stats->live_blocks++;
    stats->live_extents += first->extent_count;
    stats->live_bytes += first->bytes;
    stats->tag_bytes[first->tag] += first->bytes;
    stats->live_bytes_peak = max_u64(stats->live_bytes_peak, stats->live_bytes);
    stats->used_pages_peak = max_u32(stats->used_pages_peak, used_pages);
}

/* Find and append extents of `pages` pages in total. On failure it returns
 * false, counts the reason, and leaves the extents that it has appended. */
static bool gather(struct heap *heap, uint32_t index, uint32_t pages)
{
    struct heap_record *first = &heap->records[index];
    uint32_t unit = first->unit_pages;
    uint32_t last = index;

    while (pages > 0) {
        uint32_t span = find_fitting(heap, pages);
        uint32_t take = pages;

        if (span == HEAP_NONE) {
            /* At least `pages` pages are free, so there is a span. */
            span = find_long(heap);
            take = heap->span_pages[span] / unit * unit;
        }
        if (take == 0 || first->extent_count == HEAP_EXTENTS_MAX) {
            heap->stats.failed_fragmented++;
            return false;
        }
        if (!append_extent(heap, first, &last, span, take)) {
            heap->stats.failed_no_record++;
            return false;
        }
        pages -= take;
    }
    return true;
}

spn_status spn__heap_alloc(struct heap *heap, uint32_t bytes,
                           uint32_t unit_bytes, enum heap_tag tag,
                           heap_handle *out)
{
    struct heap_record *first;
    uint32_t pages;
    uint32_t unit;
    uint32_t index;

    SPN_ASSERT(are_counts_possible(heap));
    if (bytes == 0 || (uint32_t)tag >= HEAP_TAG_COUNT)
        return SPN_ERR_ARG;
    pages = spn__heap_pages(heap, bytes);
    unit =
        unit_bytes == 0 ? 1 : min_u32(spn__heap_pages(heap, unit_bytes), pages);
    if (pages > heap->stats.free_pages) {
        heap->stats.failed_no_memory++;
        return SPN_NO_MEMORY_NOW;
    }
    index = take_record(heap, HEAP_RECORD_FIRST, tag);
    if (index == HEAP_NONE) {
        heap->stats.failed_no_record++;
        return SPN_NO_MEMORY_NOW;
    }
    first = &heap->records[index];
    first->bytes = bytes;
    first->unit_pages = (uint16_t)unit;
    if (!gather(heap, index, pages)) {
        give_chain(heap, index);
        return SPN_NO_MEMORY_NOW;
    }
    count_block(heap, first);
    *out = (uint32_t)first->generation << 16 | index;
    return SPN_OK;
}

bool spn__heap_free(struct heap *heap, heap_handle handle)
{
    const struct heap_record *first = spn__heap_find(heap, handle);

    if (!first)
        return false;
    heap->stats.live_blocks--;
    heap->stats.live_extents -= first->extent_count;
    heap->stats.live_bytes -= first->bytes;
    heap->stats.tag_bytes[first->tag] -= first->bytes;
    give_chain(heap, handle & 0xFFFFu);
    SPN_ASSERT(are_counts_possible(heap));
    return true;
}

void spn__heap_set_tag(struct heap *heap, heap_handle handle, enum heap_tag tag)
{
    const struct heap_record *first = spn__heap_find(heap, handle);
    uint32_t index;

    if (!first)
        return;
    heap->stats.tag_bytes[first->tag] -= first->bytes;
    heap->stats.tag_bytes[tag] += first->bytes;
    index = (uint32_t)(first - heap->records);
    while (index != HEAP_NONE) {
        heap->records[index].tag = (uint8_t)tag;
        index = heap->records[index].next;
    }
}

uint32_t spn__heap_free_pages(const struct heap *heap)
{
    return heap->stats.free_pages;
}
