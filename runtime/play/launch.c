/* launch.c - memory, counters and jobs of a closure. */
/* SPDX-License-Identifier: MIT */
#include "play/launch.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "play/arrival.h"
#include "play/closure.h"
#include "play/decode_job.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/play_trace.h"

#include <stddef.h>

struct launch_queue *spn__launch_init(struct carve *carve)
{
    struct launch_queue *q = SPN_CARVE(carve, struct launch_queue, 1);
    struct decoded_frame **frames =
        SPN_CARVE(carve, struct decoded_frame *, LAUNCH_FRAMES_MAX);
    struct kept **inputs = SPN_CARVE(carve, struct kept *, LAUNCH_INPUTS_MAX);

    if (!q)
        return NULL;
    q->frames = frames;
    q->inputs = inputs;
    q->end = &q->running;
    return q;
}

/* Frames that are launched together; references come first. */
struct frame_list {
    const uint32_t *numbers;
    uint32_t count;
};

/* -- memory -- */

static spn_status alloc_frame(struct cache *c, uint32_t number,
                              enum promise_kind kind,
                              struct decoded_frame **out)
{
    struct promises *p = &c->manager->promises;
    const struct group_read *read = spn__group_table_read(c, number);
    const uint32_t at =
        (uint32_t)(cache_frame_at(c, number)->offset - read->offset);
    const heap_handle block = read->state == READ_DONE ? read->block : 0;
    spn_status status;

    do
        status = spn__decoded_frame_alloc(c, number, block, at,
                                          &frame_slot_at(c, number)->kept, out);
    while (status == SPN_NO_MEMORY_NOW && spn__promise_reclaim(p, kind));
    return status;
}

/* What a launch uses and nobody held before: frames to which its frames refer,
 * and the reads with their bytes. */
struct inputs {
    struct kept **held; /* LAUNCH_INPUTS_MAX of them */
    uint32_t count;
};

static void hold_input(struct keeper *keeper, struct inputs *inputs,
                       struct kept *k)
{
    if (kept_is_held(keeper, k))
        return;
    SPN_ASSERT(inputs->count < LAUNCH_INPUTS_MAX);
    spn__kept_hold(keeper, k);
    inputs->held[inputs->count++] = k;
}

/* Hold what the launch uses, before memory is reclaimed for it. */
static void hold_inputs(struct cache *c, const struct frame_list *list,
                        struct inputs *inputs)
{
    struct keeper *keeper = &c->manager->promises.keeper;

    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t number = list->numbers[i];
        const struct cache_frame *info = cache_frame_at(c, number);

        hold_input(keeper, inputs, &spn__group_table_read(c, number)->kept);
        for (uint32_t r = 0; r < info->reference_count; r++) {
            struct decoded_frame *f =
                frame_slot_at(c, cache_reference(c, number, r))->frame;

            if (f)
                hold_input(keeper, inputs, f->kept);
        }
    }
}

/* The launch does not take place. */
static void drop_inputs(struct cache *c, const struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++)
        spn__kept_release(&c->manager->promises.keeper, inputs->held[i]);
}

/* Allocate all frames, or none. */
static bool alloc_frames(struct cache *c, const struct frame_list *list,
                         const struct account *a, struct decoded_frame **frames)
{
    struct promises *p = &c->manager->promises;
    const uint32_t pages = list->count * c->plan.frame_pages;
    const uint32_t left = account_unused(a->frame_promise, a->frame_pages);
    const enum promise_kind kind =
        pages <= left ? PROMISE_WITHIN : PROMISE_BEYOND;
    uint32_t count = 0;

    if (!spn__promise_may_take(p, kind, pages, min_u32(pages, left)) ||
        !spn__promise_respect_limit(p, kind, pages))
        return false;
    while (count < list->count &&
           alloc_frame(c, list->numbers[count], kind, &frames[count]) == SPN_OK)
        count++;
    if (count == list->count)
        return true;
    while (count-- > 0)
        spn__decoded_frame_free(frames[count]);
    return false;
}

