/* anim_plays.c - plays and timelines. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_plays.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "anim/playing_clip.h"

/* A larger step of a timeline or a play is a jump. */
#define JUMP_US 500000

/* -- plays -- */

spn_status spn__play_start(struct anim *a, uint32_t clip, spn_anim_play *out)
{
    spn_status status = spn__pool_take(&a->play_pool, out);
    struct anim_play *play;

    if (status != SPN_OK)
        return status;
    play = &a->plays[spn__pool_index(&a->play_pool, *out)];
    *play = (struct anim_play){
        .clip = clip,
        .skeleton = spn__clip_index_clip(&a->image.index, clip).skeleton,
    };
    a->stats.plays_started++;
    a->stats.plays_ready += spn__clip_is_ready(a, clip);
    spn__clip_want(a, clip, a->now_us > 0 ? a->now_us : 1);
    play->playing = spn__playing_join(a, clip);
    return SPN_OK;
}

void spn__play_stop(struct anim *a, spn_anim_play play)
{
    const struct anim_play *p = &a->plays[spn__pool_index(&a->play_pool, play)];

    if (p->playing != PLAYING_NONE)
        spn__playing_leave(a, p->playing);
    spn__clip_release(a, p->clip);
    (void)spn__pool_give(&a->play_pool, play);
}

void spn__play_set_time(struct anim_play *play, int64_t time_us)
{
    const int64_t step_us = time_us - play->time_us;

    if (!play->has_moved)
        play->past_us = play->time_us;
    if (step_us != 0 && step_us <= JUMP_US && step_us >= -JUMP_US)
        play->moves_back = step_us < 0;
    play->time_us = time_us;
    play->has_moved = true;
}

void spn__plays_update(struct anim *a)
{
    for (uint32_t i = 0; i < a->play_pool.capacity; i++) {
        struct anim_play *play = &a->plays[i];

        if (!spn__pool_is_used(&a->play_pool, i))
            continue;
        play->updates++;
        a->stats.play_updates++;
        if (spn__clip_is_ready(a, play->clip))
            continue;
        play->glitches++;
        a->stats.glitches++;
        spn__anim_trace(a, TRACE_CLIP_LATE, play->clip, i);
    }
}

/* -- timelines -- */

static uint32_t clip_of(const struct anim_timeline *t, uint32_t cue)
{
    return t->cues[cue].anim - 1;
}

void spn__timeline_clear(struct anim *a, struct anim_timeline *t)
{
    for (uint32_t i = t->first; i < t->wanted; i++)
        spn__clip_release(a, clip_of(t, i));
    t->wanted = t->first;
}

/* The first cue that is not before a time. */
static uint32_t cue_at(const struct anim_timeline *t, int64_t time_us)
{
    uint32_t first = 0;
    uint32_t limit = t->count;

    while (first < limit) {
        const uint32_t middle = first + (limit - first) / 2;

        if (t->cues[middle].time_us < time_us)
            first = middle + 1;
        else
            limit = middle;
    }
    return first;
}

void spn__timeline_set_cues(struct anim *a, struct anim_timeline *t,
                            const spn_anim_cue *cues, uint32_t count)
{
    spn__timeline_clear(a, t);
    t->cues = cues;
    t->count = count;
    t->first = cue_at(t, t->time_us);
    t->wanted = t->first;
}

static void pass(struct anim *a, struct anim_timeline *t)
{
    const uint32_t clip = clip_of(t, t->first);
    const bool is_hit = spn__clip_is_ready(a, clip);

    t->hits += is_hit;
    t->misses += !is_hit;
    a->stats.cue_hits += is_hit;
    a->stats.cue_misses += !is_hit;
    if (t->first < t->wanted)
        spn__clip_release(a, clip);
    t->first++;
    if (t->wanted < t->first)
        t->wanted = t->first;
}

/* Differences of the unsigned numbers do not overflow. */
void spn__timeline_set_time(struct anim *a, struct anim_timeline *t,
                            int64_t time_us)
{
    const bool is_jump = time_us < t->time_us ||
                         (uint64_t)time_us - (uint64_t)t->time_us > JUMP_US;

    t->time_us = time_us;
    if (is_jump) {
        spn__timeline_clear(a, t);
        t->first = cue_at(t, time_us);
        t->wanted = t->first;
        return;
    }
    while (t->first < t->count && t->cues[t->first].time_us < time_us)
        pass(a, t);
}

static void want_ahead(struct anim *a, struct anim_timeline *t)
{
    const uint64_t ahead_us =
        (uint64_t)a->config.tuning->value[TUNING_anim_ahead_ms] * 1000;

    while (t->wanted < t->count) {
        const uint64_t away_us =
            (uint64_t)t->cues[t->wanted].time_us - (uint64_t)t->time_us;

        if (away_us > ahead_us)
            break;
        spn__clip_want(a, clip_of(t, t->wanted), a->now_us + away_us + 1);
        t->wanted++;
    }
}

void spn__timelines_update(struct anim *a)
{
    for (uint32_t i = 0; i < a->timeline_pool.capacity; i++)
        if (spn__pool_is_used(&a->timeline_pool, i))
            want_ahead(a, &a->timelines[i]);
}

#endif
