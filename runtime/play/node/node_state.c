/* node_state.c - the state of a node for the user. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_state.h"

#include "play/cursor_promise.h"
#include "play/drive_share.h"
#include "play/level.h"
#include "play/node/node_show.h"

static uint64_t bytes_of(const struct node *n, uint64_t pages)
{
    return pages << n->manager->config.heap->page_shift;
}

static void report_admission(const struct node *n, spn_node_state *state)
{
    const struct cursor *s = &n->cursor;

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

static void report_level(const struct node *n, spn_node_state *state)
{
    const struct cursor *s = &n->cursor;
    const struct cache *c = n->cache;
    const uint64_t count = c->header.frame_count;

    state->level_max = c->level_max;
    state->level = s->cut / LEVEL_STEPS;
    state->left_out_permille =
        (uint32_t)((count - spn__level_frames(c, s->cut)) * 1000 / count);
    state->shortage = s->shortage;
}

void spn__node_get_state(const struct node *n, spn_node_state *out)
{
    struct node_ahead ahead;

    spn__node_look_ahead(n, &ahead);
    spn__node_report(n, &ahead, out);
}

void spn__node_report(const struct node *n, const struct node_ahead *ahead,
                      spn_node_state *out)
{
    const struct cursor *s = &n->cursor;
    spn_node_state state = {0};
    struct cursor_need need;

    state.status = n->cache->status;
    state.shown_frame = UINT32_MAX;
    state.is_streaming = node_is_streaming(n);
    state.playback_us = n->time_us;
    state.frames_shown = n->frames_shown;
    state.frames_late = n->frames_late;
    state.frames_left_out = n->frames_left_out;
    state.frames_dropped = s->frames_dropped;
    state.seeks = n->seeks;
    state.bytes_read = s->account.bytes_read;
    state.fault = s->fault;
    state.fault_frame = s->fault_frame;
    if (node_has_ready_cache(n)) {
        state.status = s->status;
        if (spn__cursor_awaits_memory(s, &need)) {
            state.status = SPN_NO_MEMORY_NOW;
            state.fault = (spn_fault){.what = "bytes of the heap",
                                      .value = bytes_of(n, need.pages_max),
                                      .expected = bytes_of(n, need.pages),
                                      .has_expected = 1,
                                      .status = state.status,
                                      .file = n->cache->path};
        }
        report_admission(n, &state);
        report_level(n, &state);
        /* The frame may have been freed for lack of memory. */
        if (spn__node_frame(n, &n->shown, n->shown.floor))
            state.shown_frame = spn__cursor_number(s, n->shown.floor);
        state.is_ready = !n->shown.lacks_meshes && spn__node_shows_wanted(n);
        state.precached_us = ahead->decoded.us;
        state.buffered_us = ahead->read.us;
    } else {
        if (cache_has_tables(n->cache))
            state.status = n->cache->load_status;
        if (state.status < 0)
            state.fault = n->cache->fault;
    }
    *out = state;
}

spn_status spn__node_refusal(const struct node *n)
{
    const spn_status status =
        node_has_ready_cache(n) ? n->cursor.status : SPN_OK;

    return status == SPN_ERR_MEMORY || status == SPN_ERR_TABLE_FULL ? status
                                                                    : SPN_OK;
}
