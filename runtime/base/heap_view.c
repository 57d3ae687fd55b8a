/* heap_view.c - access to the bytes of live blocks, from their records. */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "base/assert.h"
#include "base/heap.h"
#include "base/heap_record.h"
#include "base/mem.h"

static void *address(const struct heap *heap, uint32_t page)
{
    return heap->arena + ((size_t)page << heap->page_shift);
}

bool spn__heap_is_live(const struct heap *heap, heap_handle handle)
{
    return spn__heap_find(heap, handle) != NULL;
}

bool spn__heap_is_tagged(const struct heap *heap, heap_handle handle,
                         enum heap_tag tag)
{
    const struct heap_record *first = spn__heap_find(heap, handle);

    return first && first->tag == tag;
}

uint32_t spn__heap_bytes(const struct heap *heap, heap_handle handle)
{
    const struct heap_record *first = spn__heap_find(heap, handle);

    return first ? first->bytes : 0;
}

uint32_t spn__heap_extent_count(const struct heap *heap, heap_handle handle)
{
    const struct heap_record *first = spn__heap_find(heap, handle);

    return first ? first->extent_count : 0;
}

void *spn__heap_extent(const struct heap *heap, heap_handle handle,
                       uint32_t index, uint32_t *bytes)
{
    const struct heap_record *first = spn__heap_find(heap, handle);
    const struct heap_record *record = first;
    struct heap_extent extent;

    *bytes = 0;
    if (!first || index >= first->extent_count)
        return NULL;
    for (uint32_t i = index / HEAP_RECORD_EXTENTS; i > 0; i--)
        record = &heap->records[record->next];
    extent = record->extents[index % HEAP_RECORD_EXTENTS];
    *bytes = (uint32_t)extent.pages << heap->page_shift;
    if (index + 1 == first->extent_count) {
        /* The last page holds 1..page bytes of the block. */
        uint32_t slack_mask = (1u << heap->page_shift) - 1;

        *bytes -= (0u - first->bytes) & slack_mask;
    }
    return address(heap, extent.start);
}

void *spn__heap_data(const struct heap *heap, heap_handle handle)
{
    const struct heap_record *first = spn__heap_find(heap, handle);

    if (!first || first->extent_count != 1)
        return NULL;
    return address(heap, first->extents[0].start);
}

void spn__heap_walk_begin(const struct heap *heap, heap_handle handle,
                          struct heap_walk *walk)
{
    walk->heap = heap;
    walk->record = spn__heap_find(heap, handle);
    walk->slot = 0;
    walk->bytes_left = walk->record ? walk->record->bytes : 0;
}

void *spn__heap_walk_next(struct heap_walk *walk, uint32_t *bytes)
{
    const struct heap_record *record = walk->record;
    const struct heap_extent *extent;
    uint32_t size;

    *bytes = 0;
    if (!record)
        return NULL;
    extent = &record->extents[walk->slot++];
    size = (uint32_t)extent->pages << walk->heap->page_shift;
    if (size >= walk->bytes_left) {
        size = walk->bytes_left;
        walk->record = NULL;
    } else if (walk->slot == HEAP_RECORD_EXTENTS) {
        walk->record = &walk->heap->records[record->next];
        walk->slot = 0;
    }
    walk->bytes_left -= size;
    *bytes = size;
    return address(walk->heap, extent->start);
}

const void *spn__heap_view(const struct heap *heap, heap_handle handle,
                           uint32_t offset, uint32_t bytes, void *bounce)
{
    struct heap_walk walk;
    uint8_t *target = bounce;
    const uint8_t *piece;
    uint32_t size;

    spn__heap_walk_begin(heap, handle, &walk);
    if (bytes == 0 || offset > walk.bytes_left ||
        bytes > walk.bytes_left - offset)
        return NULL;
    piece = spn__heap_walk_next(&walk, &size);
    while (offset >= size) {
        offset -= size;
        piece = spn__heap_walk_next(&walk, &size);
    }
    piece += offset;
    size -= offset;
    if (bytes <= size)
        return piece;

    for (;;) {
        uint32_t part = bytes < size ? bytes : size;

        SPN_ASSERT(part > 0);
        SPN_ASSERT(piece != NULL);
        memcpy(target, piece, part);
        target += part;
        bytes -= part;
        if (bytes == 0)
            return bounce;
        piece = spn__heap_walk_next(&walk, &size);
    }
}
