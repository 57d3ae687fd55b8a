/* stream_range.c - the extent of the next read. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_range.h"

#include "base/assert.h"
#include "observe/pace.h"
#include "play/stream_window.h"

#define MS 1000
/* Long seeks make reads larger, but not beyond this. */
#define READ_SEEK_BYTES_MAX (8u << 20)

uint64_t spn__stream_range_bytes(const struct stream *s,
                                 const struct stream_range *range,
                                 uint32_t group_count)
{
    const struct cache_group *last =
        spn__stream_group_info(s, s->next_place + group_count - 1);
    uint64_t end = last->offset + last->bytes;

    end += (STREAM_READ_ALIGN - end % STREAM_READ_ALIGN) % STREAM_READ_ALIGN;
    if (end > s->cache->header.file_bytes)
        end = s->cache->header.file_bytes;
    return end - range->offset;
}

/* An equal part of the memory that is not promised: as if each stream had one
 * read of this size, and two more reads were under way. */
static uint64_t fair_bytes(const struct stream *s)
{
    const struct manager *m = s->manager;
    uint32_t taken = m->promises.static_pages + m->promises.promised_pages;
    uint32_t page_count = m->config.heap->page_count;
    uint64_t pages = page_count > taken ? page_count - taken : 0;

    pages = pages / (m->order_count + 2) + s->cache->read_pages_max;
    return pages << m->config.heap->page_shift;
}

uint64_t spn__stream_read_bytes(const struct stream *s)
{
    const struct manager *m = s->manager;
    uint64_t enough =
        (uint64_t)m->config.tuning->value[TUNING_request_kib] * 1024u;
    const struct pace *pace = spn__io_pace(m->config.io, s->cache->medium);
    uint64_t wanted = spn__pace_read_bytes(pace, READ_SEEK_BYTES_MAX);
    uint64_t fair = fair_bytes(s);

    if (wanted > fair)
        wanted = fair;
    return wanted > enough ? wanted : enough;
}

/* Divide the rest of the clip into reads of equal size, near `enough` bytes, so
 * that no short read remains at its end. */
static uint64_t even_bytes(const struct stream *s, uint64_t offset,
                           uint64_t enough)
{
    const struct cache_header *h = &s->cache->header;
    const struct cache_group *last =
        cache_group_at(s->cache, h->group_count - 1);
    uint64_t rest = last->offset + last->bytes - offset;
    uint64_t parts = (rest + enough / 2) / enough;

    return parts ? (rest + parts - 1) / parts : rest;
}

/* Number of groups up to the limit buffer_ahead_max_ms. If what remains of the
 * clip then is at most half as long, it is included, because it would cost a
 * seek of its own. A stream that reads early (needs_early_reads) reads as far
 * as one that reads at its minimum: shorter reads would only add seeks. */
static uint32_t groups_ahead(const struct stream *s)
{
    const uint32_t *value = s->manager->config.tuning->value;
    int64_t limit_us = spn__stream_group_time(s, s->next_place) -
                       (int64_t)value[TUNING_buffer_ahead_min_ms] * MS;
    uint32_t total = s->cache->header.group_count;
    uint32_t left = total - (uint32_t)(s->next_place % total);
    uint32_t count = 1;

    if (limit_us < s->playback_us)
        limit_us = s->playback_us;
    limit_us += (int64_t)value[TUNING_buffer_ahead_max_ms] * MS;
    while (count < left &&
           spn__stream_group_time(s, s->next_place + count) < limit_us)
        count++;
    return left - count <= count / 2 ? left : count;
}

void spn__stream_choose_range(const struct stream *s,
                              struct stream_range *range)
{
    const struct cache_group *first = spn__stream_group_info(s, s->next_place);
    uint64_t enough;
    uint32_t count_max = groups_ahead(s);
    uint32_t extra_groups = 0;
    uint32_t frames = 0;

    range->anchor_place = STREAM_NO_PLACE;
    range->offset = first->offset;
    range->group_count = 0;
    if (s->group_count == 0 && first->anchor_frame != CACHE_NONE) {
        range->anchor_place = s->next_place - 1;
        range->offset = cache_frame_at(s->cache, first->anchor_frame)->offset;
        extra_groups = 1;
        frames = spn__stream_group_info(s, range->anchor_place)->frame_count;
    }
    enough = even_bytes(s, range->offset, spn__stream_read_bytes(s));
    range->offset -= range->offset % STREAM_READ_ALIGN;
    do {
        uint64_t place = s->next_place + range->group_count;
        const struct cache_group *g = spn__stream_group_info(s, place);

        frames += g->frame_count;
        if (!spn__stream_has_room(s, range->group_count + 1 + extra_groups,
                                  frames))
            return;
        if (spn__stream_range_bytes(s, range, range->group_count + 1) >
            STREAM_READ_BYTES_MAX)
            return;
        range->group_count++;
    } while (range->group_count < count_max &&
             spn__stream_range_bytes(s, range, range->group_count) < enough);
}
