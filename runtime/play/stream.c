/* stream.c - places and times, and a stream's beginning and end. */
/* SPDX-License-Identifier: MIT */
#include "play/stream.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/admission.h"
#include "play/cache_info.h"

#include <spindle/features.h>

/* -- places and times -- */

uint32_t spn__stream_number(const struct stream *s, uint64_t frame)
{
    return (uint32_t)(frame % s->cache->header.frame_count);
}

SPN_NOINLINE struct stream_group *spn__stream_group(const struct stream *s,
                                                    uint64_t place)
{
    return &s->groups[place % s->capacity];
}

const struct cache_group *spn__stream_group_info(const struct stream *s,
                                                 uint64_t place)
{
    return cache_group_at(s->cache,
                          (uint32_t)(place % s->cache->header.group_count));
}

int64_t spn__stream_frame_time(const struct stream *s, uint64_t frame)
{
    uint32_t count = s->cache->header.frame_count;

    return (int64_t)(frame / count) * s->cache->loop_us +
           cache_frame_at(s->cache, (uint32_t)(frame % count))->time_us;
}

uint64_t spn__stream_group_first(const struct stream *s, uint64_t place)
{
    const struct cache_header *h = &s->cache->header;

    return place / h->group_count * h->frame_count +
           spn__stream_group_info(s, place)->first_frame;
}

int64_t spn__stream_group_time(const struct stream *s, uint64_t place)
{
    uint64_t first = spn__stream_group_first(s, place);

    return spn__stream_frame_time(s, first > 0 ? first - 1 : 0);
}

uint64_t spn__stream_group_of(const struct stream *s, uint64_t frame)
{
    const struct cache_header *h = &s->cache->header;

    return frame / h->frame_count * h->group_count +
           cache_frame_at(s->cache, spn__stream_number(s, frame))->group;
}

uint64_t spn__stream_frame_before(const struct stream *s, int64_t time_us)
{
    int64_t loop_us = s->cache->loop_us;
    uint64_t loop = 0;

    if (s->is_looping) {
        loop = (uint64_t)(time_us / loop_us);
        time_us %= loop_us;
    }
    return loop * s->cache->header.frame_count +
           spn__cache_frame_before(s->cache, time_us);
}

bool spn__stream_is_end(const struct stream *s, uint64_t place)
{
    return !s->is_looping && place >= s->cache->header.group_count;
}

struct stream_frame *spn__stream_frame(const struct stream *s, uint64_t frame)
{
    if (frame < s->first_frame || frame - s->first_frame >= s->frame_count)
        return NULL;
    return &s->frames[frame % s->capacity];
}

/* -- life -- */

void spn__stream_init(struct stream *s, struct manager *m, struct carve *carve,
                      uint32_t capacity)
{
    struct stream_group *groups =
        SPN_CARVE(carve, struct stream_group, capacity);
    struct stream_frame *frames =
        SPN_CARVE(carve, struct stream_frame, capacity);

    if (!s)
        return;
    s->manager = m;
    s->groups = groups;
    s->frames = frames;
    s->capacity = capacity;
}

void spn__stream_open(struct stream *s, struct cache *c, uint32_t subject,
                      bool is_looping, spn_priority priority)
{
    struct manager *m = s->manager;
    struct stream_group *groups = s->groups;
    struct stream_frame *frames = s->frames;
    uint32_t capacity = s->capacity;

    memset(s, 0, sizeof *s);
    s->manager = m;
    s->groups = groups;
    s->frames = frames;
    s->capacity = capacity;
    s->cache = c;
    s->subject = subject;
    s->cache_handle = c->handle;
    s->is_looping = is_looping;
    s->priority = priority;
}

static spn_status refuse(struct stream *s, spn_status status, const char *what,
                         uint64_t value, uint64_t expected)
{
    s->status = status;
    s->fault = (spn_fault){.what = what,
                           .value = value,
                           .expected = expected,
                           .has_expected = 1,
                           .status = status,
                           .file = s->cache->path};
    return status;
}

/* Can it ever play in this heap and these tables? What comes after this may
 * count pages in 32 bits. */
static spn_status judge_size(struct stream *s)
{
    const struct cache *c = s->cache;
    uint64_t pages = (uint64_t)CACHE_LEAST_FRAMES(c) * c->plan.frame_pages +
                     c->read_pages_max;

    const struct heap *heap = s->manager->config.heap;

    if (s->capacity < 2 * c->group_frames_max)
        return refuse(s, SPN_ERR_TABLE_FULL, "frames of a stream", s->capacity,
                      2 * c->group_frames_max);
    /* A read's size is 31 bits, whatever the heap. */
    if (pages > heap->page_count - c->pages ||
        (uint64_t)c->read_pages_max << heap->page_shift > STREAM_READ_BYTES_MAX)
        return refuse(s, SPN_ERR_MEMORY, "bytes of the heap",
                      (uint64_t)heap->page_count << heap->page_shift,
                      (pages + c->pages) << heap->page_shift);
    s->status = SPN_OK;
    return SPN_OK;
}