/* Charge what the launch uses, whatever was promised: jobs use it from now on.
 */
static void charge_launch(struct promises *p, const struct frame_list *list,
                          const struct inputs *inputs, struct account *a,
                          struct decoded_frame **frames)
{
    for (uint32_t i = 0; i < inputs->count; i++)
        spn__promise_hold(p, a, inputs->held[i]);
    for (uint32_t i = 0; i < list->count; i++)
        spn__promise_hold(p, a, frames[i]->kept);
    spn__promise_settle(p, a);
}

/* -- dependencies -- */

static bool is_running(const struct cache *c, uint32_t number)
{
    return frame_slot_at(c, number)->state == FRAME_RUNNING;
}

static bool refers_to(const struct cache *c, uint32_t number, uint32_t target)
{
    const uint32_t count = cache_frame_at(c, number)->reference_count;

    for (uint32_t r = 0; r < count; r++)
        if (cache_reference(c, number, r) == target)
            return true;
    return false;
}

/* True if a running reference in the wait mask is `target`, or refers to it:
 * that one is decoded first. */
static bool is_covered(const struct cache *c, uint32_t number, uint32_t target)
{
    const struct cache_frame *info = cache_frame_at(c, number);

    for (uint32_t r = 0; r < info->reference_count; r++) {
        const uint32_t other = cache_reference(c, number, r);

        if ((info->wait_mask >> r & 1u) && is_running(c, other) &&
            (other == target || refers_to(c, other, target)))
            return true;
    }
    return false;
}

/* Set the references of a frame, and for which of them it waits; reserve an
 * entry in `subscribers` of each of those. Frames that are launched with it
 * count as running. False if one of them has no room. */
static bool link_references(struct decoded_frame *f)
{
    const struct cache *c = f->cache;
    const struct cache_frame *info = cache_frame_at(c, f->number);
    bool has_room = true;

    for (uint32_t r = 0; r < info->reference_count; r++) {
        const uint32_t target = cache_reference(c, f->number, r);

        f->references[r] = frame_slot_at(c, target)->frame;
        if (is_running(c, target) && ((info->wait_mask >> r & 1u) ||
                                      !is_covered(c, f->number, target))) {
            f->waits |= 1u << r;
            if (++f->references[r]->reserved_count > FRAME_SUBSCRIBERS_MAX)
                has_room = false;
        }
    }
    return has_room;
}

/* Undo that. */
static void unlink_references(const struct decoded_frame *f)
{
    for (uint32_t r = 0; f->waits >> r; r++)
        if (f->waits >> r & 1u)
            f->references[r]->reserved_count--;
}

/* Link all frames. False, and none is linked, if a reference has no room. */
static bool link_frames(const struct frame_list *list,
                        struct decoded_frame **frames)
{
    uint32_t i = 0;

    while (i < list->count && link_references(frames[i]))
        i++;
    if (i == list->count)
        return true;
    for (i++; i > 0; i--)
        unlink_references(frames[i - 1]);
    return false;
}

/* Have the jobs that decode `to` count down the tiles of `f`. Tiles that are
 * final already are counted down here. */
static void subscribe(struct decoded_frame *f, struct decoded_frame *to)
{
    const uint32_t entry = to->subscriber_count++;
    const uint32_t bit = 1u << (TILE_SUBSCRIBER_SHIFT + entry);

    SPN_ASSERT(entry < FRAME_SUBSCRIBERS_MAX);
    to->subscribers[entry] = f;
    /* Release: pairs with finish_tile, which reads the entry. */
    for (uint32_t t = 0; t < f->cache->header.tile_count; t++)
        if (atomic_or_acq_rel(&to->tiles[t].flags, bit) & TILE_DONE)
            spn__decode_count_down(&f->tiles[t]);
}

/* Set the counters of a linked frame, and pin what it uses. Its references were
 * prepared before. */
