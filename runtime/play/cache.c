/* cache.c - how much memory playback of a cache needs, and lookup by time. */
/* SPDX-License-Identifier: MIT */
#include "play/cache.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "disc/drive_math.h"

/* The smallest heap that a configuration may have. */
#define HEAP_BYTES_MIN 65536u

/* Two groups, the two frames around the previous playback time, the anchor of
 * the first group, and the held frame of a seek. */
static uint32_t frames_promised(const struct cache *c)
{
    return 2 * c->group_frames_max + 4;
}

/* No overflow: stream_life.c has checked that the frames fit the heap. */
uint32_t spn__cache_decode_promise(const struct cache *c)
{
    return frames_promised(c) * c->plan.frame_pages;
}

uint32_t spn__cache_decode_least(const struct cache *c)
{
    return CACHE_LEAST_FRAMES(c) * c->plan.frame_pages;
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t saturated_product(uint64_t a, uint64_t b)
{
    return spn__mul_div(a, b, 1);
}

uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count)
{
    uint64_t frames = frames_promised(c);
    uint64_t page_bytes = (uint64_t)1 << c->manager->config.heap->page_shift;
    uint64_t pages = saturated_product(
        node_count, frames * c->plan.frame_pages + c->read_pages_max);
    uint64_t extents =
        saturated_product(node_count, frames * c->plan.unit_count + 1);
    uint64_t bytes;

    pages = saturated_sum(pages, c->pages);
    extents = saturated_sum(extents, (uint64_t)c->live_extents + 1);
    pages = saturated_sum(
        pages, saturated_product(extents, c->plan.unit_pages_max - 1));
    if (pages < c->pages_peak)
        pages = c->pages_peak;
    bytes = saturated_product(pages, page_bytes);
    return bytes < HEAP_BYTES_MIN ? HEAP_BYTES_MIN : bytes;
}

uint32_t spn__cache_frame_before(const struct cache *c, int64_t time_us)
{
    uint32_t low = 0; /* the time of this frame is at or before time_us */
    uint32_t high = c->header.frame_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (cache_frame_at(c, middle)->time_us <= time_us)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool spn__cache_check(const struct cache *c)
{
    const struct heap *heap = c->manager->config.heap;
    uint64_t bytes = 0;
    uint64_t page_bytes = (uint64_t)1 << heap->page_shift;

    if (c->handle == 0 || c->state > CACHE_CLOSING)
        return false;
    if (c->state == CACHE_FAILED)
        return c->pages == 0 && c->status < 0;
    if (c->state != CACHE_READY)
        return c->status == SPN_PENDING || c->state == CACHE_CLOSING;
    for (uint32_t i = 0; i < c->header.blob_count; i++) {
        if (!spn__heap_is_live(heap, c->blob_handles[i]))
            return false;
        bytes += spn__heap_bytes(heap, c->blob_handles[i]);
    }
    return bytes <= c->pages * page_bytes && c->status == SPN_OK &&
           c->read_block == 0 && c->bounce_block == 0;
}
