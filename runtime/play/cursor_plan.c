/* cursor_plan.c - mark what a cursor needs, and launch what is missing. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_plan.h"

#include "base/assert.h"
#include "play/closure.h"
#include "play/cursor_keep.h"
#include "play/cursor_lost.h"
#include "play/cursor_place.h"
#include "play/cursor_promise.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/launch.h"

/* Frames whose closures are collected in one update, to bound its time. */
#define PLAN_CLOSURES_MAX 32u

static bool is_wanted(const struct cursor *s, uint64_t frame)
{
    return frame == s->wanted || frame == s->wanted_ceil;
}

static struct frame_slot *slot_at(const struct cursor *s, uint64_t frame)
{
    return frame_slot_at(s->cache, spn__cursor_number(s, frame));
}

/* -- frames -- */

/* Collect the closure of a frame that is EMPTY, and keep the frames to which it
 * refers. */
static void keep_references(struct cursor *s, uint32_t number, int64_t until_us,
                            struct closure *closure)
{
    const struct cache *c = s->cache;

    spn__closure_collect(c, number, closure);
    for (uint32_t i = 0; i < closure->count; i++) {
        const uint32_t n = closure->frames[i];
        const uint32_t count = cache_frame_at(c, n)->reference_count;

        for (uint32_t r = 0; r < count; r++) {
            struct frame_slot *slot =
                frame_slot_at(c, cache_reference(c, n, r));

            if (slot->state == FRAME_READY || slot->state == FRAME_RUNNING)
                spn__cursor_keep_frame(s, slot, until_us);
        }
    }
}

/* State of the plan of one update. */
struct plan {
    uint32_t closures_left;
    bool has_missing; /* a frame is EMPTY: slack_us and the reserve are set */
};

/* A frame is not decoded. Note the first one. */
static void note_lack(struct cursor *s, int64_t until_us, enum cursor_lack lack)
{
    if (s->ready_us != INT64_MAX)
        return;
    s->ready_us = until_us;
    s->lack = lack;
    s->lack_us = s->manager->now_us;
}

/* Keep the engine's buffer of a frame that is shown or will be soon. The most
 * important frames come first. */
static void keep_buffer(struct cursor *s, struct decoded_frame *f)
{
    if (!cache_has_buffers(s->cache) ||
        s->frame_buffer_count >= cache_buffers_each(s->cache))
        return;
    s->frame_buffer_count += spn__frame_buffers_need(f);
}

/* until_us  time until the frame is needed */
static void visit(struct cursor *s, struct plan *plan, uint64_t frame,
                  int64_t until_us)
{
    struct frame_slot *slot = slot_at(s, frame);
    struct closure closure;

    if (slot->state == FRAME_FAILED && !spn__cursor_has_lost(s, frame))
        spn__cursor_retry(s, frame);
    if (slot->state == FRAME_READY || slot->state == FRAME_RUNNING) {
        spn__cursor_keep_frame(s, slot, until_us);
        if (until_us <= FRAME_BUFFER_AHEAD_US)
            keep_buffer(s, slot->frame);
    }
    if (slot->state == FRAME_RUNNING)
        note_lack(s, until_us, CURSOR_LACKS_TIME);
    if (slot->state != FRAME_EMPTY)
        return;
    if (s->next_launch == CURSOR_NO_POSITION)
        s->next_launch = frame;
    if (plan->closures_left == 0)
        return;
    plan->closures_left--;
    keep_references(s, spn__cursor_number(s, frame), until_us, &closure);
    note_lack(s, until_us,
              closure.lacks_data ? CURSOR_LACKS_BYTES
              : s->lacks_memory  ? CURSOR_LACKS_MEMORY
                                 : CURSOR_LACKS_TIME);
    if (plan->has_missing)
        return;
    plan->has_missing = true;
    s->slack_us = until_us;
    s->account.frame_reserve = closure.count * s->cache->plan.frame_pages;
}

static void keep_pinned(struct cursor *s, uint64_t frame)
{
    struct frame_slot *slot;

    if (frame == CURSOR_NO_POSITION)
        return;
    slot = slot_at(s, frame);
    if (slot->state != FRAME_READY)
        return;
    spn__cursor_keep_shown(s, slot);
    keep_buffer(s, slot->frame);
}