static void prepare(struct decoded_frame *f, struct account *a)
{
    struct cache *c = f->cache;
    const uint32_t reference_count =
        cache_frame_at(c, f->number)->reference_count;
    uint32_t counter = 1;

    f->owner = a;
    f->read = spn__group_table_read(c, f->number);
    f->read->pins++;
    f->is_early = f->read->state != READ_DONE;
    for (uint32_t r = 0; r < reference_count; r++) {
        f->references[r]->pins++;
        counter += f->waits >> r & 1u;
        if (is_running(c, f->references[r]->number))
            f->is_early = f->is_early || f->references[r]->is_early;
    }
    atomic_store_relaxed(&f->left, c->header.tile_count + 1);
    for (uint32_t t = 0; t < c->header.tile_count; t++) {
        atomic_store_relaxed(&f->tiles[t].counter, counter);
        f->tiles[t].frame = f;
        f->tiles[t].index = t;
    }
    spn__decoded_frame_omit(f);
    for (uint32_t r = 0; r < reference_count; r++)
        if (f->waits >> r & 1u)
            subscribe(f, f->references[r]);
}

/* -- launch -- */

/* Count the frame as one that workers decode, once, when its bytes are there.
 */
static void pace(struct decoded_frame *f)
{
    if (f->is_paced)
        return;
    f->is_paced = true;
    spn__decode_pace_launch(&f->cache->manager->launches->pace,
                            f->cache->plan.frame_pages);
}

static void enqueue(struct decoded_frame *f)
{
    struct launch_queue *q = f->cache->manager->launches;

    f->next_running = NULL;
    *q->end = f;
    q->end = &f->next_running;
    q->running_count++;
    q->unsubmitted_count++;
    q->early_count += f->is_early;
    f->owner->running_count++;
    if (!arrival_is_awaited(f))
        pace(f);
}

/* Make the allocated frames running ones. False, and they are freed, if too
 * many frames would wait for one reference. */
static bool enter_frames(const struct frame_list *list,
                         struct decoded_frame **frames)
{
    for (uint32_t i = 0; i < list->count; i++)
        spn__frame_slot_run(frames[i]);
    if (link_frames(list, frames))
        return true;
    for (uint32_t i = 0; i < list->count; i++)
        spn__frame_slot_withdraw(frames[i]);
    return false;
}

/* Launch these frames: all references outside of the list are in memory. */
static enum launch_result launch_list(struct cache *c,
                                      const struct frame_list *list,
                                      struct account *a)
{
    struct decoded_frame **frames = c->manager->launches->frames;
    const uint32_t last = list->numbers[list->count - 1];
    struct inputs inputs = {.held = c->manager->launches->inputs};

    hold_inputs(c, list, &inputs);
    if (!alloc_frames(c, list, a, frames)) {
        drop_inputs(c, &inputs);
        spn__play_trace(c->manager, TRACE_ALLOC_FAIL, a->node, last,
                        list->count);
        return LAUNCH_LACKS_MEMORY;
    }
    if (!enter_frames(list, frames)) {
        drop_inputs(c, &inputs);
        return LAUNCH_POSTPONED;
    }
    charge_launch(&c->manager->promises, list, &inputs, a, frames);
    for (uint32_t i = 0; i < list->count; i++)
        prepare(frames[i], a);
    for (uint32_t i = 0; i < list->count; i++)
        enqueue(frames[i]);
    spn__play_trace(c->manager, TRACE_DECODE_START, a->node, last, list->count);
    return LAUNCH_STARTED;
}

/* True if the bytes of a frame and all to which it refers are in memory. */
static bool can_start_alone(const struct cache *c, uint32_t number)
{
    const uint32_t count = cache_frame_at(c, number)->reference_count;

    if (!spn__group_table_has(c, number))
        return false;
    for (uint32_t r = 0; r < count; r++)
        if (frame_slot_at(c, cache_reference(c, number, r))->state !=
            FRAME_READY)
            return false;
    return true;
}

