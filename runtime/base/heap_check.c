/* heap_check.c - statistics, map and invariants of a heap.
 *
 * The check visits all spans and extents in the order of the arena, then the
 * lists of the size classes, then the records, and compares the three results
 * with each other and with the statistics. Every number is validated before it
 * is used as an index, so that damaged metadata is safe to check.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/assert.h"
#include "base/heap.h"
#include "base/heap_record.h"

/* -- segments: free spans and used extents, in the arena's order -- */

struct segment {
    uint32_t pages;  /* 0: the metadata is damaged here */
    uint32_t record; /* HEAP_NONE: a free span */
};

static struct segment segment_at(const struct heap *heap, uint32_t page)
{
    struct segment segment = {0, HEAP_NONE};
    const struct heap_record *record;

    if (heap->owner[page] == 0) {
        segment.pages = heap->span_pages[page];
    } else if (heap->owner[page] <= heap->record_count) {
        segment.record = heap->owner[page] - 1u;
        record = &heap->records[segment.record];
        for (uint32_t i = 0; i < record->used && i < HEAP_RECORD_EXTENTS; i++)
            if (record->extents[i].start == page)
                segment.pages = record->extents[i].pages;
    }
    if (segment.pages > heap->page_count - page)
        segment.pages = 0;
    return segment;
}

/* -- statistics and map -- */

void spn__heap_get_stats(const struct heap *heap, struct heap_stats *out)
{
    uint32_t largest = 0;

    for (uint32_t class = heap->row_bits ? HEAP_ROWS * HEAP_COLUMNS : 0;
         class -- > 0;) {
        uint32_t span = heap->class_head[class];

        for (; span != HEAP_NONE; span = heap->span_next[span])
            if (heap->span_pages[span] > largest)
                largest = heap->span_pages[span];
        if (largest)
            break;
    }
    *out = heap->stats;
    out->largest_span_pages = largest;
}

static uint8_t majority(const uint32_t pages[1 + HEAP_TAG_COUNT])
{
    uint32_t best = 0;

    for (uint32_t kind = 1; kind < 1 + HEAP_TAG_COUNT; kind++)
        if (pages[kind] > pages[best])
            best = kind;
    return (uint8_t)best;
}

void spn__heap_map(const struct heap *heap, uint8_t *cells, uint32_t cell_count)
{
    uint32_t limit = 0; /* end of the current segment */
    uint32_t kind = 0;

    for (uint32_t cell = 0; cell < cell_count; cell++) {
        uint64_t pages = heap->page_count;
        uint32_t page = (uint32_t)(cell * pages / cell_count);
        uint32_t end = (uint32_t)((cell + 1) * pages / cell_count);
        uint32_t count[1 + HEAP_TAG_COUNT] = {0};

        if (end == page && pages > 0)
            end = page + 1;
        while (page < end) {
            uint32_t until;

            while (limit <= page) {
                struct segment segment = segment_at(heap, limit);

                if (segment.pages == 0)
                    segment.pages = heap->page_count - limit;
                kind = segment.record == HEAP_NONE
                           ? 0
                           : 1u + heap->records[segment.record].tag;
                limit += segment.pages;
            }
            until = limit < end ? limit : end;
            count[kind] += until - page;
            page = until;
        }
        cells[cell] = majority(count);
    }
}

/* -- the check -- */

struct census {
    uint32_t free_pages;
    uint32_t free_spans;
    uint32_t extents;
};

/* Whether both ends of a segment agree and all pages between them have 0. */
static bool is_segment_whole(const struct heap *heap, uint32_t start,
                             struct segment segment)
{
    uint32_t last = start + segment.pages - 1;
    bool is_free = segment.record == HEAP_NONE;
    uint32_t owner = is_free ? 0 : segment.record + 1;
    uint32_t pages = is_free ? segment.pages : 0;

    if (heap->owner[start] != owner || heap->owner[last] != owner ||
        heap->span_pages[start] != pages || heap->span_pages[last] != pages)
        return false;
    for (uint32_t page = start + 1; page < last; page++)
        if (heap->owner[page] != 0 || heap->span_pages[page] != 0)
            return false;
    return true;
}

static bool check_arena(const struct heap *heap, struct census *census)
{
    bool was_free = false;

    for (uint32_t page = 0; page < heap->page_count;) {
        struct segment segment = segment_at(heap, page);
        bool is_free = segment.record == HEAP_NONE;

        if (segment.pages == 0 || (is_free && was_free) ||
            !is_segment_whole(heap, page, segment))
            return false;
        if (is_free) {
            census->free_pages += segment.pages;
            census->free_spans++;
        } else if (heap->records[segment.record].state == HEAP_RECORD_FREE) {
            return false;
        } else {
            census->extents++;
        }
        was_free = is_free;
        page += segment.pages;
    }
    return true;
}

/* Check the list of one class: every element is the first page of a free span
 * of the class, and is linked both ways, so that there is no cycle. check_arena
 * has succeeded before. */
static bool check_class(const struct heap *heap, uint32_t class,
                        uint32_t *span_count)
{
    uint32_t before = HEAP_NONE;
    uint32_t span = heap->class_head[class];
    uint32_t columns = heap->column_bits[class >> 4];

    if ((columns >> (class & 15u) & 1u) != (span != HEAP_NONE))
        return false;
    while (span != HEAP_NONE) {
        if (span >= heap->page_count || heap->span_pages[span] == 0 ||
            (span > 0 && heap->owner[span - 1] == 0) ||
            spn__heap_class(heap->span_pages[span]) != class ||
            heap->span_prev[span] != before)
            return false;
        ++*span_count;
        before = span;
        span = heap->span_next[span];
    }
    return true;
}

