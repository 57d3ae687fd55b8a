/* sim_anim_timelines.c - timelines of clips, and the truth about their cues. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "sim/sim.h"
#include "sim/sim_anim.h"

#define OK(call) SIM_MUST(sim, SIM_STATUS, (call) == SPN_OK)

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return sim_anim_below(sim, limit);
}

static uint32_t clip_of(const struct sim_anim_timeline *t, uint32_t cue)
{
    return t->clips[t->now][cue];
}

static void clear(struct sim *sim, struct sim_anim_timeline *t)
{
    while (t->wanted > t->held) {
        t->wanted--;
        sim_anim_touch(sim, clip_of(t, t->wanted));
    }
}

static void go_to(struct sim_anim_timeline *t)
{
    t->first = 0;
    while (t->first < t->count &&
           t->cues[t->now][t->first].time_us < t->time_us)
        t->first++;
    t->held = t->released = t->wanted = t->first;
}

/* Release the passed cues before `limit`. */
static void release_until(struct sim *sim, struct sim_anim_timeline *t,
                          uint32_t limit)
{
    while (t->held < limit) {
        t->held++;
        sim_anim_touch(sim, clip_of(t, t->held - 1));
    }
}

static void set_cues(struct sim *sim, struct sim_anim_timeline *t)
{
    const uint32_t other = !t->now;
    const uint32_t count = below(sim, SIM_ANIM_CUES + 1);
    int64_t time_us = t->time_us - below(sim, 300000);

    for (uint32_t i = 0; i < count; i++) {
        if (!sim_anim_draw_clip(sim, &t->clips[other][i]))
            return;
        time_us += below(sim, 1500000);
        t->cues[other][i] =
            (spn_anim_cue){time_us, sim->anim.clips[t->clips[other][i]].anim};
    }
    sim_note(sim, "timeline: cues", t->timeline, count, 0);
    OK(spn_anim_timeline_set_cues(sim->rt, t->timeline, t->cues[other], count));
    clear(sim, t);
    t->now = other;
    t->count = count;
    go_to(t);
}

static void pass(struct sim *sim, struct sim_anim_timeline *t, bool is_ready)
{
    t->hits += is_ready;
    t->misses += !is_ready;
    swarm_hit(&sim->swarm, is_ready ? SWARM_CUE_HIT : SWARM_CUE_MISS);
    t->first++;
    if (t->first <= t->wanted)
        return;
    /* A cue that was not wanted is not held. */
    release_until(sim, t, t->wanted);
    t->held = t->released = t->wanted = t->first;
}

static void set_time(struct sim *sim, struct sim_anim_timeline *t,
                     int64_t time_us, bool is_jump)
{
    bool is_ready[SIM_ANIM_CUES];

    /* The call passes cues, and counts what was there before it. */
    for (uint32_t i = 0; i < t->count; i++)
        is_ready[i] =
            spn__clip_is_ready(sim->rt->anim, t->cues[t->now][i].anim - 1);
    OK(is_jump ? spn_anim_timeline_jump(sim->rt, t->timeline, time_us)
               : spn_anim_timeline_set_time(sim->rt, t->timeline, time_us));
    is_jump |= time_us < t->time_us;
    t->time_us = time_us;
    if (is_jump) {
        sim_note(sim, "timeline: jump", t->timeline, 0, time_us);
        clear(sim, t);
        go_to(t);
        return;
    }
    while (t->first < t->count && t->cues[t->now][t->first].time_us < time_us)
        pass(sim, t, is_ready[t->first]);
}

static void destroy(struct sim *sim, struct sim_anim_timeline *t)
{
    sim_note(sim, "timeline: destroyed", t->timeline, 0, 0);
    clear(sim, t);
    OK(spn_anim_timeline_destroy(sim->rt, t->timeline));
    SIM_MUST(sim, SIM_STATUS,
             spn_anim_timeline_destroy(sim->rt, t->timeline) == SPN_ERR_HANDLE);
    t->timeline = 0;
}

void sim_anim_change_timeline(struct sim *sim)
{
    struct sim_anim_timeline *t =
        &sim->anim.timelines[below(sim, SIM_ANIM_TIMELINES)];

    if (!t->timeline) {
        *t = (struct sim_anim_timeline){.timeline = 0};
        OK(spn_anim_timeline_create(sim->rt, &t->timeline));
        set_cues(sim, t);
    } else if (below(sim, 4) == 0) {
        destroy(sim, t);
    } else if (below(sim, 4) == 0) {
        const int64_t time_us = t->time_us + below(sim, 4000000) - 2000000;
        const bool is_jump = below(sim, 2) == 0;

        set_time(sim, t, time_us, is_jump);
    } else {
        set_cues(sim, t);
    }
}

void sim_anim_advance_timelines(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_ANIM_TIMELINES; i++) {
        struct sim_anim_timeline *t = &sim->anim.timelines[i];

        if (t->timeline)
            set_time(sim, t, t->time_us + (int64_t)sim->frame_us, false);
    }
}

void sim_anim_hold_cues(struct sim *sim)
{
    const uint64_t ahead_us = (uint64_t)sim->anim.ahead_ms * 1000;

    for (uint32_t i = 0; i < SIM_ANIM_TIMELINES; i++) {
        struct sim_anim_timeline *t = &sim->anim.timelines[i];

        if (!t->timeline)
            continue;
        release_until(sim, t, t->released);
        t->released = t->first;
        while (t->wanted < t->count &&
               (uint64_t)(t->cues[t->now][t->wanted].time_us - t->time_us) <=
                   ahead_us) {
            t->wanted++;
            sim_anim_touch(sim, clip_of(t, t->wanted - 1));
        }
    }
}

void sim_anim_destroy_timelines(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_ANIM_TIMELINES; i++)
        if (sim->anim.timelines[i].timeline)
            destroy(sim, &sim->anim.timelines[i]);
}