/* The whole closure cannot be launched. Launch the references in it that need
 * nothing else, so that the rest becomes possible: their bytes may occupy the
 * memory that the missing ones need. */
static void launch_references(struct cache *c, const struct closure *closure,
                              struct account *a)
{
    for (uint32_t i = 0; i + 1 < closure->count; i++) {
        const struct frame_list single = {&closure->frames[i], 1};

        if (can_start_alone(c, closure->frames[i]) &&
            launch_list(c, &single, a) != LAUNCH_STARTED)
            return;
    }
}

/* True if a frame of the closure is FAILED now, because its bytes are not
 * there. */
static bool fail_unread(struct cache *c, const struct closure *closure)
{
    bool has_failed = false;

    for (uint32_t i = 0; i < closure->count; i++)
        has_failed |= spn__frame_slot_fail_unread(c, closure->frames[i]);
    return has_failed;
}

static bool refers_to_lost(const struct cache *c, uint32_t number)
{
    const uint32_t count = cache_frame_at(c, number)->reference_count;

    for (uint32_t r = 0; r < count; r++)
        if (frame_slot_is_lost(frame_slot_at(c, cache_reference(c, number, r))))
            return true;
    return false;
}

/* The last frame of the closure cannot be decoded. Make it FAILED, and those
 * between it and the lost frames to which it refers: each has its own lost
 * reference then, and is tried again with that one. */
static void fail_closure(struct cache *c, const struct closure *closure)
{
    for (uint32_t i = 0; i < closure->count; i++)
        if (refers_to_lost(c, closure->frames[i]))
            spn__frame_slot_fail(c, closure->frames[i], FRAME_REFERENCE, NULL);
}

/* Collect the closure of a frame. LAUNCH_STARTED: it can be launched as far as
 * its references are concerned. */
static enum launch_result collect(struct cache *c, uint32_t number,
                                  struct closure *out)
{
    spn__closure_collect(c, number, out);
    if (out->has_failed) {
        fail_closure(c, out);
        return LAUNCH_FAILED;
    }
    if (out->is_ending)
        return LAUNCH_POSTPONED;
    return fail_unread(c, out) ? LAUNCH_FAILED : LAUNCH_STARTED;
}

static enum launch_result launch_closure(struct cache *c,
                                         const struct closure *closure,
                                         struct account *a)
{
    const struct frame_list list = {closure->frames, closure->count};

    return launch_list(c, &list, a);
}

enum launch_result spn__launch(struct cache *c, uint32_t number,
                               struct account *a)
{
    struct closure closure;
    enum launch_result result = collect(c, number, &closure);

    if (result != LAUNCH_STARTED)
        return result;
    result =
        closure.lacks_data ? LAUNCH_LACKS_DATA : launch_closure(c, &closure, a);
    if (result == LAUNCH_LACKS_DATA || result == LAUNCH_POSTPONED)
        launch_references(c, &closure, a);
    return result;
}

enum launch_result spn__launch_early(struct cache *c, uint32_t number,
                                     struct account *a)
{
    struct closure closure;
    const enum launch_result result = collect(c, number, &closure);

    if (result != LAUNCH_STARTED)
        return result;
    return closure.lacks_data && !closure.lacks_read
               ? launch_closure(c, &closure, a)
               : LAUNCH_LACKS_DATA;
}

/* Have the first job of a frame run. False if the table of jobs is full. */
static bool submit(struct manager *m, struct decoded_frame *f)
{
    /* Set first: afterwards the frame is the jobs'. */
    f->is_submitted = true;
    if (spn__jobs_submit(m->config.jobs, spn__decode_frame_job, f, 0))
        return true;
    f->is_submitted = false;
    return false;
}

/* Also when the table is full, frames are given to the reads for which they
 * wait, so that each read knows all of its frames. */
