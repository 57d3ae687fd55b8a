/* cache_memory.c - allocate and free the blocks of a cache. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_memory.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "cache/cache_lift.h"
#include "play/frame_slot.h"

#define WHOLE UINT32_MAX

/* True if all used pages of the heap belong to this cache and its meshes, or
 * can be freed at once, and nothing is promised. An allocation that fails twice
 * in this state can never succeed. */
static bool holds_all_used_pages(const struct cache *c)
{
    const struct heap *heap = c->manager->config.heap;
    const struct promises *p = &c->manager->promises;

    return heap->page_count - spn__heap_free_pages(heap) ==
               c->pages + p->mesh_pages +
                   (p->keeper.kept_pages - p->keeper.held_pages) &&
           p->promised_pages == 0;
}

/* Pages of this allocation and of those that follow it. Until the tables have
 * been read it is only known that the static data is unpacked to at least what
 * it takes in the file. */
static uint64_t pages_to_come(const struct cache *c, uint32_t pages)
{
    const struct promises *p = &c->manager->promises;
    uint64_t sum = 0;

    if (c->state != CACHE_BLOBS_MEMORY)
        return pages + spn__promise_pages(p, c->header.frames_offset -
                                                 c->header.frame_table_offset);
    for (uint32_t i = c->chunk_cursor; i < c->header.blob_count; i++)
        sum += spn__promise_pages(
            p, spn__cache_blob_memory(&c->tables, &c->tables.blobs[i]));
    return sum;
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
    if (spn__promise_may_take(&m->promises, PROMISE_STATIC, pages, 0))
        status = spn__promise_alloc(&m->promises, PROMISE_STATIC,
                                    (uint32_t)bytes, unit_bytes, tag, out);
    else
        status = SPN_NO_MEMORY_NOW;
    if (status == SPN_OK) {
        c->pages += pages;
        m->promises.static_pages += pages;
        if (c->pages > c->pages_peak)
            c->pages_peak = c->pages;
    } else if (c->was_refused && holds_all_used_pages(c)) {
        status = SPN_ERR_MEMORY;
    } else if (status == SPN_NO_MEMORY_NOW) {
        spn__promise_refuse(&m->promises, pages_to_come(c, pages));
    }
    c->was_refused = status != SPN_OK;
    return status;
}

spn_status spn__cache_take_block(struct cache *c, uint64_t bytes,
                                 heap_handle *out)
{
    spn_status status = spn__promise_take_block(&c->manager->promises, bytes,
                                                WHOLE, HEAP_TAG_STATIC, out);

    if (status == SPN_NO_MEMORY_NOW && c->was_refused &&
        holds_all_used_pages(c))
        status = SPN_ERR_MEMORY;
    else if (status == SPN_NO_MEMORY_NOW)
        spn__promise_refuse(&c->manager->promises,
                            spn__promise_pages(&c->manager->promises, bytes));
    c->was_refused = status != SPN_OK;
    return status;
}

