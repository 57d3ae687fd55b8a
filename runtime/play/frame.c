/* frame.c - memory of decoded frames: allocate, find, free.
 *
 * Which units a frame needs is read from its directory in the read buffer,
 * before it is validated: a damaged directory selects other units of the same
 * sizes, and fails when it is validated.
 */
/* SPDX-License-Identifier: MIT */
#include "play/frame.h"

#include "base/assert.h"
#include "base/carve.h"
#include "base/endian.h"
#include "base/heap_view.h"
#include "play/cache.h"
#include "play/promise.h"

#define UNIT_ALIGN 64u

struct control_cut {
    struct frame_control *control;
    uint8_t **units;
    heap_handle *handles;
    struct tile_state *tiles;
    uint8_t *directory;
};

/* The control record needs at most one unit more than there are blocks. */
static void carve_frame(struct carve *carve, const struct cache_header *h,
                        struct control_cut *out)
{
    uint32_t unit_most = h->block_count + 1;

    out->control = SPN_CARVE(carve, struct frame_control, 1);
    out->units = SPN_CARVE(carve, uint8_t *, unit_most);
    out->handles = SPN_CARVE(carve, heap_handle, unit_most);
    out->tiles = SPN_CARVE(carve, struct tile_state, h->tile_count);
    out->directory = SPN_CARVE(carve, uint8_t, spn__cache_directory_bytes(h));
}

size_t spn__frame_control_bytes(const struct cache_header *header)
{
    struct carve carve = {.limit = SIZE_MAX};
    struct control_cut out;

    carve_frame(&carve, header, &out);
    return (carve.used + UNIT_ALIGN - 1) & ~(size_t)(UNIT_ALIGN - 1);
}

uint8_t *spn__frame_block(const struct cache *c,
                          const struct frame_control *control, uint32_t block)
{
    uint8_t *unit = control->units[c->plan.block_unit[block]];

    return unit ? unit + c->plan.block_offset[block] : NULL;
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
    const void *stored =
        spn__heap_view(c->manager->config.heap, read_block,
                       read_offset + CACHE_DIRECTORY_HEAD_BYTES +
                           block * CACHE_DIRECTORY_ENTRY_BYTES,
                       sizeof bounce, bounce);

    return stored && spn_load_u32le(stored) != 0;
}

/* Allocate the units, except unit 0, that hold a block present in the file. */
static spn_status alloc_others(struct cache *c, struct frame_control *control,
                               heap_handle read_block, uint32_t read_offset)
{
    struct heap *heap = c->manager->config.heap;

    for (uint32_t b = 0; b < c->header.block_count; b++) {
        uint32_t unit = c->plan.block_unit[b];
        spn_status status;

        if (control->units[unit] || !is_present(c, read_block, read_offset, b))
            continue;
        status = alloc_unit(c, unit, &control->handles[unit]);
        if (status != SPN_OK)
            return status;
        control->units[unit] = spn__heap_data(heap, control->handles[unit]);
        control->pages +=
            spn__promise_pages(&c->manager->promises, c->plan.unit_bytes[unit]);
    }
    return SPN_OK;
}

spn_status spn__frame_alloc(struct cache *c, heap_handle read_block,
                            uint32_t read_offset, bool has_data,
                            struct frame_control **out)
{
    struct heap *heap = c->manager->config.heap;
    struct carve carve = {.limit = c->plan.control_bytes};
    struct control_cut pieces;
    heap_handle first;
    spn_status status = alloc_unit(c, 0, &first);

    if (status != SPN_OK)
        return status;
    carve.base = spn__heap_data(heap, first);
    carve_frame(&carve, &c->header, &pieces);
    SPN_ASSERT(!carve.is_over);
    pieces.control->units = pieces.units;
    pieces.control->handles = pieces.handles;
    pieces.control->tiles = pieces.tiles;
    pieces.control->directory = pieces.directory;
    pieces.control->vertices = NULL;
    pieces.control->pages =
        spn__promise_pages(&c->manager->promises, c->plan.unit_bytes[0]);
    pieces.units[0] = carve.base;
    pieces.handles[0] = first;
    if (has_data)
        status = alloc_others(c, pieces.control, read_block, read_offset);
    if (status != SPN_OK) {
        spn__frame_free(c, pieces.control);
        return status;
    }
    *out = pieces.control;
    return SPN_OK;
}

void spn__frame_free(struct cache *c, struct frame_control *control)
{
    struct heap *heap = c->manager->config.heap;

    /* Unit 0 is last, because it holds the control record. */
    for (uint32_t unit = c->plan.unit_count; unit-- > 0;)
        if (control->handles[unit])
            (void)spn__heap_free(heap, control->handles[unit]);
}