void spn__launch_submit(struct manager *m)
{
    struct launch_queue *q = m->launches;
    bool is_full = false;

    if (q->unsubmitted_count == 0)
        return;
    for (struct decoded_frame *f = q->running; f; f = f->next_running) {
        if (f->is_submitted)
            continue;
        if (arrival_is_awaited(f) && spn__arrival_await(f)) {
            q->unsubmitted_count--;
            continue;
        }
        is_full = is_full || !submit(m, f);
        q->unsubmitted_count -= f->is_submitted;
    }
}

/* -- ends -- */

static void release_inputs(struct decoded_frame *f)
{
    const uint32_t count = cache_frame_at(f->cache, f->number)->reference_count;

    if (f->read) {
        SPN_ASSERT(f->read->pins > 0);
        f->read->pins--;
        f->read = NULL;
    }
    for (uint32_t r = 0; r < count; r++) {
        spn__frame_slot_unpin(f->references[r]);
        f->references[r] = NULL;
    }
    f->owner->running_count--;
    f->owner = NULL;
}

static void end_frame(struct decoded_frame *f)
{
    const uint32_t failed = atomic_load_relaxed(&f->failed);
    const spn_fault fault = f->fault;

    /* It may have run and ended since the last update. */
    pace(f);
    spn__decode_pace_end(&f->cache->manager->launches->pace,
                         f->cache->plan.frame_pages);
    release_inputs(f);
    spn__frame_buffers_end(f, failed != 0);
    if (failed == 0)
        spn__frame_slot_finish(f);
    else if (failed == FRAME_CANCELLED)
        spn__frame_slot_cancel(f);
    else
        spn__frame_slot_fail(f->cache, f->number, failed,
                             failed & FRAME_FAULT ? &fault : NULL);
}

void spn__launch_collect(struct manager *m)
{
    struct launch_queue *q = m->launches;
    struct decoded_frame **link = &q->running;

    while (*link) {
        struct decoded_frame *f = *link;

        /* Acquire: pairs with the decrement at the end of each job. */
        if (atomic_load_acquire(&f->left) != 0) {
            link = &f->next_running;
            continue;
        }
        *link = f->next_running;
        q->running_count--;
        q->early_count -= f->is_early;
        end_frame(f);
    }
    q->end = link;
}

void spn__launch_hold(struct manager *m)
{
    struct promises *p = &m->promises;

    for (struct decoded_frame *f = m->launches->running; f;
         f = f->next_running) {
        const uint32_t count =
            cache_frame_at(f->cache, f->number)->reference_count;

        if (!arrival_is_awaited(f))
            pace(f);
        spn__promise_hold(p, f->owner, f->kept);
        if (f->read)
            spn__promise_hold(p, f->owner, &f->read->kept);
        for (uint32_t r = 0; r < count; r++)
            spn__promise_hold(p, f->owner, f->references[r]->kept);
    }
}

/* True if the pins of a frame count at least the running frames that refer to
 * it. The others are jobs that write it to frame buffers. */
static bool check_pins(const struct launch_queue *q,
                       const struct decoded_frame *to)
{
    uint32_t count = 0;

    for (const struct decoded_frame *f = q->running; f; f = f->next_running)
        for (uint32_t r = 0; r < CACHE_REFERENCES_MAX; r++)
            count += f->references[r] == to;
    return count <= to->pins;
}

bool spn__launch_check(const struct manager *m)
{
    const struct launch_queue *q = m->launches;
    uint32_t running = 0;
    uint32_t unsubmitted = 0;
    uint32_t early = 0;

    for (const struct decoded_frame *f = q->running; f; f = f->next_running) {
        const uint32_t count =
            cache_frame_at(f->cache, f->number)->reference_count;

        if (frame_slot_at(f->cache, f->number)->state != FRAME_RUNNING ||
            !f->owner || (f->read && f->read->pins == 0))
            return false;
        for (uint32_t r = 0; r < count; r++)
            if (!check_pins(q, f->references[r]))
                return false;
        running++;
        unsubmitted += !f->is_submitted;
        early += f->is_early;
    }
    return early == q->early_count && running == q->running_count &&
           unsubmitted == q->unsubmitted_count;
}
