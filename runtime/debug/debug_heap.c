/* debug_heap.c - the extents of the heap and their owners. */
/* SPDX-License-Identifier: MIT */
#include "debug/debug_heap.h"

#include "base/assert.h"
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "base/minmax.h"
#include "debug/debug_nodes.h"
#include "play/cache.h"
#include "play/cache_memory.h"
#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/node/node.h"

#include <spindle/features.h>

#if SPN_WITH_OBSERVERS

/* What the extents of a block have in common. */
struct owner {
    spn_cache cache;
    spn_node node;
    uint32_t first;
    uint32_t last;
    uint32_t age;
    bool is_busy;
};

struct list {
    const struct manager *manager;
    spn_debug_extent *extents;
    uint32_t count;
};

uint32_t spn__debug_extent_count(const struct manager *m)
{
    return spn__heap_piece_count(m->config.heap);
}

static spn_debug_kind kind_of(const struct heap_piece *piece)
{
    if (piece->is_free)
        return SPN_DEBUG_FREE;
    switch (piece->tag) {
    case HEAP_TAG_READ:
        return SPN_DEBUG_COMPRESSED;
    case HEAP_TAG_DECODED:
        return SPN_DEBUG_DECODED;
    case HEAP_TAG_STATIC:
        return SPN_DEBUG_STATIC;
    case HEAP_TAG_USER:
    case HEAP_TAG_COUNT:
        break;
    }
    return SPN_DEBUG_BLOCK;
}

static void list_extents(const struct list *list)
{
    uint32_t page = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        struct heap_piece piece;

        spn__heap_piece_at(list->manager->config.heap, page, &piece);
        list->extents[i] = (spn_debug_extent){.first_page = page,
                                              .page_count = piece.page_count,
                                              .kind = kind_of(&piece),
                                              .age = SPN_DEBUG_NO_AGE};
        page += piece.page_count;
    }
    SPN_ASSERT(page == list->manager->config.heap->page_count);
}

spn_debug_extent *spn__debug_extent_at(spn_debug_extent *extents,
                                       uint32_t count, uint32_t page)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (extents[middle].first_page <= page)
            low = middle;
        else
            high = middle;
    }
    SPN_ASSERT(extents[low].first_page == page);
    return &extents[low];
}

static void own(const struct list *list, heap_handle block,
                const struct owner *owner)
{
    const struct heap *heap = list->manager->config.heap;
    struct heap_walk walk;
    const uint8_t *data;
    uint32_t bytes;

    if (block == 0)
        return;
    spn__heap_walk_begin(heap, block, &walk);
    while ((data = spn__heap_walk_next(&walk, &bytes)) != NULL) {
        spn_debug_extent *e = spn__debug_extent_at(
            list->extents, list->count,
            (uint32_t)((data - heap->arena) >> heap->page_shift));

        e->cache = owner->cache;
        e->node = owner->node;
        e->first = owner->first;
        e->last = owner->last;
        e->age = owner->age;
        e->is_busy = owner->is_busy;
    }
}

static spn_node node_of(const struct manager *m, const struct account *a)
{
    return spn__debug_node_handle(&m->nodes[a->index - 1]);
}

/* The node whose cursor was charged last, in this update. */
static spn_node charged_node(const struct manager *m, const struct kept *k)
{
    if (!kept_is_needed(&m->promises.keeper, k) || k->charged_to == 0)
        return 0;
    return spn__debug_node_handle(&m->nodes[k->charged_to - 1]);
}

static uint32_t age_of(const struct manager *m, const struct kept *k)
{
    return m->promises.keeper.stamp - k->stamp;
}

static void own_static(const struct list *list, const struct cache *c)
{
    const struct owner owner = {.cache = c->handle, .age = SPN_DEBUG_NO_AGE};
    heap_handle block;

    for (uint32_t i = 0; spn__cache_block_at(c, i, &block); i++)
        own(list, block, &owner);
}

/* Frames begin with a page each, so they compete for the same few lines of the
 * processor's cache, and are hardly ever in it. Some are read side by side, so
 * that the processor waits for all of them at once. */
#define FRAMES_AT_ONCE 8u

