/* decoded_frame.c - memory of decoded frames: allocate, find, free.
 *
 * Which units a frame needs is read from its directory in the read buffer,
 * before it is validated: a damaged directory selects other units of the same
 * sizes, and fails when it is validated. If the directory has not arrived yet,
 * the frame gets all units.
 */
/* SPDX-License-Identifier: MIT */
#include "play/decoded_frame.h"

#include "base/assert.h"
#include "base/carve.h"
#include "base/endian.h"
#include "base/heap_view.h"
#include "cache/cache_box.h"
#include "play/cache.h"
#include "play/promise.h"

#define UNIT_ALIGN 64u

struct record_cut {
    struct decoded_frame *record;
    uint8_t **units;
    heap_handle *handles;
    struct tile_state *tiles;
    uint8_t *directory;
};

/* The record needs at most one unit more than there are blocks. */
static void carve_frame(struct carve *carve, const struct cache_header *h,
                        struct record_cut *out)
{
    uint32_t unit_most = h->block_count + 1;

    out->record = SPN_CARVE(carve, struct decoded_frame, 1);
    out->units = SPN_CARVE(carve, uint8_t *, unit_most);
    out->handles = SPN_CARVE(carve, heap_handle, unit_most);
    out->tiles = SPN_CARVE(carve, struct tile_state, h->tile_count);
    out->directory = SPN_CARVE(carve, uint8_t, spn__cache_directory_bytes(h));
}

size_t spn__decoded_frame_record_bytes(const struct cache_header *header)
{
    struct carve carve = {.limit = SIZE_MAX};
    struct record_cut out;

    carve_frame(&carve, header, &out);
    return (carve.used + UNIT_ALIGN - 1) & ~(size_t)(UNIT_ALIGN - 1);
}

uint8_t *spn__decoded_frame_block(const struct decoded_frame *f, uint32_t block)
{
    const struct cache_plan *plan = &f->cache->plan;
    uint8_t *unit = f->units[plan->block_unit[block]];

    return unit ? unit + plan->block_offset[block] : NULL;
}

void spn__decoded_frame_box(const struct decoded_frame *f, uint32_t mesh,
                            float min[3], float max[3])
{
    spn__cache_mesh_box(&f->cache->header, &f->cache->tables, f->directory,
                        mesh, min, max);
}

static spn_status alloc_unit(struct cache *c, uint32_t unit, heap_handle *out)
{
    return spn__heap_alloc(c->manager->config.heap, c->plan.unit_bytes[unit],
                           UINT32_MAX, HEAP_TAG_DECODED, out);
}

static bool is_present(const struct cache *c, heap_handle read_block,
                       uint32_t read_offset, uint32_t block)
{
    uint8_t bounce[4];
    const void *stored;

    if (read_block == 0)
        return true;
    stored = spn__heap_view(c->manager->config.heap, read_block,
                            read_offset + CACHE_DIRECTORY_HEAD_BYTES +
                                block * CACHE_DIRECTORY_ENTRY_BYTES,
                            sizeof bounce, bounce);

    return stored && spn_load_u32le(stored) != 0;
}

/* Allocate the units, except unit 0, that hold a block present in the file. */
static spn_status alloc_others(struct decoded_frame *f, heap_handle read_block,
                               uint32_t read_offset, uint32_t *pages)
{
    struct cache *c = f->cache;
    struct heap *heap = c->manager->config.heap;

    for (uint32_t b = 0; b < c->header.block_count; b++) {
        const struct cache_block *block = &c->tables.blocks[b];
        uint32_t unit = c->plan.block_unit[b];
        spn_status status;

        if (f->units[unit] ||
            (block->kind == CACHE_BLOCK_CHANNEL &&
             !cache_wants_tile(c, block->tile)) ||
            !is_present(c, read_block, read_offset, b))
            continue;
        status = alloc_unit(c, unit, &f->handles[unit]);
        if (status != SPN_OK)
            return status;
        f->units[unit] = spn__heap_data(heap, f->handles[unit]);
        *pages +=
            spn__promise_pages(&c->manager->promises, c->plan.unit_bytes[unit]);
    }
    return SPN_OK;
}

static void free_units(struct decoded_frame *f)
{
    struct heap *heap = f->cache->manager->config.heap;

    /* Unit 0 is last, because it holds the record. */
    for (uint32_t unit = f->cache->plan.unit_count; unit-- > 0;)
        if (f->handles[unit])
            (void)spn__heap_free(heap, f->handles[unit]);
}

spn_status spn__decoded_frame_alloc(struct cache *c, uint32_t number,
                                    heap_handle read_block,
                                    uint32_t read_offset, struct kept *kept,
                                    struct decoded_frame **out)
{
    struct heap *heap = c->manager->config.heap;
    struct carve carve = {.limit = c->plan.record_bytes};
    struct record_cut cut_out;
    struct decoded_frame *f;
    uint32_t pages =
        spn__promise_pages(&c->manager->promises, c->plan.unit_bytes[0]);
    heap_handle first;
    spn_status status = alloc_unit(c, 0, &first);

    if (status != SPN_OK)
        return status;
    carve.base = spn__heap_data(heap, first);
    carve_frame(&carve, &c->header, &cut_out);
    SPN_ASSERT(!carve.is_over);
    f = cut_out.record;
    f->cache = c;
    f->number = number;
    f->units = cut_out.units;
    f->handles = cut_out.handles;
    f->tiles = cut_out.tiles;
    f->directory = cut_out.directory;
    f->units[0] = carve.base;
    f->handles[0] = first;
    status = alloc_others(f, read_block, read_offset, &pages);
    if (status != SPN_OK) {
        free_units(f);
        return status;
    }
    f->kept = kept;
    spn__kept_add(&c->manager->promises.keeper, kept, KEPT_FRAME, pages);
    spn__kept_set_lasting(&c->manager->promises.keeper, kept, c->keeps_frames);
    c->decoded_count++;
    c->decoded_pages += pages;
    *out = f;
    return SPN_OK;
}

/* True for a tile that nobody wants, or that a reference has left out. */
static bool must_omit(const struct decoded_frame *f, uint32_t tile)
{
    const uint32_t count = cache_frame_at(f->cache, f->number)->reference_count;

    if (!cache_wants_tile(f->cache, tile))
        return true;
    for (uint32_t r = 0; r < count; r++)
        if (decoded_frame_omits(f->references[r], tile))
            return true;
    return false;
}

void spn__decoded_frame_omit(struct decoded_frame *f)
{
    struct cache *c = f->cache;
    const uint32_t count = cache_frame_at(c, f->number)->reference_count;
    bool omits = c->is_masked;

    for (uint32_t r = 0; r < count; r++)
        omits |= f->references[r]->omits;
    for (uint32_t t = 0; omits && t < c->header.tile_count; t++) {
        if (!must_omit(f, t))
            continue;
        atomic_store_relaxed(&f->tiles[t].flags, TILE_OMITTED);
        f->omits = true;
        f->lacks |= cache_wants_tile(c, t);
    }
    c->has_lacking |= f->lacks;
}

void spn__decoded_frame_free(struct decoded_frame *f)
{
    struct cache *c = f->cache;

    SPN_ASSERT(f->pins == 0);
    SPN_ASSERT(c->decoded_count > 0 && c->decoded_pages >= f->kept->pages);
    c->decoded_count--;
    c->decoded_pages -= f->kept->pages;
    spn__kept_remove(&f->cache->manager->promises.keeper, f->kept);
    free_units(f);
}
