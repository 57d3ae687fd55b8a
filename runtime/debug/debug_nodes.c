/* debug_nodes.c - caches, nodes, reads and drives, for a snapshot. */
/* SPDX-License-Identifier: MIT */
#include "debug/debug_nodes.h"

#include "base/assert.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/node/node.h"
#include "play/node/node_ahead.h"
#include "play/node/node_show.h"
#include "play/node/node_state.h"
#include "read/io_report.h"

#include <spindle/features.h>

#if SPN_WITH_OBSERVERS

#define US_PER_SECOND 1000000u

/* Compressed bytes of the frames, per second of the clip. */
static uint64_t bytes_per_second(const struct cache *c)
{
    const uint64_t bytes = c->header.file_bytes - c->header.frames_offset;

    return c->loop_us > 0 ? bytes * US_PER_SECOND / (uint64_t)c->loop_us : 0;
}

static void count_frames(const struct cache *c, spn_debug_cache *out)
{
    for (uint32_t i = spn__frame_slot_next(c, 0); i != CACHE_NONE;
         i = spn__frame_slot_next(c, i + 1))
        switch ((enum frame_state)frame_slot_at(c, i)->state) {
        case FRAME_EMPTY:
            break;
        case FRAME_RUNNING:
            out->running_count++;
            break;
        case FRAME_READY:
            out->ready_count++;
            break;
        case FRAME_FAILED:
            out->lost_count++;
            break;
        }
}

static void fill_cache(const struct cache *c, spn_debug_cache *out)
{
    *out = (spn_debug_cache){.cache = c->handle,
                             .path = c->path,
                             .status = c->status,
                             .node_count = c->node_count,
                             .static_pages = c->pages};
    if (!cache_has_tables(c))
        return;
    out->frame_count = c->header.frame_count;
    out->duration_us = c->header.duration_us;
    out->bytes_per_second = bytes_per_second(c);
    count_frames(c, out);
}

uint32_t spn__debug_caches(const struct manager *m, spn_debug_cache *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; SPN_WITH_GEOMETRY && i < m->cache_pool.capacity; i++) {
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        if (out)
            fill_cache(&m->caches[i], &out[count]);
        count++;
    }
    return count;
}

spn_node spn__debug_node_handle(const struct node *n)
{
    const struct manager *m = n->manager;

    if (!n->cursor.is_second)
        return n->handle;
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (m->nodes[i].handle != 0 && m->nodes[i].second == n->handle)
            return m->nodes[i].handle;
    return 0;
}

static spn_debug_range range_of(const struct node_range_ahead *range)
{
    return (spn_debug_range){range->first, range->last, range->count};
}

/* A shown frame may have been freed for lack of memory. Without the later one,
 * the earlier one is shown alone. */
static spn_debug_range shown_range(const struct node *n)
{
    const struct node_picture *p = &n->shown;
    spn_debug_range range = {0};

    if (!spn__node_frame(n, p, p->floor))
        return range;
    range.first = spn__cursor_number(&n->cursor, p->floor);
    range.last = range.first;
    range.count = 1;
    if (p->floor == p->ceil || !spn__node_frame(n, p, p->ceil))
        return range;
    range.last = spn__cursor_number(&n->cursor, p->ceil);
    range.count = 2;
    return range;
}

static void fill_node(const struct node *n, spn_debug_node *out)
{
    const struct cursor *s = &n->cursor;
    const struct account *a = &s->account;
    struct node_ahead ahead;

    *out =
        (spn_debug_node){.node = spn__debug_node_handle(n),
                         .cache = n->cache->handle,
                         .path = n->cache->path,
                         .is_second = s->is_second,
                         .is_playing = cursor_is_playing(s),
                         .is_backward = s->is_backward,
                         .rate_permille = s->rate_permille,
                         .importance = s->importance,
                         .promised_pages = a->frame_promise + a->read_promise,
                         .charged_pages = a->frame_pages + a->read_pages,
                         .running_count = a->running_count,
                         .pending_count = a->pending_count};
    if (!s->is_second)
        out->shown = shown_range(n);
    spn__node_look_ahead(n, &ahead);
    spn__node_report(n, &ahead, &out->state);
    if (!cache_has_tables(n->cache))
        return;
    out->duration_us = n->cache->header.duration_us;
    out->frame_count = n->cache->header.frame_count;
    out->is_looping = n->has_span && s->is_looping;
    out->wanted = range_of(&ahead.wanted);
    out->decoded = range_of(&ahead.decoded);
    out->read = range_of(&ahead.read);
}

uint32_t spn__debug_nodes(const struct manager *m, spn_debug_node *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; SPN_WITH_GEOMETRY && i < m->node_pool.capacity; i++) {
        if (m->nodes[i].handle == 0)
            continue;
        if (out)
            fill_node(&m->nodes[i], &out[count]);
        count++;
    }
    return count;
}

static spn_debug_read_state state_of(const struct group_read *r)
{
    if (r->state == READ_RETRY)
        return SPN_DEBUG_READ_RETRY;
    return r->state == READ_DYING ? SPN_DEBUG_READ_ABORTED
                                  : SPN_DEBUG_READ_PENDING;
}

static void fill_read(const struct manager *m, const struct group_read *r,
                      spn_debug_read *out)
{
    *out = (spn_debug_read){
        .cache = r->cache->handle,
        .path = r->cache->path,
        .node = spn__debug_node_handle(&m->nodes[r->owner->index - 1]),
        .medium = (spn_medium)r->medium,
        .state = state_of(r),
        .priority = r->priority,
        .first_group = r->first_group,
        .last_group = r->last_group,
        .age = m->promises.keeper.stamp - r->start_stamp,
        .offset = r->offset,
        .bytes = r->bytes,
    };
}

uint32_t spn__debug_reads(const struct manager *m, spn_debug_read *out)
{
    uint32_t count = 0;

    for (const struct group_read *r = m->group_reads.pending; r; r = r->next) {
        if (out)
            fill_read(m, r, &out[count]);
        count++;
    }
    return count;
}

void spn__debug_media(const struct manager *m,
                      spn_debug_medium out[SPN_MEDIUM_COUNT])
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const struct device_report *report =
            spn__io_device_report(m->config.io, (spn_medium)i);

        out[i] =
            (spn_debug_medium){.is_known = report->has_head,
                               .is_busy = report->is_busy,
                               .head = report->head,
                               .target = report->is_busy ? report->target : 0,
                               .waiting = report->waiting,
                               .reads = m->pending[i].reads,
                               .bytes = m->pending[i].bytes};
    }
}

void spn__debug_totals(const spn_debug_node *nodes, uint32_t count,
                       spn_debug_totals *out)
{
    *out = (spn_debug_totals){0};
    for (uint32_t i = 0; i < count; i++) {
        const spn_node_state *state = &nodes[i].state;

        out->bytes_read += state->bytes_read;
        if (nodes[i].is_second)
            continue;
        out->nodes++;
        out->playing += nodes[i].is_playing;
        out->frames_shown += state->frames_shown;
        out->frames_late += state->frames_late;
        out->frames_left_out += state->frames_left_out;
        out->frames_dropped += state->frames_dropped;
        out->seeks += state->seeks;
    }
}

#endif