struct frame_facts {
    uint32_t number;
    const struct frame_slot *slot;
    const heap_handle *handles;
    heap_handle first_handle;
    const struct account *owner;
    bool is_pinned;
};

/* The next frames with memory from number *from on. */
static uint32_t read_frames(const struct cache *c, uint32_t *from,
                            struct frame_facts out[FRAMES_AT_ONCE])
{
    uint32_t count = 0;

    while (count < FRAMES_AT_ONCE &&
           (*from = spn__frame_slot_next(c, *from)) != CACHE_NONE) {
        const struct frame_slot *slot = frame_slot_at(c, *from);

        if (slot->frame)
            out[count++] =
                (struct frame_facts){.number = *from,
                                     .slot = slot,
                                     .handles = slot->frame->handles,
                                     .owner = slot->frame->owner,
                                     .is_pinned = slot->frame->pins > 0};
        ++*from;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i].first_handle = out[i].handles[0];
    return count;
}

static void own_frame(const struct list *list, const struct cache *c,
                      const struct frame_facts *f)
{
    const bool is_running = f->slot->state == FRAME_RUNNING;
    const struct owner owner = {
        .cache = c->handle,
        .node = is_running ? node_of(list->manager, f->owner)
                           : charged_node(list->manager, &f->slot->kept),
        .first = f->number,
        .last = f->number,
        .age = age_of(list->manager, &f->slot->kept),
        .is_busy = is_running || f->is_pinned || kept_is_read(&f->slot->kept)};

    own(list, f->first_handle, &owner);
    for (uint32_t i = 1; i < c->plan.unit_count; i++)
        own(list, f->handles[i], &owner);
}

static void own_frames(const struct list *list, const struct cache *c)
{
    struct frame_facts frames[FRAMES_AT_ONCE];
    uint32_t from = 0;
    uint32_t count;

    while ((count = read_frames(c, &from, frames)) > 0)
        for (uint32_t i = 0; i < count; i++)
            own_frame(list, c, &frames[i]);
}

static void own_read(const struct list *list, const struct group_read *r)
{
    const bool is_busy = r->state != READ_DONE;
    const struct owner owner = {
        .cache = r->cache->handle,
        .node = is_busy ? node_of(list->manager, r->owner)
                        : charged_node(list->manager, &r->kept),
        .first = r->first_group,
        .last = r->last_group,
        .age = age_of(list->manager, &r->kept),
        .is_busy = is_busy || r->pins > 0};

    own(list, r->block, &owner);
}

static void own_all(const struct list *list)
{
    const struct manager *m = list->manager;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        const struct cache *c = &m->caches[i];

        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        own_static(list, c);
        if (c->state == CACHE_READY)
            own_frames(list, c);
    }
    for (uint32_t i = 0; i < m->group_reads.capacity; i++)
        if (m->group_reads.table[i].state != READ_FREE)
            own_read(list, &m->group_reads.table[i]);
}

void spn__debug_extents(const struct manager *m, spn_debug_extent *extents,
                        uint32_t count)
{
    const struct list list = {m, extents, count};

    list_extents(&list);
    if (SPN_WITH_GEOMETRY)
        own_all(&list);
}

void spn__debug_heap(const struct manager *m, const spn_debug_extent *extents,
                     uint32_t count, spn_debug_heap *out)
{
    const struct promises *p = &m->promises;
    const struct heap *heap = m->config.heap;

    *out = (spn_debug_heap){.page_bytes = heap->stats.page_bytes,
                            .page_count = heap->page_count,
                            .free_spans = heap->stats.free_spans,
                            .promised = p->promised_pages,
                            .needed = p->keeper.needed_pages,
                            .held = p->keeper.held_pages,
                            .limit = min_u32(p->limit_pages, heap->page_count),
                            .failed_no_memory = heap->stats.failed_no_memory,
                            .failed_fragmented = heap->stats.failed_fragmented,
                            .failed_no_record = heap->stats.failed_no_record,
                            .evicted_frames = p->evicted_frames,
                            .evicted_reads = p->evicted_reads};
    for (uint32_t i = 0; i < count; i++)
        out->pages[extents[i].kind] += extents[i].page_count;
}

#endif
