/* node_state.c - the state of a node for the user. */
/* SPDX-License-Identifier: MIT */
#include "play/node_state.h"

#include "play/drive_share.h"
#include "play/node_show.h"
#include "play/stream_memory.h"

static int64_t end_time(const struct node *n, uint64_t frame)
{
    const struct stream *s = &n->stream;

    if (!s->is_looping && frame >= n->cache->header.frame_count)
        return n->cache->header.duration_us;
    return spn__stream_frame_time(s, frame);
}

/* Time from playback to the first frame that is not decoded. */
static int64_t precached_us(const struct node *n)
{
    uint64_t frame = n->wanted.floor;
    const struct stream_frame *f;

    while ((f = spn__stream_frame(&n->stream, frame)) != NULL &&
           f->state == FRAME_READY)
        frame++;
    return frame == n->wanted.floor ? 0 : end_time(n, frame) - n->playback_us;
}

static bool has_arrived(const struct stream *s, uint64_t place)
{
    const struct stream_group *g = spn__stream_group(s, place);

    if (!stream_has_group(s, place) || g->state == GROUP_SKIPPED)
        return false;
    return g->state != GROUP_WAITING || s->reads[g->read].state == READ_DONE;
}

static int64_t buffered_us(const struct node *n)
{
    const struct stream *s = &n->stream;
    uint64_t first = spn__stream_group_of(s, n->wanted.floor);
    uint64_t place = first;

    while (has_arrived(s, place))
        place++;
    return place == first ? 0
                          : end_time(n, spn__stream_group_first(s, place)) -
                                n->playback_us;
}

static uint64_t heap_bytes(const struct node *n)
{
    const struct heap *heap = n->manager->config.heap;

    return (uint64_t)heap->page_count << heap->page_shift;
}

static void report_admission(const struct node *n, spn_node_state *state)
{
    const struct stream *s = &n->stream;

    state->admission = s->admission;
    state->drive_permille = s->drive_permille;
    if (s->admission == SPN_ADMITTED)
        return;
    state->status = SPN_NO_TIME_NOW;
    state->fault = (spn_fault){
        .what = "thousandths of the drive's time",
        .value =
            (uint64_t)spn__drive_share_permille(n->manager, n->cache->medium) +
            s->drive_permille,
        .expected = n->manager->config.tuning->value[TUNING_drive_permille_max],
        .has_expected = 1,
        .status = state->status,
        .file = n->cache->path};
}

void spn__node_get_state(const struct node *n, spn_node_state *out)
{
    const struct stream *s = &n->stream;
    spn_node_state state = {0};
    uint64_t needed;

    state.status = n->cache->status;
    state.shown_frame = UINT32_MAX;
    state.is_streaming = n->wants_streaming;
    state.playback_us = n->time_us;
    state.frames_shown = n->frames_shown;
    state.frames_late = n->frames_late;
    state.frames_dropped = s->frames_dropped;
    state.seeks = n->seeks;
    state.bytes_read = s->bytes_read;
    state.fault = s->fault;
    state.fault_frame = s->fault_frame;
    if (node_has_ready_cache(n)) {
        state.status = s->status;
        if (spn__stream_awaits_memory(s, &needed)) {
            state.status = SPN_NO_MEMORY_NOW;
            state.fault = (spn_fault){.what = "bytes of the heap",
                                      .value = heap_bytes(n),
                                      .expected = needed,
                                      .has_expected = 1,
                                      .status = state.status,
                                      .file = n->cache->path};
        }
        report_admission(n, &state);
        /* The frame may have been freed for lack of memory. */
        if (spn__node_frame(n, &n->shown, n->shown.floor))
            state.shown_frame = spn__stream_number(s, n->shown.floor);
        state.is_ready = n->shown.is_valid && n->shown.is_exact;
        if (s->is_active && !s->is_draining) {
            state.precached_us = precached_us(n);
            state.buffered_us = buffered_us(n);
        }
    } else if (n->cache->state == CACHE_FAILED) {
        state.fault = n->cache->fault;
    }
    *out = state;
}

spn_status spn__node_refusal(const struct node *n)
{
    spn_status status = n->stream.status;

    return status == SPN_ERR_MEMORY || status == SPN_ERR_TABLE_FULL ? status
                                                                    : SPN_OK;
}
