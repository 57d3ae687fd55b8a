/* frame_slot.c - transitions of the slots of frames. */
/* SPDX-License-Identifier: MIT */
#include "play/frame_slot.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "play/frame_buffer.h"
#include "play/group_read.h"
#include "play/group_table.h"
#include "play/play_trace.h"

static struct keeper *keeper_of(const struct cache *c)
{
    return &c->manager->promises.keeper;
}

static struct group_slot *group_slot_of(const struct cache *c, uint32_t number)
{
    return cache_group_slot_at(c, cache_frame_at(c, number)->group);
}

/* A frame is EMPTY no more, or is EMPTY again. */
static void settle(struct cache *c, uint32_t number, bool is_settled)
{
    struct group_slot *g = group_slot_of(c, number);

    g->settled_count = (uint16_t)(g->settled_count + (is_settled ? 1 : -1));
}

/* A frame is READY, or is READY no more. */
static void count_ready(struct cache *c, uint32_t number, bool is_ready)
{
    struct group_slot *g = group_slot_of(c, number);

    g->ready_count = (uint16_t)(g->ready_count + (is_ready ? 1 : -1));
    c->ready_count += is_ready ? 1 : UINT32_MAX;
}

/* The slot is EMPTY again; the frame is freed. */
static void make_empty(struct decoded_frame *f)
{
    struct frame_slot *s = frame_slot_at(f->cache, f->number);

    s->state = FRAME_EMPTY;
    s->failed = 0;
    s->frame = NULL;
    settle(f->cache, f->number, false);
    spn__decoded_frame_free(f);
}

uint32_t spn__frame_slot_next(const struct cache *c, uint32_t number)
{
    while (number < c->header.frame_count) {
        const uint32_t index = cache_frame_at(c, number)->group;
        const struct cache_group *group = cache_group_at(c, index);

        if (cache_group_slot_at(c, index)->settled_count == 0)
            number = group->first_frame + group->frame_count;
        else if (frame_slot_at(c, number)->state == FRAME_EMPTY)
            number++;
        else
            return number;
    }
    return CACHE_NONE;
}

void spn__frame_slot_run(struct decoded_frame *f)
{
    struct frame_slot *s = frame_slot_at(f->cache, f->number);

    SPN_ASSERT(s->state == FRAME_EMPTY);
    s->frame = f;
    s->state = FRAME_RUNNING;
    settle(f->cache, f->number, true);
}

void spn__frame_slot_withdraw(struct decoded_frame *f)
{
    SPN_ASSERT(frame_slot_at(f->cache, f->number)->state == FRAME_RUNNING);
    make_empty(f);
}

void spn__frame_slot_finish(struct decoded_frame *f)
{
    struct cache *c = f->cache;
    struct frame_slot *s = frame_slot_at(c, f->number);

    SPN_ASSERT(s->state == FRAME_RUNNING);
    s->state = FRAME_READY;
    count_ready(c, f->number, true);
    spn__kept_list(keeper_of(c), f->kept);
    spn__play_trace(c->manager, TRACE_DECODE_END, c->handle, f->number, 0);
}

/* Bytes that are damaged or missing stay so; a device may work again. */
static bool may_pass(spn_status status)
{
    return status != SPN_ERR_FORMAT && status != SPN_ERR_CHECKSUM &&
           status != SPN_ERR_CODEC && status != SPN_ERR_SHORT_READ;
}

void spn__frame_slot_allow_retry(struct cache *c)
{
    c->retry_stamp = keeper_of(c)->stamp + 1;
}

static void note_cause(struct cache *c, spn_status status)
{
    if (may_pass(status))
        spn__frame_slot_allow_retry(c);
}

/* When the last of the frames was lost to which a frame refers: whoever tries
 * those again tries it again, too. */
static uint32_t lost_references_stamp(const struct cache *c, uint32_t number)
{
    const uint32_t count = cache_frame_at(c, number)->reference_count;
    const uint32_t now = keeper_of(c)->stamp;
    uint32_t age = UINT32_MAX;

    for (uint32_t r = 0; r < count; r++) {
        const struct frame_slot *s =
            frame_slot_at(c, cache_reference(c, number, r));

        if (frame_slot_is_lost(s) && now - s->failed_stamp < age)
            age = now - s->failed_stamp;
    }
    /* It may be found before the end of the frame that fails. */
    return age == UINT32_MAX ? now : now - age;
}

void spn__frame_slot_fail(struct cache *c, uint32_t number, uint32_t failed,
                          const spn_fault *fault)
{
    struct frame_slot *s = frame_slot_at(c, number);
    struct decoded_frame *f = s->frame;

    SPN_ASSERT(s->state == FRAME_EMPTY || s->state == FRAME_RUNNING);
    if (s->state == FRAME_EMPTY)
        settle(c, number, true);
    s->state = FRAME_FAILED;
    s->failed = (uint8_t)failed;
    s->failed_stamp =
        fault ? keeper_of(c)->stamp : lost_references_stamp(c, number);
    if (fault) {
        c->frame_fault = *fault;
        c->frame_fault.file = c->path;
        c->fault_frame = number;
        note_cause(c, fault->status);
    }
    spn__play_trace(c->manager, TRACE_FAIL, c->handle, number, failed);
    if (f && f->pins == 0) {
        s->frame = NULL;
        spn__decoded_frame_free(f);
    }
}

