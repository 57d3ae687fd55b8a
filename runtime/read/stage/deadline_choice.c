/* deadline_choice.c - choose reads by a deadline scheduler. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/deadline_choice.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/pak_nearest.h"
#include "read/run.h"
#include "read/stage/make_ready.h"
#include "read/unpack_reads.h"
#include "schedule/deadline_coalesce.h"
#include "schedule/deadline_waiting.h"

/* -- the choice -- */

static uint64_t begin_of(const struct io *io, uint32_t index)
{
    return io->requests[index].offset + io->requests[index].done_bytes;
}

/* Order by first byte in the file, then by arrival. */
static bool is_before(const struct io *io, uint32_t a, uint32_t b)
{
    if (begin_of(io, a) != begin_of(io, b))
        return begin_of(io, a) < begin_of(io, b);
    return io->requests[a].arrival < io->requests[b].arrival;
}

void spn__deadline_choice_run(struct io *io, struct io_medium *medium)
{
    struct io_deadline *s = medium->scheduler;
    struct forecast_place head;
    uint32_t coalesced[DEADLINE_COALESCE_MAX];

    if (SPN_WITH_PAKS && s->waiting.copied.count > 0)
        spn__pak_choose_nearest(io, medium);
    s->now_us = io_now_us(io);
    spn__forecast_place(&medium->drive->forecast,
                        medium->has_head ? medium->head : 0, &head);
    spn__deadline_waiting_offer(&s->waiting, &s->scheduler, &head, s->now_us);
    s->chosen = spn__deadline_choose(&s->scheduler, &head, s->now_us);
    s->candidate_count =
        spn__deadline_coalesce(&s->scheduler, s->chosen, coalesced);
    s->next_candidate = 0;
    s->next_member = 0;
    s->run.member_count = 0;
    SPN_ASSERT(s->candidate_count > 0);
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        uint32_t index = s->scheduler.items[coalesced[i]].subject;
        uint32_t at = i;

        for (; at > 0 && is_before(io, index, s->candidates[at - 1]); at--)
            s->candidates[at] = s->candidates[at - 1];
        s->candidates[at] = index;
    }
}

/* -- planning the run -- */

/* Begin the run. Its size limit is that of a slot if the first read is
 * compressed, so that at least one block fits. */
static void begin_run(const struct io *io, struct io_medium *medium,
                      uint32_t first)
{
    struct io_deadline *scheduler = medium->scheduler;
    const struct run_setup setup = {
        .bytes_max = io_is_packed(&io->requests[first]) ? io->unpack.slot_bytes
                                                        : medium->piece_bytes,
        .gap_bytes_max = DEADLINE_GAP_BYTES_MAX,
        .place = spn__files_position(&io->files, io->requests[first].file, 0),
        .block_bytes = medium->drive->profile.ecc_bytes,
        .align_bytes =
            spn__files_info(&io->files, io->requests[first].file)->align_bytes,
        .staging = medium->staging,
        .scratch = scheduler->scratch,
        .scratch_bytes = scheduler->scratch_bytes};

    spn__run_begin(&scheduler->run, &setup);
}

static bool add_to_run(struct io *io, struct io_medium *medium, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    struct run *run = &medium->scheduler->run;
    struct run_candidate read = {.subject = index,
                                 .offset = begin_of(io, index),
                                 .target_offset = request->target_start +
                                                  request->done_bytes,
                                 .bytes = request->bytes - request->done_bytes,
                                 .target = request->target};

    uint64_t missing = read.bytes;

    if ((!io_is_of_pak(io, index) ||
         spn__unpack_join(io, index, spn__run_room(run), run->setup.align_bytes,
                          &read)) &&
        spn__run_add(run, &read)) {
        /* If only a part of the read fits, the run ends with it. */
        run->is_full = run->is_full || read.bytes < missing;
        return true;
    }
    if (io_is_of_pak(io, index))
        spn__unpack_drop(io, index);
    return false;
}

/* Add candidates to the run, in order, while they are ready and fit. Returns
 * false at the end. Returns true if candidate *index is not ready: its next
 * stage is *next, and it was taken out of the queue. */
static bool gather(struct io *io, struct io_medium *medium, uint32_t *index,
                   enum read_stage *next)
{
    struct io_deadline *s = medium->scheduler;
    struct run *run = &s->run;

    while (s->next_candidate < s->candidate_count) {
        *index = s->candidates[s->next_candidate++];
        if (run->member_count == 0)
            begin_run(io, medium, *index);
        if (!spn__run_takes(run, begin_of(io, *index)))
            break;
        *next = spn__make_ready(io, *index);
        /* The read stays in the queue: the run will free a slot soon. */
        if (*next == READ_AWAITS_SLOT && run->member_count > 0)
            break;
        if (*next != READ_AT_DEVICE) {
            spn__queue_remove(&medium->requests.queue, *index);
            return true;
        }
        if (!add_to_run(io, medium, *index)) {
            SPN_ASSERT(run->member_count > 0);
            break;
        }
    }
    return false;
}

bool spn__deadline_choice_step(struct io *io, struct io_medium *medium,
                               uint32_t *index, enum read_stage *next)
{
    struct io_deadline *s = medium->scheduler;

    if (s->next_member == 0) {
        if (gather(io, medium, index, next))
            return true;
        s->next_candidate = s->candidate_count;
        io->unpack.lender = IO_NONE;
        if (s->run.member_count == 0)
            return false;
        spn__deadline_serve(&s->scheduler, s->chosen, s->run.bytes, s->now_us);
        medium->is_run = s->run.member_count > 1;
        medium->chosen = s->run.members[0].subject;
    }
    if (s->next_member == s->run.member_count)
        return false;
    *index = s->run.members[s->next_member++].subject;
    *next = READ_AT_DEVICE;
    return true;
}
