/* cache_memory.c - allocate and free the blocks of a cache. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_memory.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "cache/cache_lift.h"

#define WHOLE UINT32_MAX

/* True if all used pages of the heap belong to this cache, and nothing is
 * promised. An allocation that fails twice in this state can never succeed. */
static bool holds_all_used_pages(const struct cache *c)
{
    const struct heap *heap = c->manager->config.heap;

    return heap->page_count - spn__heap_free_pages(heap) == c->pages &&
           c->manager->promises.promised_pages == 0;
}

spn_status spn__cache_alloc(struct cache *c, uint64_t bytes,
                            uint32_t unit_bytes, enum heap_tag tag,
                            heap_handle *out)
{
    struct manager *m = c->manager;
    uint32_t pages;
    spn_status status;

    if (bytes > UINT32_MAX)
        return SPN_ERR_MEMORY;
    pages = spn__promise_pages(&m->promises, bytes);
    if (pages > m->config.heap->page_count - c->pages)
        return SPN_ERR_MEMORY;
    if (spn__promise_may_take(&m->promises, pages, 0))
        status = spn__heap_alloc(m->config.heap, (uint32_t)bytes, unit_bytes,
                                 tag, out);
    else
        status = SPN_NO_MEMORY_NOW;
    if (status == SPN_OK) {
        c->pages += pages;
        m->promises.static_pages += pages;
        if (c->pages > c->pages_peak)
            c->pages_peak = c->pages;
    } else {
        spn__promise_request_eviction(&m->promises, pages);
        if (c->was_refused && holds_all_used_pages(c))
            status = SPN_ERR_MEMORY;
    }
    c->was_refused = status != SPN_OK;
    return status;
}

void spn__cache_free(struct cache *c, heap_handle *handle)
{
    struct manager *m = c->manager;
    uint32_t pages;

    if (*handle == 0)
        return;
    pages = spn__promise_pages(&m->promises,
                               spn__heap_bytes(m->config.heap, *handle));
    SPN_ASSERT(pages <= c->pages && pages <= m->promises.static_pages);
    (void)spn__heap_free(m->config.heap, *handle);
    c->pages -= pages;
    m->promises.static_pages -= pages;
    *handle = 0;
}

static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return value / by + (value % by != 0);
}

/* Handles of chunks and blobs. The sum cannot wrap, because each frame, group
 * and blob has an entry in the tables of the file. */
static uint32_t handle_count(const struct cache *c)
{
    return c->frame_chunk_count + c->group_chunk_count + c->header.blob_count;
}

/* Count the arrays, or take them from a block, as the carve says. */
static void carve_cache(struct cache *c, struct carve *carve)
{
    const struct cache_header *h = &c->header;
    struct cache_plan *plan = &c->plan;

    c->frame_chunk_count = divide_up(h->frame_count, CACHE_CHUNK_FRAMES);
    c->group_chunk_count = divide_up(h->group_count, CACHE_CHUNK_GROUPS);
    c->frame_chunks =
        SPN_CARVE(carve, struct cache_frame *, c->frame_chunk_count);
    c->group_chunks =
        SPN_CARVE(carve, struct cache_group *, c->group_chunk_count);
    c->chunk_handles = SPN_CARVE(carve, heap_handle, handle_count(c));
    c->blob_data = SPN_CARVE(carve, uint8_t *, h->blob_count);
    plan->block_unit = SPN_CARVE(carve, uint32_t, h->block_count);
    plan->block_offset = SPN_CARVE(carve, uint32_t, h->block_count);
    plan->unit_bytes = SPN_CARVE(carve, uint32_t, (size_t)h->block_count + 1);
    c->tables_memory_bytes = spn__cache_tables_memory(h);
    c->tables_memory = SPN_CARVE(carve, uint8_t, c->tables_memory_bytes);
}

spn_status spn__cache_alloc_tables(struct cache *c)
{
    struct carve carve = {.limit = SIZE_MAX};
    spn_status status;

    carve_cache(c, &carve);
    if (carve.is_over)
        return SPN_ERR_MEMORY;
    status = spn__cache_alloc(c, carve.used, WHOLE, HEAP_TAG_STATIC,
                              &c->table_block);
    if (status != SPN_OK)
        return status;
    carve = (struct carve){
        .base = spn__heap_data(c->manager->config.heap, c->table_block),
        .limit = carve.used};
    carve_cache(c, &carve);
    SPN_ASSERT(!carve.is_over);
    c->blob_handles =
        c->chunk_handles + c->frame_chunk_count + c->group_chunk_count;
    return SPN_OK;
}

static uint32_t chunk_bytes(uint32_t chunk, uint32_t per_chunk, uint32_t count,
                            size_t bytes)
{
    uint32_t left = count - chunk * per_chunk;

    return (left < per_chunk ? left : per_chunk) * (uint32_t)bytes;
}

spn_status spn__cache_alloc_chunks(struct cache *c)
{
    const struct cache_header *h = &c->header;

    while (c->chunk_cursor < c->frame_chunk_count + c->group_chunk_count) {
        heap_handle *handle = &c->chunk_handles[c->chunk_cursor];
        bool is_frames = c->chunk_cursor < c->frame_chunk_count;
        uint32_t chunk = is_frames ? c->chunk_cursor
                                   : c->chunk_cursor - c->frame_chunk_count;
        uint32_t bytes =
            is_frames ? chunk_bytes(chunk, CACHE_CHUNK_FRAMES, h->frame_count,
                                    sizeof(struct cache_frame))
                      : chunk_bytes(chunk, CACHE_CHUNK_GROUPS, h->group_count,
                                    sizeof(struct cache_group));
        spn_status status =
            spn__cache_alloc(c, bytes, WHOLE, HEAP_TAG_STATIC, handle);
        void *data;

        if (status != SPN_OK)
            return status;
        data = spn__heap_data(c->manager->config.heap, *handle);
        if (is_frames)
            c->frame_chunks[chunk] = data;
        else
            c->group_chunks[chunk] = data;
        c->chunk_cursor++;
    }
    return SPN_OK;
}

spn_status spn__cache_alloc_blobs(struct cache *c)
{
    while (c->chunk_cursor < c->header.blob_count) {
        uint32_t i = c->chunk_cursor;
        const struct cache_blob *blob = &c->tables.blobs[i];
        const spn_status status =
            spn__cache_alloc(c, spn__cache_blob_memory(&c->tables, blob), WHOLE,
                             HEAP_TAG_STATIC, &c->blob_handles[i]);

        if (status != SPN_OK)
            return status;
        c->blob_data[i] =
            spn__heap_data(c->manager->config.heap, c->blob_handles[i]);
        c->chunk_cursor++;
    }
    return SPN_OK;
}

void spn__cache_drop_memory(struct cache *c)
{
    spn__cache_free(c, &c->read_block);
    spn__cache_free(c, &c->bounce_block);
    if (!c->table_block)
        return;
    for (uint32_t i = 0; i < handle_count(c); i++)
        spn__cache_free(c, &c->chunk_handles[i]);
    spn__cache_free(c, &c->table_block);
    SPN_ASSERT(c->pages == 0);
}
