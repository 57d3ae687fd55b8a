/* play_needs.c - segments that plays need at their times. */
/* SPDX-License-Identifier: MIT */
#include "anim/play_needs.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "anim/anim_timelines.h"
#include "anim/play_time.h"
#include "anim/playing_windows.h"

static uint32_t segment_of(const struct playing_clip *p, uint32_t frame)
{
    return frame / p->open.header.segment_frames;
}

bool spn__play_loops(const struct anim *a, const struct anim_play *play)
{
    if (play->loop != SPN_ANIM_LOOP_AS_CLIP)
        return play->loop == SPN_ANIM_LOOP_ALWAYS;
    return (spn__clip_index_clip(&a->image.index, play->clip).flags &
            CLIP_LOOPS) != 0;
}

/* The clip of a play if it has segments and is open. */
static struct playing_clip *open_clip(struct anim *a,
                                      const struct anim_play *play)
{
    struct playing_clip *p =
        play->playing != PLAYING_NONE ? &a->playing.clips[play->playing] : NULL;

    return p && p->state == PLAYING_OPEN && p->open.header.segment_count > 0
               ? p
               : NULL;
}

/* Note that a segment is needed. */
static void need(struct anim *a, struct playing_clip *p, uint32_t segment,
                 enum window_need need)
{
    struct playing_window *w = spn__window_find(a, p, segment);

    if (need == WINDOW_IS_AHEAD && (!w || w->need == WINDOW_IS_IDLE) &&
        p->needed >= 2 * p->play_count)
        return;
    if (need != WINDOW_IS_PAST)
        w = spn__window_make(a, p, segment);
    if (!w)
        return;
    p->needed += w->need == WINDOW_IS_IDLE;
    if (w->need < need)
        w->need = need;
}

static void need_around(struct anim *a, const struct anim_play *play,
                        int64_t time_us, enum window_need kind)
{
    struct playing_clip *p = open_clip(a, play);
    struct play_time t;

    if (!p)
        return;
    t = spn__play_time(&p->open.header, spn__play_loops(a, play), time_us);
    need(a, p, segment_of(p, t.frame), kind);
    need(a, p, segment_of(p, t.next), kind);
}

/* What the motion since the time before takes: the frames around that time,
 * which were decoded then, and, if the end of a loop was passed, its ends. */
static void need_past(struct anim *a, const struct anim_play *play)
{
    struct playing_clip *p = open_clip(a, play);
    bool loops;
    struct play_time past;
    struct play_time now;

    if (!p || play->past_us == play->time_us)
        return;
    need_around(a, play, play->past_us, WINDOW_IS_PAST);
    loops = spn__play_loops(a, play);
    past = spn__play_time(&p->open.header, loops, play->past_us);
    now = spn__play_time(&p->open.header, loops, play->time_us);
    if (past.pass == now.pass)
        return;
    need(a, p, 0, WINDOW_IS_END);
    need(a, p, p->open.header.segment_count - 1, WINDOW_IS_END);
}

static void need_ahead(struct anim *a, const struct anim_play *play)
{
    struct playing_clip *p = open_clip(a, play);
    const bool is_back =
        play->direction != 0 ? play->direction < 0 : play->moves_back;
    bool loops;
    struct play_time t;
    uint32_t now;
    uint32_t last;

    if (!p)
        return;
    loops = spn__play_loops(a, play);
    t = spn__play_time(&p->open.header, loops, play->time_us);
    now = segment_of(p, t.frame);
    last = p->open.header.segment_count - 1;
    if (segment_of(p, t.next) != now)
        return;
    if (now != (is_back ? 0 : last))
        need(a, p, is_back ? now - 1 : now + 1, WINDOW_IS_AHEAD);
    else if (loops)
        need(a, p, is_back ? last : 0, WINDOW_IS_AHEAD);
}

static bool is_used(const struct anim *a, uint32_t play)
{
    return spn__pool_is_used(&a->play_pool, play);
}

/* Every play has its clip, and every clip is opened as far as possible. */
static void open_clips(struct anim *a, uint32_t *budget)
{
    for (uint32_t i = 0; i < a->play_pool.capacity; i++) {
        struct anim_play *play = &a->plays[i];

        if (!is_used(a, i))
            continue;
        if (play->playing == PLAYING_NONE)
            play->playing = spn__playing_join(a, play->clip);
        if (play->playing != PLAYING_NONE)
            spn__playing_open(a, &a->playing.clips[play->playing], budget);
    }
}

/* Clips of cues: from their beginning, by jobs. */
static void open_cues(struct anim *a)
{
    uint32_t none = 0;

    for (uint32_t i = 0; i < a->timeline_pool.capacity; i++)
        for (uint32_t k = 0; spn__pool_is_used(&a->timeline_pool, i); k++) {
            const uint32_t playing = spn__timeline_playing(&a->timelines[i], k);

            if (playing == PLAYING_NONE)
                break;
            spn__playing_open(a, &a->playing.clips[playing], &none);
        }
}

static void need_cues(struct anim *a)
{
    for (uint32_t i = 0; i < a->timeline_pool.capacity; i++)
        for (uint32_t k = 0; spn__pool_is_used(&a->timeline_pool, i); k++) {
            const uint32_t playing = spn__timeline_playing(&a->timelines[i], k);
            struct playing_clip *p;

            if (playing == PLAYING_NONE)
                break;
            p = &a->playing.clips[playing];
            if (p->state == PLAYING_OPEN && p->open.header.segment_count > 0)
                need(a, p, 0, WINDOW_IS_AHEAD);
        }
}

