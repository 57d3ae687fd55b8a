/* stream.c - positions of groups and frames, and the record of a stream. */
/* SPDX-License-Identifier: MIT */
#include "play/stream.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"

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

bool spn__stream_has_launched_last(const struct stream *s)
{
    return spn__stream_is_end(s, s->next_place) &&
           spn__stream_group(s, s->next_place - 1)->state != GROUP_WAITING;
}

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

void spn__stream_open(struct stream *s, struct cache *c, uint32_t node_handle,
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
    s->node_handle = node_handle;
    s->cache_handle = c->handle;
    s->is_looping = is_looping;
    s->priority = priority;
}

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
    uint32_t decoded = s->held_frame ? s->held_frame->pages : 0;
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