void spn__stream_begin(struct stream *s)
{
    SPN_ASSERT(s->cache->state == CACHE_READY);
    SPN_ASSERT(s->group_count == 0);
    if (judge_size(s) != SPN_OK)
        return;
    if (SPN_WITH_FRAME_BUFFERS && s->buffers)
        s->buffers_max = spn__cache_frame_buffers(
            s->cache,
            s->manager->config.tuning->value[TUNING_decode_ahead_ms] * 1000,
            s->capacity);
    s->is_active = true;
    s->is_draining = false;
    s->next_place = spn__stream_group_of(s, s->wanted);
    s->first_place = s->next_place;
    s->keep_from = s->wanted;
    s->lacks_room = false;
    s->lacks_memory = false;
    s->is_cramped = false;
    for (uint32_t i = 0; i < STREAM_PINS; i++)
        s->pinned[i] = STREAM_NO_PLACE;
    atomic_store_relaxed(&s->is_cancelled, 0);
    spn__admission_ask(s);
    spn__stream_account(s);
}

/* What is read next goes on with what is held, if there is room beside the
 * frame that is shown until then. A group before it that is not launched
 * would be kept for its anchor alone, and its read would take the memory that
 * is promised for this one: then it is better to begin anew, with both in one
 * read. */
static bool continues(const struct stream *s, uint64_t place)
{
    const struct cache_group *next = spn__stream_group_info(s, place);

    if (s->group_count > 0 && next->anchor_frame != CACHE_NONE &&
        (spn__stream_group(s, place - 1)->state == GROUP_WAITING ||
         spn__stream_group(s, place - 1)->state == GROUP_SKIPPED))
        return false;
    return spn__stream_has_room(s, 1, next->frame_count);
}

bool spn__stream_covers(const struct stream *s, uint64_t frame)
{
    uint64_t place = spn__stream_group_of(s, frame);

    SPN_ASSERT(s->is_active);
    SPN_ASSERT(!s->is_draining);
    if (place == s->next_place)
        return continues(s, place);
    if (!stream_has_group(s, place))
        return false;
    /* A group that was skipped, but perhaps for its anchor, is a gap: what is
     * held ends there. What is not launched behind it has lost its anchor. */
    if (stream_has_group(s, place - 1) &&
        spn__stream_group(s, place - 1)->state == GROUP_SKIPPED &&
        spn__stream_group(s, place)->state == GROUP_WAITING)
        return false;
    for (uint64_t p = place; stream_has_group(s, p); p++)
        if (spn__stream_group(s, p)->state == GROUP_SKIPPED ||
            spn__stream_group(s, p)->is_anchor_only)
            return false;
    /* -fanalyzer: a group that is there has its frames. */
    return spn__stream_frame(s, frame)->state != FRAME_RETIRED;
}

bool spn__stream_has_launched_last(const struct stream *s)
{
    return spn__stream_is_end(s, s->next_place) &&
           spn__stream_group(s, s->next_place - 1)->state != GROUP_WAITING;
}

void spn__stream_drain(struct stream *s)
{
    if (s->is_draining || !s->is_active)
        return;
    s->is_draining = true;
    atomic_store_relaxed(&s->is_cancelled, 1);
    spn__stream_abort_reads(s);
}

/* The control changes hands: the slot forgets it. */
static void hold_frame(struct stream *s, uint64_t keep)
{
    struct stream_frame *f =
        keep == STREAM_NO_PLACE ? NULL : spn__stream_frame(s, keep);

    if (!f)
        return;
    SPN_ASSERT(f->state == FRAME_READY);
    spn__stream_drop_held(s);
    s->held = f->control;
    s->held_frame = keep;
    f->control = NULL;
}

bool spn__stream_drain_step(struct stream *s, bool keeps_held, uint64_t keep)
{
    SPN_ASSERT(s->is_draining);
    spn__stream_submit(s);
    if (spn__stream_collect(s) > 0 || spn__stream_is_reading(s))
        return false;
    if (keeps_held && !s->is_cramped)
        hold_frame(s, keep);
    else
        spn__stream_drop_held(s);
    while (s->group_count > 0)
        spn__stream_pop_front(s);
    s->frame_count = 0;
    s->is_active = false;
    s->is_draining = false;
    spn__stream_account(s);
    return true;
}