static void reset_needs(struct anim *a)
{
    for (uint32_t i = 0; i < a->playing.window_count; i++)
        a->playing.windows[i].need = WINDOW_IS_IDLE;
    for (uint32_t i = 0; i < a->playing.clip_count; i++)
        a->playing.clips[i].needed = 0;
}

static void update(struct anim *a, uint32_t budget)
{
    const uint32_t count = a->play_pool.capacity;

    spn__playing_collect(a);
    open_clips(a, &budget);
    open_cues(a);
    reset_needs(a);
    for (uint32_t i = 0; i < count; i++)
        if (is_used(a, i))
            need_around(a, &a->plays[i], a->plays[i].time_us, WINDOW_IS_NOW);
    need_cues(a);
    for (uint32_t i = 0; i < count; i++)
        if (is_used(a, i))
            need_past(a, &a->plays[i]);
    for (uint32_t i = 0; i < count; i++)
        if (is_used(a, i))
            need_ahead(a, &a->plays[i]);
    spn__playing_decode(a, &budget);
}

void spn__play_needs_update(struct anim *a)
{
    for (uint32_t i = 0; i < a->play_pool.capacity; i++)
        if (is_used(a, i) && !a->plays[i].has_moved)
            a->plays[i].past_us = a->plays[i].time_us;
    update(a, a->config.tuning->value[TUNING_anim_decode_now]);
}

void spn__play_needs_finish(struct anim *a)
{
    struct play_frames frames;

    if (a->playing.busy > 0)
        update(a, 0);
    for (uint32_t i = 0; i < a->play_pool.capacity; i++) {
        struct anim_play *play = &a->plays[i];

        if (!is_used(a, i))
            continue;
        play->has_moved = false;
        if (spn__play_find_frames(a, play, play->time_us, &frames) == SPN_OK)
            continue;
        play->held_updates++;
        a->stats.held_updates++;
    }
}

/* -- sampling -- */

static spn_status find_frame(const struct anim *a, const struct playing_clip *p,
                             uint32_t frame, struct anim_frame *out,
                             const spn_fault **fault)
{
    const struct playing_window *w =
        spn__window_find(a, p, segment_of(p, frame));

    if (w && w->state == WINDOW_DAMAGED) {
        *fault = &w->job.fault;
        return w->job.status;
    }
    if (!w || w->state != WINDOW_READY)
        return SPN_PENDING;
    *out = (struct anim_frame){&w->window, frame - w->window.first_frame};
    return SPN_OK;
}

uint32_t spn__play_float_count(const struct anim *a,
                               const struct anim_play *play)
{
    const struct playing_clip *p =
        play->playing != PLAYING_NONE ? &a->playing.clips[play->playing] : NULL;

    return p && p->state == PLAYING_OPEN ? p->open.header.float_track_count : 0;
}

spn_status spn__play_find_clip(const struct anim *a,
                               const struct anim_play *play,
                               const struct playing_clip **out)
{
    const struct playing_clip *p;

    if (play->playing == PLAYING_NONE)
        return SPN_PENDING;
    p = &a->playing.clips[play->playing];
    if (p->state != PLAYING_OPEN)
        return p->state == PLAYING_FAILED ? p->job.status : SPN_PENDING;
    *out = p;
    return SPN_OK;
}

spn_status spn__playing_frames(const struct anim *a,
                               const struct playing_clip *clip, uint32_t frame,
                               uint32_t next, float between,
                               struct play_frames *out)
{
    spn_status status;

    *out = (struct play_frames){.clip = clip,
                                .from = {&a->playing.still, 0},
                                .to = {&a->playing.still, 0}};
    if (clip->open.header.segment_count == 0)
        return SPN_OK;
    out->between = between;
    status = find_frame(a, clip, frame, &out->from, &out->fault);
    if (status != SPN_OK)
        return status;
    if (between > 0)
        return find_frame(a, clip, next, &out->to, &out->fault);
    out->to = out->from;
    return SPN_OK;
}

spn_status spn__play_find_frames(const struct anim *a,
                                 const struct anim_play *play, int64_t time_us,
                                 struct play_frames *out)
{
    const struct playing_clip *p = NULL;
    const spn_status status = spn__play_find_clip(a, play, &p);
    struct play_time t;

    if (status < SPN_OK)
        out->fault = &a->playing.clips[play->playing].job.fault;
    if (status != SPN_OK)
        return status;
    t = spn__play_time(&p->open.header, spn__play_loops(a, play), time_us);
    return spn__playing_frames(a, p, t.frame, t.next, t.between, out);
}

spn_fault spn__play_fault(const struct anim *a, const struct anim_play *play,
                          const struct play_frames *frames, spn_status status)
{
    const struct clip_facts *f = &a->playing.clips[play->playing].facts;
    spn_fault fault = *frames->fault;

    fault.status = status;
    fault.offset += f->offset;
    fault.file = f->file != CLIP_INDEX_NONE
                     ? spn__clip_index_file(&a->image.index, f->file).path
                     : f->name;
    return fault;
}

#endif