/* Frames ahead that are decoded already, and what the next one needs. */
static void keep_decoded(struct cursor *s, uint64_t frame)
{
    for (uint32_t i = 0; i < s->cache->closure_frames_max; i++) {
        struct frame_slot *slot = slot_at(s, frame);
        const int64_t until_us = spn__cursor_time_until(s, frame);

        if (slot->state == FRAME_EMPTY) {
            struct closure closure;

            keep_references(s, spn__cursor_number(s, frame), until_us,
                            &closure);
            return;
        }
        if (slot->state != FRAME_FAILED)
            spn__cursor_keep_frame(s, slot, until_us);
        if (!spn__cursor_next_frame(s, &frame))
            return;
    }
}

static void plan_frames(struct cursor *s)
{
    struct plan plan = {.closures_left = PLAN_CLOSURES_MAX};
    uint64_t frame = cursor_first(s);
    uint64_t neighbour;
    bool is_end = false;
    uint32_t count = 0;

    s->slack_us = INT64_MAX;
    s->ready_us = INT64_MAX;
    s->horizon = frame;
    s->next_launch = CURSOR_NO_POSITION;
    for (; is_wanted(s, frame) && !is_end;
         is_end = !spn__cursor_next_frame(s, &frame))
        visit(s, &plan, frame, spn__cursor_time_until(s, frame));
    if (s->has_lost_all) {
        const uint64_t next = s->next_launch;

        visit(s, &plan, s->fallback, 0);
        s->next_launch = next;
    }
    if (!cursor_lacks_memory_long(s)) {
        keep_pinned(s, s->pinned[0]);
        keep_pinned(s, s->pinned[1]);
    }
    if (s->lacks_memory) {
        s->next_launch = cursor_first(s);
        return;
    }
    for (; !is_end && count < s->frames_max; count++) {
        const int64_t until_us = spn__cursor_time_until(s, frame);

        if (until_us > cursor_ahead_us(s))
            break;
        visit(s, &plan, frame, until_us);
        is_end = !spn__cursor_next_frame(s, &frame);
    }
    s->horizon = frame;
    if (s->next_launch == CURSOR_NO_POSITION)
        s->next_launch = frame;
    if (spn__cursor_neighbour(s, &neighbour))
        visit(s, &plan, neighbour, 0);
    keep_pinned(s, s->pinned[2]);
    keep_pinned(s, s->pinned[3]);
    if (plan.has_missing || is_end)
        return;
    s->slack_us = spn__cursor_time_until(s, frame);
    keep_decoded(s, frame);
}

/* -- the plan -- */

/* The frames that playback has passed are needed last of all: in the next loop,
 * or not at all. */
static void pass(struct cursor *s)
{
    struct keeper *keeper = &s->manager->promises.keeper;
    const uint64_t first = cursor_first(s);
    const uint32_t count = s->span.frame_count;

    /* In a ping-pong it is needed first: the entries that were used least
     * recently are freed first. */
    if (s->span.is_ping_pong)
        s->next_to_pass = first;
    /* A short span may have been passed many times since the last update. */
    if (!s->is_backward && first - s->next_to_pass > count &&
        first > s->next_to_pass)
        s->next_to_pass = first - count;
    if (s->is_backward && s->next_to_pass > first &&
        s->next_to_pass - first > count)
        s->next_to_pass = first + count;
    while (s->is_backward ? s->next_to_pass > first : s->next_to_pass < first) {
        const uint64_t frame = s->next_to_pass;
        struct frame_slot *slot = slot_at(s, frame);

        if (slot->state == FRAME_READY)
            spn__kept_pass(keeper, &slot->kept, !s->is_looping);
        if (!spn__cursor_step_frame(s, &s->next_to_pass))
            return;
    }
}

void spn__cursor_plan(struct cursor *s)
{
    s->frame_buffer_count = 0;
    if (cursor_is_playing(s)) {
        pass(s);
        spn__cursor_count_lost(s);
        spn__cursor_find_fallback(s);
        plan_frames(s);
        spn__cursor_find_place(s, true);
    }
}

/* Have the jobs of a frame write its buffer, if it was launched so late that a
 * job of its own would be later. */
static void attach_buffer(struct cursor *s, uint64_t frame)
{
    const struct frame_slot *slot = slot_at(s, frame);

    if (cache_has_buffers(s->cache) && slot->state == FRAME_RUNNING &&
        !slot->frame->is_submitted &&
        spn__cursor_time_until(s, frame) <= FRAME_BUFFER_AHEAD_US)
        spn__frame_buffers_attach(slot->frame);
}

