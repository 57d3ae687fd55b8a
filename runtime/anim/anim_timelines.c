/* anim_timelines.c - see anim_timelines.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_timelines.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "anim/playing_clip.h"

/* The clip of a cue is opened so long before its time. */
#define OPEN_US 500000u

static uint32_t clip_of(const struct anim_timeline *t, uint32_t cue)
{
    return t->cues[cue].anim - 1;
}

/* Differences of the unsigned numbers do not overflow. */
static uint64_t away_us(const struct anim_timeline *t, uint32_t cue)
{
    return (uint64_t)t->cues[cue].time_us - (uint64_t)t->time_us;
}

/* Release the first cue that is held. */
static void release_one(struct anim *a, struct anim_timeline *t)
{
    if (t->open_count > 0) {
        spn__playing_leave(a, t->playing[t->held % TIMELINE_OPEN_MAX]);
        t->open_count--;
    }
    spn__clip_release(a, clip_of(t, t->held));
    t->held++;
}

static void release_until(struct anim *a, struct anim_timeline *t,
                          uint32_t limit)
{
    while (t->held < limit)
        release_one(a, t);
}

/* Go on at a cue, of which none is wanted. */
static void go_to(struct anim_timeline *t, uint32_t cue)
{
    t->held = t->released = t->first = t->wanted = cue;
}

void spn__timeline_clear(struct anim *a, struct anim_timeline *t)
{
    release_until(a, t, t->wanted);
    go_to(t, t->first);
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
    go_to(t, cue_at(t, t->time_us));
}

void spn__timeline_jump(struct anim *a, struct anim_timeline *t,
                        int64_t time_us)
{
    spn__timeline_clear(a, t);
    t->time_us = time_us;
    go_to(t, cue_at(t, time_us));
}

/* A cue that was not wanted is not held either. */
static void pass(struct anim *a, struct anim_timeline *t)
{
    const bool is_hit = spn__clip_is_ready(a, clip_of(t, t->first));

    t->hits += is_hit;
    t->misses += !is_hit;
    a->stats.cue_hits += is_hit;
    a->stats.cue_misses += !is_hit;
    if (t->first < t->wanted) {
        t->first++;
        return;
    }
    release_until(a, t, t->wanted);
    go_to(t, t->first + 1);
}

void spn__timeline_set_time(struct anim *a, struct anim_timeline *t,
                            int64_t time_us)
{
    if (time_us < t->time_us) {
        spn__timeline_jump(a, t, time_us);
        return;
    }
    t->time_us = time_us;
    while (t->first < t->count && t->cues[t->first].time_us < time_us)
        pass(a, t);
}

/* -- updates -- */

/* When the clip of a cue ahead is needed. */
static uint64_t deadline_of(const struct anim *a, const struct anim_timeline *t,
                            uint32_t cue)
{
    return a->now_us + away_us(t, cue) + 1;
}

static void want_ahead(struct anim *a, struct anim_timeline *t)
{
    const uint64_t ahead_us =
        (uint64_t)a->config.tuning->value[TUNING_anim_ahead_ms] * 1000;

    while (t->wanted < t->count && away_us(t, t->wanted) <= ahead_us) {
        spn__clip_want(a, clip_of(t, t->wanted), deadline_of(a, t, t->wanted));
        t->wanted++;
    }
}

/* Open the clips of the next cues, as far as there are records. */
static void open_ahead(struct anim *a, struct anim_timeline *t)
{
    while (t->open_count < TIMELINE_OPEN_MAX) {
        const uint32_t cue = t->held + t->open_count;
        uint32_t playing;

        if (cue >= t->wanted || (cue >= t->first && away_us(t, cue) > OPEN_US))
            return;
        playing = spn__playing_join(a, clip_of(t, cue));
        if (playing == PLAYING_NONE)
            return;
        t->playing[cue % TIMELINE_OPEN_MAX] = playing;
        t->open_count++;
    }
}

void spn__timelines_update(struct anim *a)
{
    for (uint32_t i = 0; i < a->timeline_pool.capacity; i++) {
        struct anim_timeline *t = &a->timelines[i];

        if (!spn__pool_is_used(&a->timeline_pool, i))
            continue;
        release_until(a, t, t->released);
        t->released = t->first;
        want_ahead(a, t);
        open_ahead(a, t);
    }
}

void spn__timelines_hurry(struct anim *a)
{
    for (uint32_t i = 0; i < a->timeline_pool.capacity; i++) {
        const struct anim_timeline *t = &a->timelines[i];

        if (!spn__pool_is_used(&a->timeline_pool, i))
            continue;
        for (uint32_t cue = t->first; cue < t->wanted; cue++)
            spn__clip_hurry(a, clip_of(t, cue), deadline_of(a, t, cue));
    }
}

uint32_t spn__timeline_playing(const struct anim_timeline *t, uint32_t number)
{
    return number < t->open_count
               ? t->playing[(t->held + number) % TIMELINE_OPEN_MAX]
               : PLAYING_NONE;
}

#endif
