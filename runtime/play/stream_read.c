/* stream_read.c - start a read when one is due. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_read.h"

#include "base/assert.h"
#include "play/play_trace.h"
#include "play/stream_memory.h"
#include "play/stream_range.h"
#include "play/stream_read_buffer.h"
#include "play/stream_window.h"

#define MS 1000
#define SOON_US 500000

/* Time at which a group must have been read, so that it can be decoded in time.
 * It is at least SOON_US from now, because the scheduler gives up deadlines
 * that cannot be met. */
static uint64_t deadline_us(const struct stream *s, uint64_t place)
{
    const struct manager *m = s->manager;
    int64_t decode_us =
        (int64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * MS;
    int64_t slack_us =
        spn__stream_group_time(s, place) - s->playback_us - decode_us;

    return m->now_us + (uint64_t)(slack_us > SOON_US ? slack_us : SOON_US);
}

/* The first group in the window that a read brings. */
static uint64_t place_of_read(const struct stream *s, uint32_t index)
{
    for (uint32_t i = 0; i < s->group_count; i++)
        if (spn__stream_group_of_read(s, index, i))
            return s->first_place + i;
    return s->next_place;
}

static bool start_read(struct stream *s, uint32_t index, uint64_t place)
{
    struct manager *m = s->manager;
    struct stream_read *r = &s->reads[index];
    struct io_read read = {0};

    read.file = s->cache->file;
    read.offset = r->offset + r->start;
    read.bytes = r->bytes - r->start;
    read.block = r->block;
    read.block_offset = r->start;
    read.is_doubtful = r->start > 0;
    read.priority =
        s->admission == SPN_DEGRADED ? SPN_PRIORITY_IDLE : s->priority;
    read.task = SPN_TASK_GEOM_CACHE;
    read.deadline_us = deadline_us(s, place);
    read.on_done = spn__stream_on_read;
    read.context = s;
    read.argument = index;
    if (spn__io_start(m->config.io, &read, &r->read) != SPN_OK)
        return false;
    r->state = READ_PENDING;
    r->medium = (uint8_t)s->cache->medium;
    m->pending[r->medium].reads++;
    m->pending[r->medium].bytes += read.bytes;
    spn__play_trace(m, TRACE_READ_START, s->node_handle,
                    (uint32_t)(r->offset / STREAM_READ_ALIGN), r->bytes);
    return true;
}

void spn__stream_retry(struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_RETRY)
            (void)start_read(s, i, place_of_read(s, i));
}

/* Allocate the buffer for as many groups of the range as memory allows. Returns
 * their number; 0: none. */
static uint32_t alloc_range(struct stream *s, const struct stream_range *range,
                            struct stream_read *r)
{
    struct manager *m = s->manager;
    uint32_t left = stream_unused_pages(s->read_promise, s->read_pages);

    for (uint32_t n = range->group_count; n > 0; n = n > 4 ? n / 2 : n - 1) {
        uint64_t bytes = spn__stream_range_bytes(s, range, n);
        uint32_t pages = spn__promise_pages(&m->promises, bytes);

        if (pages > left && !spn__promise_may_take(&m->promises, pages, left))
            continue;
        if (spn__heap_alloc(m->config.heap, (uint32_t)bytes, 0, HEAP_TAG_READ,
                            &r->block) == SPN_OK) {
            r->bytes = (uint32_t)bytes;
            r->pages = pages;
            return n;
        }
        if (pages <= left && n == 1)
            m->promises.wants_eviction = true;
    }
    return 0;
}

static uint32_t find_free(const struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_FREE)
            return i;
    return STREAM_READS_MAX;
}

/* True if less than buffer_ahead_min_ms is requested ahead; with
 * needs_early_reads and an idle device, if less than buffer_ahead_max_ms is. A
 * degraded stream reads only while the device is idle and no admitted stream
 * needs early reads. */
static bool is_due(const struct stream *s)
{
    const struct manager *m = s->manager;
    const struct manager_pending *pending = &m->pending[s->cache->medium];
    const uint32_t *value = m->config.tuning->value;
    uint32_t low = value[TUNING_buffer_ahead_min_ms];
    uint32_t high = value[TUNING_buffer_ahead_max_ms];
    int64_t min_us;

    /* The user sets them one after the other: low may be above high. */
    if (low > high)
        low = high;
    if (s->admission == SPN_DEGRADED &&
        (pending->needs_early_reads || pending->reads > 0))
        return false;
    if (pending->needs_early_reads && pending->reads == 0)
        low = high;
    min_us = (int64_t)low * MS;
    return s->decode_promise > 0 && s->has_admission && !s->is_draining &&
           !spn__stream_is_end(s, s->next_place) &&
           spn__stream_group_time(s, s->next_place) - s->playback_us < min_us;
}

bool spn__stream_read(struct stream *s)
{
    uint32_t index = find_free(s);
    struct stream_read *r;
    struct stream_range range;
    uint32_t count;

    if (index == STREAM_READS_MAX || !is_due(s))
        return false;
    spn__stream_choose_range(s, &range);
    /* Only the wanted frame and the next one are needed now. */
    s->lacks_slots = range.group_count == 0 &&
                     spn__stream_group_first(s, s->next_place) <= s->wanted + 1;
    r = &s->reads[index];
    count = alloc_range(s, &range, r);
    if (count == 0)
        return false;
    r->offset = range.offset;
    s->read_pages += r->pages;
    if (!start_read(s, index, s->next_place)) {
        spn__stream_free_read(s, r);
        return false;
    }
    if (range.anchor_place != STREAM_NO_PLACE)
        spn__stream_push(s, range.anchor_place, index, true);
    for (uint32_t i = 0; i < count; i++)
        spn__stream_push(s, s->next_place + i, index, false);
    s->next_place += count;
    s->read_serial = s->manager->next_serial++;
    spn__stream_update_promise(s);
    return true;
}
