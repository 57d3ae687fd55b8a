/* anim_plays.c - clips that play. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_plays.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "anim/playing_clip.h"
#include "base/minmax.h"

/* A larger step of a play is a jump. */
#define JUMP_US 500000

spn_status spn__play_start(struct anim *a, uint32_t clip, spn_anim_play *out)
{
    spn_status status = spn__pool_take(&a->play_pool, out);
    struct clip_facts facts;
    struct anim_play *play;

    if (status != SPN_OK)
        return status;
    play = &a->plays[spn__pool_index(&a->play_pool, *out)];
    facts = spn__clip_index_clip(&a->image.index, clip);
    *play = (struct anim_play){
        .clip = clip,
        .skeleton = facts.skeleton,
        .joint_count = facts.joint_count,
        .deadline_us = max_u64(a->now_us, 1),
    };
    a->stats.plays_started++;
    a->stats.plays_ready += spn__clip_is_ready(a, clip);
    spn__clip_want(a, clip, play->deadline_us);
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

void spn__plays_hurry(struct anim *a)
{
    for (uint32_t i = 0; i < a->play_pool.capacity; i++)
        if (spn__pool_is_used(&a->play_pool, i))
            spn__clip_hurry(a, a->plays[i].clip, a->plays[i].deadline_us);
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

#endif