void spn__cache_free_blob(struct cache *c, uint32_t blob)
{
    spn__cache_free(c, &c->blob_handles[blob]);
    c->blob_data[blob] = NULL;
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

static uint32_t chunk_count(const struct cache *c)
{
    return c->frame_chunk_count + c->group_chunk_count + c->slot_chunk_count +
           c->group_slot_chunk_count;
}

/* Handles of chunks and blobs. The sum cannot wrap, because each frame, group
 * and blob has an entry in the tables of the file. */
static uint32_t handle_count(const struct cache *c)
{
    return chunk_count(c) + c->header.blob_count;
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
    c->slot_chunk_count = divide_up(h->frame_count, CACHE_CHUNK_SLOTS);
    c->group_slot_chunk_count =
        divide_up(h->group_count, CACHE_CHUNK_GROUP_SLOTS);
    c->slot_chunks = SPN_CARVE(carve, struct frame_slot *, c->slot_chunk_count);
    c->group_slot_chunks =
        SPN_CARVE(carve, struct group_slot *, c->group_slot_chunk_count);
    c->chunk_handles = SPN_CARVE(carve, heap_handle, handle_count(c));
    c->blob_data = SPN_CARVE(carve, uint8_t *, h->blob_count);
    c->meshes.table = SPN_CARVE(carve, struct static_mesh *, h->mesh_count);
    c->tile_mask = SPN_CARVE(carve, uint32_t, divide_up(h->tile_count, 32));
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
    c->blob_handles = c->chunk_handles + chunk_count(c);
    return SPN_OK;
}

SPN_STATIC_ASSERT(CACHE_CHUNK_SLOTS * sizeof(struct frame_slot) <= 65536,
                  slot_chunk_bytes);

/* An array that is divided into chunks. */
struct chunked {
    uint32_t chunk_count;
    uint32_t per_chunk; /* entries */
    uint32_t count;     /* entries of all chunks */
    uint32_t entry_bytes;
};

/* The array of the chunk at the cursor. Sets *chunk to its number in it. */
static struct chunked array_at(const struct cache *c, uint32_t *chunk,
                               uint32_t *array)
{
    const struct chunked arrays[] = {
        {c->frame_chunk_count, CACHE_CHUNK_FRAMES, c->header.frame_count,
         sizeof(struct cache_frame)},
        {c->group_chunk_count, CACHE_CHUNK_GROUPS, c->header.group_count,
         sizeof(struct cache_group)},
        {c->slot_chunk_count, CACHE_CHUNK_SLOTS, c->header.frame_count,
         sizeof(struct frame_slot)},
        {c->group_slot_chunk_count, CACHE_CHUNK_GROUP_SLOTS,
         c->header.group_count, sizeof(struct group_slot)}};

    *array = 0;
    *chunk = c->chunk_cursor;
    while (*chunk >= arrays[*array].chunk_count) {
        *chunk -= arrays[*array].chunk_count;
        ++*array;
    }
    return arrays[*array];
}

static void set_chunk(struct cache *c, uint32_t array, uint32_t chunk,
                      void *data)
{
    switch (array) {
    case 0:
        c->frame_chunks[chunk] = data;
        break;
    case 1:
        c->group_chunks[chunk] = data;
        break;
    case 2:
        c->slot_chunks[chunk] = data;
        break;
    default:
        c->group_slot_chunks[chunk] = data;
        break;
    }
}

spn_status spn__cache_alloc_chunks(struct cache *c)
{
    while (c->chunk_cursor < chunk_count(c)) {
        heap_handle *handle = &c->chunk_handles[c->chunk_cursor];
        uint32_t chunk;
        uint32_t array;
        const struct chunked a = array_at(c, &chunk, &array);
        const uint32_t left = a.count - chunk * a.per_chunk;
        const uint32_t bytes =
            (left < a.per_chunk ? left : a.per_chunk) * a.entry_bytes;
        const spn_status status =
            spn__cache_alloc(c, bytes, WHOLE, HEAP_TAG_STATIC, handle);
        void *data;

        if (status != SPN_OK)
            return status;
        data = spn__heap_data(c->manager->config.heap, *handle);
        memset(data, 0, bytes);
        set_chunk(c, array, chunk, data);
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

bool spn__cache_block_at(const struct cache *c, uint32_t index,
                         heap_handle *out)
{
    const heap_handle first[] = {c->read_block, c->bounce_block,
                                 c->table_block};
    const uint32_t first_count = sizeof first / sizeof first[0];

    if (index < first_count)
        *out = first[index];
    else if (c->table_block && index - first_count < handle_count(c))
        *out = c->chunk_handles[index - first_count];
    else
        return false;
    return true;
}

void spn__cache_free_blobs(struct cache *c)
{
    for (uint32_t i = 0; i < c->header.blob_count; i++) {
        spn__cache_free(c, &c->blob_handles[i]);
        c->blob_data[i] = NULL;
    }
}

uint32_t spn__cache_blob_pages(const struct cache *c)
{
    const struct heap *heap = c->manager->config.heap;
    uint32_t pages = 0;

    for (uint32_t i = 0; i < c->header.blob_count; i++)
        if (c->blob_handles[i])
            pages +=
                spn__promise_pages(&c->manager->promises,
                                   spn__heap_bytes(heap, c->blob_handles[i]));
    return pages;
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
    c->meshes.table = NULL;
    SPN_ASSERT(c->pages == 0);
}
