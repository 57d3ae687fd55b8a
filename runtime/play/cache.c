/* cache.c - how much memory playback of a cache needs, and lookup by time. */
/* SPDX-License-Identifier: MIT */
#include "play/cache.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/minmax.h"
#include "disc/drive_math.h"
#include "play/cache_meshes.h"

/* The smallest heap that a configuration may have. */
#define HEAP_BYTES_MIN 65536u

/* Time of a frame in an endless repetition of the clip. */
static int64_t endless_time(const struct cache *c, uint32_t frame)
{
    const uint32_t count = c->header.frame_count;

    return cache_frame_at(c, frame % count)->time_us +
           (int64_t)(frame / count) * c->loop_us;
}

/* The most frames in any closed interval of span_us, which is less than a loop.
 */
static uint32_t most_frames_within(const struct cache *c, int64_t span_us)
{
    uint32_t most = 0;
    uint32_t limit = 0;

    for (uint32_t first = 0; first < c->header.frame_count; first++) {
        while (endless_time(c, limit) <= endless_time(c, first) + span_us)
            limit++;
        if (limit - first > most)
            most = limit - first;
    }
    return most;
}

uint32_t spn__cache_frames_within(const struct cache *c, int64_t span_us)
{
    const uint32_t count = c->header.frame_count;
    uint64_t frames;

    if (count == 1)
        return 1;
    frames = (uint64_t)(span_us / c->loop_us) * count +
             most_frames_within(c, span_us % c->loop_us);
    return frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
}

/* The frames of the clip are enough for all: none is in memory twice. The later
 * frame of a picture is needed before its time comes: one frame more than lie
 * within the time. A closure adds all its frames but two: the one that is
 * wanted, and a reference directly before it. */
uint32_t spn__cache_frames_full(const struct cache *c, uint32_t ahead_us)
{
    const uint32_t within = spn__cache_frames_within(c, ahead_us);
    const uint32_t least = spn__cache_frames_least(c);
    const uint32_t count = c->header.frame_count;
    uint32_t full;

    if (within >= count || c->closure_frames_max >= count - within)
        return count;
    full = within + c->closure_frames_max - 1;
    return full > least ? full : least;
}

uint32_t spn__cache_frames_least(const struct cache *c)
{
    return min_u32(c->closure_frames_max + 2, c->header.frame_count);
}

uint32_t spn__cache_reads_full(const struct cache *c)
{
    return c->read_pages_max +
           spn__promise_pages(&c->manager->promises,
                              (uint64_t)c->header.largest_group_bytes + 8192u);
}

uint64_t spn__cache_clip_bytes(const struct cache *c)
{
    return ((uint64_t)c->header.frame_count * c->plan.frame_pages)
           << c->manager->config.heap->page_shift;
}

uint64_t spn__cache_ahead_pages(const struct cache *c, uint32_t cursor_count)
{
    const struct manager *m = c->manager;
    const uint32_t *value = m->config.tuning->value;
    const uint64_t all = c->header.file_bytes - c->header.frames_offset;
    const uint64_t ahead_us =
        (uint64_t)value[TUNING_buffer_ahead_min_ms] * 1000;
    uint64_t bytes = all;

    if (c->loop_us > 0)
        bytes = spn__mul_div(all, ahead_us, (uint64_t)c->loop_us) +
                (uint64_t)value[TUNING_request_kib] * 1024;
    if (cursor_count == 0 || bytes > all / cursor_count)
        bytes = cursor_count == 0 ? 0 : all;
    else
        bytes *= cursor_count;
    return (bytes >> m->config.heap->page_shift) + cursor_count;
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t saturated_product(uint64_t a, uint64_t b)
{
    return spn__mul_div(a, b, 1);
}

/* What fragmentation may cost: 1/32 of the heap, because blocks of frames are
 * at most 64 KiB, and those of one cache fit the holes that others of it leave;
 * and one hole for each node, which is more in small heaps. */
static uint64_t fragmentation(const struct cache *c, uint64_t pages,
                              uint32_t node_count)
{
    return saturated_sum(pages / 32, saturated_product((uint64_t)node_count + 1,
                                                       c->plan.unit_pages_max));
}

uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count)
{
    const struct manager *m = c->manager;
    const uint32_t ahead_us =
        m->config.tuning->value[TUNING_decode_ahead_ms] * 1000;
    const uint64_t frames = spn__cache_frames_full(c, ahead_us);
    const uint64_t page_bytes = (uint64_t)1 << m->config.heap->page_shift;
    uint64_t pages =
        saturated_product(node_count, frames * c->plan.frame_pages);
    uint64_t bytes;

    if (c->header.plays_from_memory)
        pages = max_u64(pages,
                        spn__cache_clip_bytes(c) >> m->config.heap->page_shift);
    pages = saturated_sum(
        pages, saturated_product(node_count, spn__cache_reads_full(c)));
    pages = saturated_sum(pages, c->whole_pages);
    pages = saturated_sum(pages, fragmentation(c, pages, node_count));
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
    if (c->state == CACHE_UNLOADED)
        return c->status == SPN_OK && c->load_status != SPN_OK &&
               c->pages == c->table_pages && c->cursor_count == 0;
    if (c->state != CACHE_READY)
        return c->status == SPN_PENDING || c->state == CACHE_CLOSING ||
               (c->state >= CACHE_STATIC_MEMORY && c->cursor_count == 0 &&
                c->load_status != SPN_OK);
    for (uint32_t i = 0; i < c->header.blob_count; i++) {
        if (c->blob_handles[i] == 0 && !c->blob_data[i])
            continue;
        if (!spn__heap_is_live(heap, c->blob_handles[i]))
            return false;
        bytes += spn__heap_bytes(heap, c->blob_handles[i]);
    }
    return bytes <= c->pages * page_bytes && c->status == SPN_OK &&
           c->load_status == SPN_OK &&
           c->pages + cache_mesh_pages(c) == c->whole_pages &&
           c->read_block == 0 && c->bounce_block == 0;
}
