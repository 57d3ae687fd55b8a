/* read_check.c - the invariants of the stages of reads. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/read_check.h"

#include "read/device.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/stage/pak_check.h"

/* Number of reads of each stage that were not found in a list or queue yet. */
struct counts {
    const struct io *io;
    uint32_t left[READ_STAGE_COUNT];
};

static enum read_stage stage_of(const struct io *io, uint32_t index)
{
    return io->requests[index].stage;
}

/* Count a read that was found where the reads of a stage have to be. */
static bool find(struct counts *c, uint32_t index, enum read_stage stage)
{
    if (stage_of(c->io, index) != stage || c->left[stage] == 0)
        return false;
    c->left[stage]--;
    return true;
}

static bool find_queue(struct counts *c, const struct queue *queue,
                       enum read_stage stage)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (!find(c, queue->entries[i].subject, stage))
            return false;
    return spn__queue_check(queue);
}

static bool find_list(struct counts *c, const struct read_list *list,
                      enum read_stage stage)
{
    uint32_t index = list->first;

    for (uint32_t i = 0; i < list->count; i++) {
        if (!find(c, index, stage))
            return false;
        index = c->io->requests[index].next;
    }
    return true;
}

static bool find_devices(struct counts *c)
{
    for (uint32_t m = 0; m < SPN_MEDIUM_COUNT; m++) {
        const struct io_medium *medium = &c->io->media[m];

        if (medium->requests.active == IO_NONE)
            continue;
        for (uint32_t i = 0; i < spn__device_count(medium); i++)
            if (!find(c, spn__device_read(medium, i), READ_AT_DEVICE))
                return false;
    }
    return true;
}

/* Whether the deadline scheduler of a medium has the reads of its queue. */
static bool is_scheduler_valid(const struct io_medium *medium)
{
    const struct io_deadline *s = medium->scheduler;

    return !SPN_WITH_DEADLINE_SCHEDULER || !s ||
           (spn__deadline_check(&s->scheduler) &&
            spn__deadline_waiting_check(&s->waiting) &&
            s->waiting.count == medium->requests.queue.count);
}

static bool find_media(struct counts *c)
{
    for (uint32_t m = 0; m < SPN_MEDIUM_COUNT; m++) {
        const struct io_medium *medium = &c->io->media[m];

        if (!find_queue(c, &medium->requests.queue, READ_WAITING) ||
            !is_scheduler_valid(medium))
            return false;
        if (medium->unfinished != IO_NONE &&
            stage_of(c->io, medium->unfinished) != READ_WAITING)
            return false;
    }
    return true;
}

/* Check the state word and the fields of one read. */
static const char *check_one(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    uint32_t state = atomic_load_relaxed(&io->states[index]);
    bool is_used = (state & STATE_IN_USE) && !(state & STATE_COMPLETED);
    enum read_stage stage = request->stage;
    bool has_ended = stage == READ_AWAITS_ASYNC || stage == READ_COMPLETING;

    if (is_used != (stage != READ_UNUSED))
        return "a stage of a read that is not in use, or none of one that is";
    if (is_used && has_ended != ((state & STATE_ENDED) != 0))
        return "a stage and the bit that the read has ended";
    if ((stage == READ_AWAITS_BUDGET || stage == READ_AWAITS_STORAGE) &&
        read_has_memory(request))
        return "a read that waits for the memory that it has";
    if (!io_pak_of(request) || !is_used)
        return NULL;
    if (stage == READ_DRAINING && request->pak.slots_out == 0)
        return "a read that waits for no slot";
    if ((stage == READ_UNVERIFIED || has_ended) && request->pak.slots_out > 0)
        return "a read that ended before its slots were back";
    if (stage != READ_AT_DEVICE && request->pak.slot != IO_NONE)
        return "a read that keeps the slot of a piece";
    return NULL;
}