void spn__frame_slot_cancel(struct decoded_frame *f)
{
    struct frame_slot *s = frame_slot_at(f->cache, f->number);

    SPN_ASSERT(s->state == FRAME_RUNNING);
    s->state = FRAME_FAILED;
    s->failed = FRAME_CANCELLED;
    if (f->pins == 0)
        make_empty(f);
}

void spn__frame_slot_renew(struct cache *c, uint32_t number, spn_status status)
{
    struct frame_slot *s = frame_slot_at(c, number);

    SPN_ASSERT(s->state == FRAME_FAILED);
    s->failed |= FRAME_FAULT;
    s->failed_stamp = keeper_of(c)->stamp;
    note_cause(c, status);
}

void spn__frame_slot_note_unread(struct cache *c, uint32_t number,
                                 spn_status status)
{
    struct frame_slot *s = frame_slot_at(c, number);

    SPN_ASSERT(s->state == FRAME_READY || s->state == FRAME_RUNNING);
    s->unread = (int8_t)status;
    s->failed_stamp = keeper_of(c)->stamp;
}

bool spn__frame_slot_fail_unread(struct cache *c, uint32_t number)
{
    struct frame_slot *s = frame_slot_at(c, number);
    const struct group_read *r = spn__group_table_read(c, number);
    spn_fault fault;

    SPN_ASSERT(s->state == FRAME_EMPTY);
    if (s->unread == SPN_OK)
        return false;
    fault =
        cache_unread_fault(cache_frame_at(c, number), (spn_status)s->unread);
    s->unread = SPN_OK;
    /* A later read may have brought them. */
    if (!r || (int32_t)(r->start_stamp - s->failed_stamp) > 0)
        return false;
    spn__frame_slot_fail(c, number, FRAME_FAULT, &fault);
    return true;
}

bool spn__frame_slot_retry(struct cache *c, uint32_t number)
{
    struct frame_slot *s = frame_slot_at(c, number);

    SPN_ASSERT(s->state == FRAME_FAILED);
    if (s->frame)
        return false;
    s->state = FRAME_EMPTY;
    s->failed = 0;
    settle(c, number, false);
    return true;
}

void spn__frame_slot_unpin(struct decoded_frame *f)
{
    struct frame_slot *s = frame_slot_at(f->cache, f->number);

    SPN_ASSERT(f->pins > 0);
    if (--f->pins > 0 || s->state != FRAME_FAILED)
        return;
    if (s->failed == FRAME_CANCELLED) {
        make_empty(f);
        return;
    }
    s->frame = NULL;
    spn__decoded_frame_free(f);
}

void spn__frame_slot_free(struct decoded_frame *f)
{
    struct cache *c = f->cache;

    SPN_ASSERT(frame_slot_at(c, f->number)->state == FRAME_READY);
    SPN_ASSERT(f->pins == 0);
    SPN_ASSERT(frame_buffer_state(f) == BUFFER_NONE);
    SPN_ASSERT(!kept_is_read(f->kept));
    spn__play_trace(c->manager, TRACE_RETIRE, c->handle, f->number, 0);
    count_ready(c, f->number, false);
    make_empty(f);
}

void spn__frame_slot_forget_failed(struct cache *c)
{
    for (uint32_t i = 0; i < c->header.frame_count; i++) {
        SPN_ASSERT(frame_slot_at(c, i)->state != FRAME_RUNNING);
        if (frame_slot_at(c, i)->state == FRAME_FAILED)
            (void)spn__frame_slot_retry(c, i);
    }
}

void spn__frame_slot_clear(struct cache *c)
{
    spn__frame_slot_forget_failed(c);
    for (uint32_t i = 0; c->ready_count > 0; i++)
        if (frame_slot_at(c, i)->state == FRAME_READY)
            spn__frame_slot_free(frame_slot_at(c, i)->frame);
}

static bool check_counts(const struct cache *c)
{
    uint32_t ready_count = 0;

    for (uint32_t g = 0; g < c->header.group_count; g++) {
        const struct cache_group *info = cache_group_at(c, g);
        const struct group_slot *group = cache_group_slot_at(c, g);
        uint32_t settled = 0;
        uint32_t ready = 0;

        for (uint32_t i = 0; i < info->frame_count; i++) {
            const uint8_t state =
                frame_slot_at(c, info->first_frame + i)->state;

            settled += state != FRAME_EMPTY;
            ready += state == FRAME_READY;
        }
        if (settled != group->settled_count || ready != group->ready_count)
            return false;
        ready_count += ready;
    }
    return ready_count == c->ready_count;
}

bool spn__frame_slot_check(const struct cache *c)
{
    for (uint32_t i = 0; i < c->header.frame_count; i++) {
        const struct frame_slot *s = frame_slot_at(c, i);
        const struct decoded_frame *f = s->frame;

        if (s->is_listed ||
            (f && (f->cache != c || f->number != i || f->kept != &s->kept)))
            return false;
        if ((s->state == FRAME_RUNNING || s->state == FRAME_READY) != !!f &&
            (s->state != FRAME_FAILED || (f && f->pins == 0)))
            return false;
        if (f && (s->kept.links.next != NULL) != (s->state == FRAME_READY))
            return false;
        if (f && !spn__heap_is_live(c->manager->config.heap, f->handles[0]))
            return false;
    }
    return check_counts(c);
}