void spn__stream_drop_held(struct stream *s)
{
    if (!s->held)
        return;
    spn__stream_free_control(s, s->held, s->held_frame);
    s->held = NULL;
    spn__stream_account(s);
}

/* -- promises -- */

static uint32_t share_of(const struct stream *s, uint32_t decode_promise)
{
    return decode_promise + s->cache->read_pages_max;
}

/* Replace the promise; false when the heap cannot keep it with all others. */
static bool promise(struct stream *s, uint32_t decode_promise)
{
    struct manager *m = s->manager;
    uint32_t had = s->decode_promise + s->read_promise;
    uint32_t taken = m->static_pages + m->promised_pages - had;
    uint32_t share = share_of(s, decode_promise);

    if (share > stream_missing(m->config.heap->page_count, taken))
        return false;
    s->decode_promise = decode_promise;
    s->read_promise = s->cache->read_pages_max;
    m->promised_pages += share - had;
    if (s->cache->plan.unit_pages_max > m->margin_unit)
        m->margin_unit = s->cache->plan.unit_pages_max;
    return true;
}

/* A stream that runs is promised what it needs to play without a gap if that
 * fits the heap beside the static data and all other promises; else the least
 * with which it always goes on; else nothing, until somebody makes room. */
static void update_promise(struct stream *s)
{
    uint32_t full;

    if (!s->is_active || !stream_is_admitted(s)) {
        s->manager->promised_pages -= s->decode_promise + s->read_promise;
        s->decode_promise = 0;
        s->read_promise = 0;
        return;
    }
    full = spn__cache_decode_promise(s->cache);
    if (s->decode_promise == full || promise(s, full) || s->decode_promise > 0)
        return;
    (void)promise(s, spn__cache_decode_least(s->cache));
}

void spn__stream_account(struct stream *s)
{
    uint32_t owed;

    update_promise(s);
    owed = stream_missing(s->decode_promise, s->decoded_pages) +
           stream_missing(s->read_promise, s->read_pages);
    s->manager->owed_pages += owed - s->owed_pages;
    s->owed_pages = owed;
}

bool spn__stream_waits(const struct stream *s, uint64_t *bytes)
{
    const struct manager *m = s->manager;

    if (!s->is_active || s->is_draining || s->decode_promise > 0 ||
        !stream_is_admitted(s))
        return false;
    *bytes = ((uint64_t)m->static_pages + m->promised_pages +
              share_of(s, spn__cache_decode_least(s->cache)))
             << m->config.heap->page_shift;
    return true;
}

/* -- check -- */

static bool check_group(const struct stream *s, uint64_t place, uint32_t *pages,
                        uint32_t *read_groups)
{
    const struct stream_group *g = spn__stream_group(s, place);

    if (g->place != place || g->stream != s || g->state > GROUP_SKIPPED)
        return false;
    if (g->read != STREAM_NO_READ) {
        if (g->read >= STREAM_READS_MAX || s->reads[g->read].state == READ_FREE)
            return false;
        ++*read_groups;
    }
    for (uint32_t i = 0; i < g->info->frame_count; i++) {
        const struct stream_frame *f = stream_group_frame(g, i);
        bool has_memory = f->state == FRAME_RUNNING ||
                          f->state == FRAME_READY || f->state == FRAME_FAILED;

        if (f->state > FRAME_RETIRED || has_memory != (f->control != NULL))
            return false;
        if (f->state == FRAME_RUNNING && g->state != GROUP_LAUNCHED)
            return false;
        if (f->control)
            *pages += f->control->pages;
    }
    return true;
}

bool spn__stream_check(const struct stream *s)
{
    uint32_t decoded = s->held ? s->held->pages : 0;
    uint32_t read_pages = 0;
    uint32_t read_groups = 0;
    uint32_t counted = 0;

    for (uint32_t i = 0; i < s->group_count; i++)
        if (!check_group(s, s->first_place + i, &decoded, &read_groups))
            return false;
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++) {
        const struct stream_read *r = &s->reads[i];

        if (r->state == READ_FREE)
            continue;
        if (!spn__heap_is_live(s->manager->config.heap, r->block))
            return false;
        if (r->state != READ_DYING && r->group_count == 0)
            return false;
        read_pages += r->pages;
        counted += r->group_count;
    }
    if (s->decode_promise == 0 && s->group_count > 0)
        return false;
    return decoded == s->decoded_pages && read_pages == s->read_pages &&
           read_groups == counted && s->frame_count <= s->capacity &&
           s->group_count <= s->capacity;
}