/* True if every read of the stage is in a list, in a queue or at a device. */
static bool is_listed(enum read_stage stage)
{
    switch (stage) {
    case READ_OPENING:
    case READ_WAITING:
    case READ_AT_DEVICE:
    case READ_PAUSED:
    case READ_AWAITS_BUDGET:
    case READ_AWAITS_STORAGE:
    case READ_AWAITS_SLOT:
    case READ_UNVERIFIED:
        return true;
    case READ_UNUSED:
    case READ_QUEUED:
    case READ_AWAITS_BLOCK:
    case READ_DRAINING:
    case READ_AWAITS_ASYNC:
    case READ_COMPLETING:
    case READ_STAGE_COUNT:
        break;
    }
    return false;
}

/* Check that the use of the budget is the sum of what the reads must return. */
static bool is_budget_valid(const struct io *io)
{
    uint64_t units = 0;

    for (uint32_t i = 0; i < io->read_count; i++)
        if (stage_of(io, i) != READ_UNUSED && io->requests[i].has_budget)
            units += io->requests[i].budget_units;
    return spn__budget_check(&io->budget, units);
}

/* Check the queues by the number of their reads. A read whose callback runs is
 * READ_COMPLETING, but in no queue. */
static bool are_rings_good(const struct counts *c)
{
    const struct io *io = c->io;
    uint32_t handed_over = c->left[READ_QUEUED] + c->left[READ_AWAITS_BLOCK] +
                           c->left[READ_COMPLETING];
    uint32_t count = spn__word_queue_count(&io->inbox) +
                     spn__word_queue_count(&io->done) + io->deferred.count;

    for (const struct io_completing *r = io->completing; r; r = r->outer)
        count++;
    return count == handed_over &&
           spn__word_queue_count(&io->free) + io->retained_count ==
               c->left[READ_UNUSED] &&
           spn__word_queue_check(&io->free) &&
           spn__word_queue_check(&io->inbox) &&
           spn__word_queue_check(&io->done);
}

/* Check the modules that the engine owns. */
static const char *check_modules(const struct io *io)
{
    const char *what = spn__files_check(&io->files);

    if (!what)
        what = spn__pak_check(io);
    if (what)
        return what;
    if (!spn__triple_buffer_check(&io->snapshot))
        return "the copies of the report";
    if (!spn__guard_check(&io->guard))
        return "the guards of threads";
    return spn__record_check(&io->record) ? NULL : "the record of reads";
}

const char *spn__read_check(const struct io *io)
{
    struct counts c = {io, {0}};
    const char *fault = check_modules(io);

    if (fault)
        return fault;
    for (uint32_t i = 0; i < io->read_count; i++) {
        const char *what = check_one(io, i);

        if (what)
            return what;
        c.left[stage_of(io, i)]++;
    }
    if (!are_rings_good(&c))
        return "the queues of reads";
    if (!find_queue(&c, &io->opening->queue, READ_OPENING))
        return "READ_OPENING";
    if (!find_media(&c))
        return "READ_WAITING";
    if (!find_devices(&c))
        return "READ_AT_DEVICE";
    if (!find_list(&c, &io->paused, READ_PAUSED))
        return "READ_PAUSED";
    if (!find_queue(&c, &io->budget_waiters, READ_AWAITS_BUDGET))
        return "READ_AWAITS_BUDGET";
    if (!find_list(&c, &io->storage_waiters, READ_AWAITS_STORAGE))
        return "READ_AWAITS_STORAGE";
    if (io_has_paks(io) && !find_queue(&c, &io->slot_waiters, READ_AWAITS_SLOT))
        return "READ_AWAITS_SLOT";
    if (!find_list(&c, &io->unverified, READ_UNVERIFIED))
        return "READ_UNVERIFIED";
    if (!find_list(&c, &io->job_waiters, READ_AWAITS_ASYNC))
        return "READ_AWAITS_ASYNC";
    if (!is_budget_valid(io))
        return "the budget differs from what reads have taken";
    for (uint32_t stage = 0; stage < READ_STAGE_COUNT; stage++)
        if (c.left[stage] > 0 && is_listed((enum read_stage)stage))
            return "a read that is in no list or queue";
    return NULL;
}