/* Launch a frame that is wanted now while its bytes are on their way. */
static void launch_early(struct cursor *s, uint64_t frame)
{
    const uint32_t number = spn__cursor_number(s, frame);

    if (frame_slot_at(s->cache, number)->state != FRAME_EMPTY)
        return;
    (void)spn__launch_early(s->cache, number, &s->account);
    attach_buffer(s, frame);
}

/* False: do not go on with the frames behind it. */
static bool launch_frame(struct cursor *s, uint64_t frame)
{
    const uint32_t number = spn__cursor_number(s, frame);
    const struct frame_slot *slot = frame_slot_at(s->cache, number);
    enum launch_result result = LAUNCH_STARTED;

    if (slot->state == FRAME_EMPTY)
        result = spn__launch(s->cache, number, &s->account);
    attach_buffer(s, frame);
    if (result == LAUNCH_LACKS_MEMORY &&
        (is_wanted(s, frame) || (s->has_lost_all && frame == s->fallback)))
        s->lacks_memory = true;
    return result == LAUNCH_STARTED || result == LAUNCH_FAILED;
}

/* Of the frames that come too late (comes_too_late), the one that is launched
 * if nothing else can be. */
struct late {
    uint64_t frame;
    uint32_t closure_count;
};

/* True if the cursor leaves frames out for lack of time, and playback reaches
 * this frame before it can be decoded. Of all frames for which the result is
 * true, *late keeps the one with the smallest closure, of equal ones the last.
 */
static bool comes_too_late(const struct cursor *s, uint64_t frame,
                           struct late *late)
{
    const struct decode_pace *pace = &s->manager->launches->pace;
    struct closure closure;

    if (s->cut == 0 || slot_at(s, frame)->state != FRAME_EMPTY)
        return false;
    spn__closure_collect(s->cache, spn__cursor_number(s, frame), &closure);
    if (spn__decode_pace_time(pace,
                              closure.count * s->cache->plan.frame_pages) <=
        (uint64_t)spn__cursor_time_to(s, frame))
        return false;
    if (closure.count <= late->closure_count)
        *late = (struct late){frame, closure.count};
    return true;
}

/* Launch frames in the order of their deadlines, from the first one on that the
 * plan found to be EMPTY. */
static void launch_frames(struct cursor *s)
{
    const struct decode_pace *pace = &s->manager->launches->pace;
    uint64_t frame = s->next_launch;
    struct late late = {CURSOR_NO_POSITION, UINT32_MAX};
    uint64_t neighbour;

    if (s->has_lost_all && !launch_frame(s, s->fallback))
        return;
    for (uint32_t i = 0; i < s->frames_max; i++) {
        if (!is_wanted(s, frame) &&
            spn__cursor_time_until(s, frame) > cursor_ahead_us(s))
            break;
        /* A cursor for which nothing runs may always launch one. */
        if (s->account.running_count > 0 && spn__decode_pace_is_full(pace))
            break;
        if (!comes_too_late(s, frame, &late) && !launch_frame(s, frame))
            return;
        if (!spn__cursor_next_frame(s, &frame))
            break;
    }
    if (late.frame != CURSOR_NO_POSITION && pace->running_count == 0 &&
        !launch_frame(s, late.frame))
        return;
    if (spn__cursor_neighbour(s, &neighbour))
        (void)launch_frame(s, neighbour);
}

void spn__cursor_launch(struct cursor *s)
{
    s->lacks_memory = false;
    if (s->account.frame_promise > 0)
        launch_frames(s);
    if (!s->lacks_memory)
        s->lacks_since_us = s->manager->now_us;
    spn__cursor_update_promise(s);
}

/* Launch the index frame nearest to the wanted frame: at once if its bytes are
 * there, otherwise early. */
static void launch_index_frame(struct cursor *s)
{
    uint32_t number;
    uint32_t part;

    if (!spn__cursor_index_frame(s, &number, &part) ||
        frame_slot_at(s->cache, number)->state != FRAME_EMPTY)
        return;
    if (spn__group_table_has(s->cache, number))
        (void)spn__launch(s->cache, number, &s->account);
    else
        (void)spn__launch_early(s->cache, number, &s->account);
}

void spn__cursor_launch_early(struct cursor *s)
{
    /* A cursor that leaves frames out has the workers decode others first. */
    if (s->account.frame_promise == 0 || !s->is_leaping || s->cut > 0)
        return;
    if (cursor_is_scrubbing(s))
        launch_index_frame(s);
    launch_early(s, s->wanted);
    if (s->wanted_ceil != s->wanted)
        launch_early(s, s->wanted_ceil);
    spn__cursor_update_promise(s);
}
