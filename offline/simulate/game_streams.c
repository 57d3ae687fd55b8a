/* game_streams.c - open caches; create, advance and count nodes. */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_streams.h"

#include "common/fault_text.h"

#include <string.h>

/* How long a cache of one frame is shown. */
#define FRAME_US UINT64_C(1000000)

struct stream_cache {
    const struct clip_name *name; /* in the first line that has it */
    spn_cache cache;
    spn_cache_info info;
    spn_status status; /* of frames that could not be decoded */
    spn_fault fault;
};

struct game_stream {
    struct game_streams *streams;
    const struct clip_action *action;
    uint32_t cache; /* index */
    spn_node node;
    bool is_waiting; /* for its first picture */
};

struct game_streams {
    const struct clip_script *script;
    struct sim_record *out;
    struct diag *diag;
    spn_runtime *rt;
    struct stream_cache *caches;
    uint32_t cache_count;
};

struct game_streams *game_streams_create(const struct clip_script *script,
                                         struct sim_record *out,
                                         struct diag *diag)
{
    struct game_streams *s = ARENA_NEW(&out->arena, struct game_streams, 1);

    *s = (struct game_streams){.script = script, .out = out, .diag = diag};
    s->caches =
        ARENA_NEW(&out->arena, struct stream_cache, script->stream_count);
    out->caches =
        ARENA_NEW(&out->arena, struct played_cache, script->stream_count);
    return s;
}

static uint32_t find(const struct game_streams *s, const char *name)
{
    uint32_t i = 0;

    while (i < s->cache_count && strcmp(s->caches[i].name->text, name) != 0)
        i++;
    return i;
}

/* -- opening -- */

bool game_streams_open(struct game_streams *s, spn_runtime *rt)
{
    s->rt = rt;
    for (uint32_t i = 0; i < s->script->action_count; i++) {
        const struct clip_action *action = &s->script->actions[i];
        const uint32_t at = s->cache_count;
        spn_status status;

        if (action->kind != CLIP_STREAM || find(s, action->name.text) < at)
            continue;
        s->caches[at].name = &action->name;
        s->out->caches[at].label = action->name.text;
        s->out->cache_count = ++s->cache_count;
        status = spn_cache_open(rt, action->name.text, &s->caches[at].cache);
        if (status != SPN_OK)
            return clip_script_refuse(s->script, &action->name, s->diag,
                                      spn_status_text(status));
    }
    return true;
}

spn_status game_streams_opened(struct game_streams *s)
{
    for (uint32_t i = 0; i < s->cache_count; i++) {
        struct stream_cache *c = &s->caches[i];
        spn_fault fault = {0};
        spn_status status = spn_cache_get_status(s->rt, c->cache, &fault);

        if (status == SPN_OK)
            status = spn_cache_get_info(s->rt, c->cache, &c->info);
        if (status < SPN_OK)
            fault_refuse_status(s->diag, c->name->text, status, &fault);
        if (status != SPN_OK)
            return status;
    }
    return SPN_OK;
}

static uint64_t loop_us(const struct stream_cache *c)
{
    return c->info.loop_us > 0 ? (uint64_t)c->info.loop_us : FRAME_US;
}

uint64_t game_streams_pass_us(const struct game_streams *s,
                              const struct clip_action *action)
{
    const int32_t rate = action->rate_permille;

    return loop_us(&s->caches[find(s, action->name.text)]) * 1000 /
           (uint64_t)(rate < 0 ? -rate : rate);
}

/* -- nodes -- */

struct game_stream *game_stream_begin(struct game_streams *s,
                                      const struct clip_action *action,
                                      spn_overload overload)
{
    const spn_node_desc desc = {.is_looping = 1, .overload = overload};
    struct game_stream *stream =
        ARENA_NEW(&s->out->arena, struct game_stream, 1);
    spn_status status;

    *stream = (struct game_stream){.streams = s,
                                   .action = action,
                                   .cache = find(s, action->name.text),
                                   .is_waiting = true};
    status = spn_node_create(s->rt, s->caches[stream->cache].cache, &desc,
                             &stream->node);
    if (status == SPN_OK)
        status = spn_node_set_rate(s->rt, stream->node, action->rate_permille);
    if (status != SPN_OK) {
        clip_script_refuse(s->script, &action->name, s->diag,
                           spn_status_text(status));
        return NULL;
    }
    s->out->caches[stream->cache].plays++;
    return stream;
}

void game_stream_set_time(const struct game_stream *stream, uint64_t now_us)
{
    const struct game_streams *s = stream->streams;
    const int64_t rate = stream->action->rate_permille;
    const int64_t us = (int64_t)(now_us - stream->action->at_us) * rate / 1000;

    (void)spn_node_set_playback_time(
        s->rt, stream->node,
        rate > 0 ? us : us + (int64_t)loop_us(&s->caches[stream->cache]) - 1);
}

static void note_failure(struct stream_cache *c, const spn_node_state *state)
{
    if (c->status < SPN_OK || state->status >= SPN_OK)
        return;
    c->status = state->status;
    c->fault = state->fault;
}

void game_stream_show(struct game_stream *stream, uint64_t now_us)
{
    const struct game_streams *s = stream->streams;
    struct played_cache *counts = &s->out->caches[stream->cache];
    const uint64_t waited_us = now_us - stream->action->at_us;
    spn_node_state state;

    if (spn_node_get_state(s->rt, stream->node, &state) != SPN_OK)
        return;
    if (stream->is_waiting && waited_us > counts->first_us)
        counts->first_us = waited_us;
    stream->is_waiting = stream->is_waiting && !state.is_ready;
    counts->pictures++;
    counts->glitches += !state.is_ready;
    note_failure(&s->caches[stream->cache], &state);
}

void game_stream_end(struct game_stream *stream)
{
    const struct game_streams *s = stream->streams;
    struct played_cache *counts = &s->out->caches[stream->cache];
    spn_node_state state;

    if (spn_node_get_state(s->rt, stream->node, &state) == SPN_OK) {
        counts->frames_shown += state.frames_shown;
        counts->frames_late += state.frames_late;
        counts->frames_left_out += state.frames_left_out;
        counts->frames_dropped += state.frames_dropped;
        counts->bytes_read += state.bytes_read;
        note_failure(&s->caches[stream->cache], &state);
    }
    (void)spn_node_destroy(s->rt, stream->node);
}

void game_streams_finish(const struct game_streams *s)
{
    for (uint32_t i = 0; i < s->cache_count; i++) {
        const struct stream_cache *c = &s->caches[i];

        /* What the drive could not read is counted as dropped. */
        if (c->status < SPN_OK && c->status != SPN_ERR_IO &&
            c->status != SPN_ERR_TIMEOUT && !diag_has_failed(s->diag))
            fault_refuse_status(s->diag, c->name->text, c->status, &c->fault);
    }
}