static bool check_classes(const struct heap *heap, uint32_t free_spans)
{
    uint32_t span_count = 0;

    uint32_t rows = heap->row_bits;

    if (!heap->arena)
        return rows == 0 && free_spans == 0;
    for (uint32_t row = 0; row < HEAP_ROWS; row++) {
        if ((rows >> row & 1u) != (heap->column_bits[row] != 0))
            return false;
        for (uint32_t column = 0; column < HEAP_COLUMNS; column++)
            if (!check_class(heap, row << 4 | column, &span_count))
                return false;
    }
    return span_count == free_spans;
}

/* Check the extents of one record: the record owns both ends of each, and all
 * except the last of the block are whole units. Adds their pages to *pages. */
static bool check_record(const struct heap *heap, uint32_t index,
                         uint32_t unit_pages, uint32_t *pages)
{
    const struct heap_record *record = &heap->records[index];
    bool is_last = record->next == HEAP_NONE;

    if (record->used == 0 || record->used > HEAP_RECORD_EXTENTS ||
        (!is_last && record->used != HEAP_RECORD_EXTENTS))
        return false;
    for (uint32_t i = 0; i < record->used; i++) {
        struct heap_extent extent = record->extents[i];

        if (extent.pages == 0 || extent.start >= heap->page_count ||
            extent.pages > heap->page_count - extent.start ||
            heap->owner[extent.start] != index + 1 ||
            heap->owner[extent.start + extent.pages - 1u] != index + 1)
            return false;
        if (!(is_last && i + 1u == record->used) &&
            extent.pages % unit_pages != 0)
            return false;
        *pages += extent.pages;
    }
    return true;
}

/* Check one block, from its first record, and add it to *sum and *records. */
static bool check_block(const struct heap *heap, uint32_t index,
                        struct heap_stats *sum, uint32_t *records)
{
    const struct heap_record *first = &heap->records[index];
    uint32_t extents = 0;
    uint32_t pages = 0;

    if (first->bytes == 0 || first->unit_pages == 0 ||
        first->tag >= HEAP_TAG_COUNT || first->extent_count > HEAP_EXTENTS_MAX)
        return false;
    for (;;) {
        const struct heap_record *record = &heap->records[index];

        if (record->tag != first->tag ||
            !check_record(heap, index, first->unit_pages, &pages))
            return false;
        extents += record->used;
        ++*records;
        /* The chain is too long: it has a cycle. */
        if (extents > first->extent_count)
            return false;
        if (record->next == HEAP_NONE)
            break;
        index = record->next;
        if (index >= heap->record_count ||
            heap->records[index].state != HEAP_RECORD_MORE)
            return false;
    }
    sum->live_blocks++;
    sum->live_extents += extents;
    sum->live_bytes += first->bytes;
    sum->tag_bytes[first->tag] += first->bytes;
    return extents == first->extent_count &&
           pages == spn__heap_pages(heap, first->bytes);
}

static bool check_free_records(const struct heap *heap)
{
    uint32_t index = heap->first_free_record;
    uint32_t last = HEAP_NONE;

    /* The list ends after exactly this many records: it has no cycle. */
    for (uint32_t i = 0; i < heap->stats.free_records; i++) {
        if (index >= heap->record_count ||
            heap->records[index].state != HEAP_RECORD_FREE)
            return false;
        last = index;
        index = heap->records[index].next;
    }
    return index == HEAP_NONE && last == heap->last_free_record;
}

static bool check_records(const struct heap *heap, uint32_t extents)
{
    const struct heap_stats *stats = &heap->stats;
    struct heap_stats sum = {0};
    uint32_t used = 0;

    for (uint32_t i = 0; i < heap->record_count; i++) {
        const struct heap_record *record = &heap->records[i];

        if (record->generation == 0 || record->generation > HEAP_GENERATION_MAX)
            return false;
        if (record->state == HEAP_RECORD_FREE)
            sum.free_records++;
        else if (record->state == HEAP_RECORD_FIRST &&
                 !check_block(heap, i, &sum, &used))
            return false;
    }
    /* A record that no chain reaches makes the sum too small. */
    if (used + sum.free_records != heap->record_count ||
        sum.free_records != stats->free_records || !check_free_records(heap))
        return false;
    for (uint32_t tag = 0; tag < HEAP_TAG_COUNT; tag++)
        if (sum.tag_bytes[tag] != stats->tag_bytes[tag])
            return false;
    /* The arena has as many extents as the records, and each record owns both
     * ends of its extents: no extent has two records. */
    return sum.live_blocks == stats->live_blocks &&
           sum.live_extents == stats->live_extents &&
           sum.live_extents == extents && sum.live_bytes == stats->live_bytes;
}

uint32_t spn__heap_piece_count(const struct heap *heap)
{
    return heap->stats.free_spans + heap->stats.live_extents;
}

void spn__heap_piece_at(const struct heap *heap, uint32_t page,
                        struct heap_piece *out)
{
    const struct segment segment = segment_at(heap, page);

    SPN_ASSERT(segment.pages > 0);
    *out = (struct heap_piece){.first_page = page,
                               .page_count = segment.pages,
                               .is_free = segment.record == HEAP_NONE};
    if (!out->is_free)
        out->tag = (enum heap_tag)heap->records[segment.record].tag;
}

bool spn__heap_check(const struct heap *heap)
{
    const struct heap_stats *stats = &heap->stats;
    struct census census = {0};

    if (!check_arena(heap, &census))
        return false;
    if (census.free_pages != stats->free_pages ||
        census.free_spans != stats->free_spans ||
        stats->used_pages_peak < heap->page_count - stats->free_pages ||
        stats->live_bytes_peak < stats->live_bytes)
        return false;
    return check_classes(heap, census.free_spans) &&
           check_records(heap, census.extents);
}
