/* step.c - the io thread's step: signals, inbox, workers, devices.
 *
 * Invariant between two steps: a read is in the list or queue of its stage, and
 * in no other (read_check.h).
 */
/* SPDX-License-Identifier: MIT */
#include "read/stage/step.h"

#include "base/minmax.h"
#include "read/device.h"
#include "read/device_timeout.h"
#include "read/engine.h"
#include "read/io_report.h"
#include "read/pak_read.h"
#include "read/stage/stage_async.h"
#include "read/stage/stage_block.h"
#include "read/stage/stage_budget.h"
#include "read/stage/stage_completing.h"
#include "read/stage/stage_device.h"
#include "read/stage/stage_draining.h"
#include "read/stage/stage_opening.h"
#include "read/stage/stage_paused.h"
#include "read/stage/stage_queued.h"
#include "read/stage/stage_slot.h"
#include "read/stage/stage_storage.h"
#include "read/stage/stage_unverified.h"
#include "read/stage/stage_waiting.h"
#include "read/unpack_reads.h"

/* Time after which a full queue of jobs is tried again. */
#define JOBS_RETRY_US 1000u

/* -- from stage to stage -- */

static enum read_stage enter(struct io *io, uint32_t index,
                             enum read_stage from, enum read_stage stage)
{
    switch (stage) {
    case READ_OPENING:
        return spn__opening_enter(io, index);
    case READ_WAITING:
        return spn__waiting_enter(io, index, from);
    case READ_AT_DEVICE:
        return spn__device_enter(io, index);
    case READ_PAUSED:
        return spn__paused_enter(io, index);
    case READ_AWAITS_BUDGET:
        return spn__budget_enter(io, index);
    case READ_AWAITS_STORAGE:
        return spn__storage_enter(io, index);
    case READ_AWAITS_BLOCK:
        return spn__block_enter(io, index);
    case READ_AWAITS_SLOT:
        return spn__slot_enter(io, index);
    case READ_DRAINING:
        return spn__draining_enter(io, index);
    case READ_UNVERIFIED:
        return spn__unverified_enter(io, index);
    case READ_AWAITS_ASYNC:
        return spn__async_enter(io, index);
    case READ_COMPLETING:
        return spn__completing_enter(io, index);
    case READ_UNUSED:
    case READ_QUEUED:
    case READ_STAGE_COUNT:
        break;
    }
    SPN_ASSERT(false); /* not a stage of the I/O thread */
    return stage;
}

/* Leave a stage. */
static void leave(struct io *io, uint32_t index, enum read_stage stage)
{
    if (stage == READ_WAITING)
        spn__waiting_leave(io, index);
    else if (stage == READ_AWAITS_STORAGE)
        spn__storage_leave(io);
}

/* Move a read from stage to stage until it stays in one. Afterwards the read
 * may belong to another thread. */
static void go(struct io *io, uint32_t index, enum read_stage next)
{
    enum read_stage from = io->requests[index].stage;

    while (next != from) {
        enum read_stage stage = next;

        leave(io, index, from);
        spn__read_set_stage(&io->requests[index], stage);
        next = enter(io, index, from, stage);
        from = stage;
    }
}

/* If a slot was freed, move all reads that wait for one. This frees no slot. */
static void wake_slot_waiters(struct io *io)
{
    uint32_t index;

    while (SPN_WITH_PAKS && spn__slot_step(io, &index))
        go(io, index, READ_OPENING);
}

/* Move a read that was taken out of the list or queue of its stage, or let it
 * stay in its stage. */
static void move(struct io *io, uint32_t index, enum read_stage next)
{
    enum read_stage stage = io->requests[index].stage;

    if (stage == READ_AT_DEVICE && next != stage)
        spn__device_leave(io, index);
    wake_slot_waiters(io);
    go(io, index, next);
}

typedef enum read_stage (*next_fn)(struct io *io, uint32_t index);

struct mover {
    struct io *io;
    next_fn next;
};

static bool move_if(void *context, uint32_t index)
{
    const struct mover *m = context;
    enum read_stage next = m->next(m->io, index);

    if (next == m->io->requests[index].stage)
        return false;
    move(m->io, index, next);
    return true;
}

/* Move all reads of a queue or list whose next stage is another one. */
static void move_queue(struct io *io, struct queue *queue, next_fn next)
{
    struct mover mover = {io, next};

    spn__queue_take_if(queue, move_if, &mover);
}

static void move_list(struct io *io, struct read_list *list, next_fn next)
{
    struct mover mover = {io, next};

    spn__read_list_take_if(io, list, move_if, &mover);
}

/* -- inbox and signals -- */

static void give_budget(struct io *io)
{
    uint32_t index;

    spn__budget_begin_steps(io);
    while (spn__budget_step(io, &index))
        move(io, index, READ_OPENING);
}

/* Move reads that wait for memory: of the budget, of slots, of storage. */
static void move_memory_waiters(struct io *io, next_fn next)
{
    uint32_t count = io->budget_waiters.count;

    move_queue(io, &io->budget_waiters, next);
    move_queue(io, &io->slot_waiters, next);
    /* The budget may have memory for the new first read. */
    if (io->budget_waiters.count < count)
        give_budget(io);
    move_list(io, &io->storage_waiters, next);
}

static enum read_stage unwanted_next(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    return io_is_unwanted(io, index) ? read_drain(request, SPN_ERR_SHUTDOWN)
                                     : request->stage;
}

static void end_unwanted(struct io *io)
{
    move_queue(io, &io->opening->queue, unwanted_next);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        move_queue(io, &io->media[i].requests.queue, unwanted_next);
        spn__device_cancel_unwanted(io, &io->media[i]);
    }
    move_list(io, &io->paused, unwanted_next);
    move_memory_waiters(io, unwanted_next);
}

static void pause_and_resume(struct io *io)
{
    move_list(io, &io->paused, spn__paused_next);
    move_queue(io, &io->opening->queue, spn__paused_next);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        move_queue(io, &io->media[i].requests.queue, spn__paused_next);
    move_memory_waiters(io, spn__paused_next);
}

static void serve_from_paks(struct io *io)
{
    spn__pak_begin_serving(io);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        move_queue(io, &io->media[i].requests.queue, spn__pak_next);
    spn__pak_end_serving(io);
}

static bool take_signals(struct io *io)
{
    uint32_t what;

    if (atomic_load_relaxed(&io->signals) == 0)
        return false;
    /* Pairs with the atomic or in io_signal: writes before the signal are
     * visible. */
    what = atomic_exchange_acq_rel(&io->signals, 0);
    if (what & IO_SIGNAL_SHUTDOWN)
        io->is_stopping = true;
    if (what & IO_SIGNAL_FILES)
        spn__files_retire(&io->files);
    if (what & (IO_SIGNAL_ABORT | IO_SIGNAL_SHUTDOWN))
        end_unwanted(io);
    if (what & IO_SIGNAL_TASKS)
        pause_and_resume(io);
    if (SPN_WITH_PAKS && what & IO_SIGNAL_PAKS)
        serve_from_paks(io);
    if (SPN_WITH_OBSERVERS && what & IO_SIGNAL_RECORD)
        spn__record_acknowledge(&io->record);
    if (what & IO_SIGNAL_BUDGET)
        give_budget(io);
    if (what & IO_SIGNAL_STORAGE)
        move_list(io, &io->storage_waiters, spn__storage_next);
    return true;
}

static bool empty_inbox(struct io *io)
{
    bool worked = false;
    uint32_t index;

    while (spn__word_queue_pop(&io->inbox, &index)) {
        bool is_new = io->requests[index].stage == READ_QUEUED;

        worked = true;
        move(io, index,
             is_new ? spn__queued_step(io, index) : spn__block_step(io, index));
    }
    return worked;
}

/* -- workers -- */

/* Take the slots that came back from workers, and submit jobs that did not fit
 * before. Slots that are submitted during this function are left for the next
 * step. */
static bool take_slots(struct io *io)
{
    uint32_t resubmit_count = io->unpack.unsubmitted.count;
    bool worked = false;
    enum read_stage next;
    uint32_t slot;
    uint32_t index;

    while (spn__draining_step(io, &slot, &index, &next)) {
        move(io, index, next);
        spn__unpack_free_slot(io, slot);
        wake_slot_waiters(io);
        worked = true;
    }
    for (uint32_t i = spn__unverified_count(io); i > 0; i--) {
        move(io, spn__unverified_step(io), READ_DRAINING);
        worked = true;
    }
    spn__unpack_resubmit(io, resubmit_count);
    return worked;
}

/* -- devices -- */

static void take_back(struct io *io, struct io_medium *medium)
{
    for (uint32_t i = 0; i < spn__device_count(medium); i++)
        move(io, spn__device_read(medium, i), spn__device_step(io, medium, i));
}

static bool poll_devices(struct io *io, uint64_t *due_us)
{
    struct io_medium *medium;

    if (!spn__device_poll(io, due_us, &medium))
        return false;
    if (medium)
        take_back(io, medium);
    return true;
}

/* Choose reads for a medium whose device is free, and submit them. */
static bool serve_medium(struct io *io, struct io_medium *medium)
{
    enum read_stage next;
    uint32_t index;

    if (!spn__waiting_choose(io, medium))
        return false;
    while (spn__waiting_step(io, medium, &index, &next))
        move(io, index, next);
    wake_slot_waiters(io);
    if (spn__device_count(medium) == 0)
        return true;
    spn__waiting_interrupt(io, medium, spn__device_read(medium, 0));
    if (!spn__device_start(io, medium))
        take_back(io, medium);
    return true;
}

static bool open_file(struct io *io)
{
    enum read_stage next = READ_OPENING;
    uint32_t index;

    if (!spn__opening_step(io, &index, &next))
        return false;
    if (index == IO_NONE)
        move_queue(io, &io->opening->queue, spn__opening_next);
    else
        move(io, index, next);
    return true;
}

/* Open at most one file, and submit at most one command to each medium. */
static bool serve(struct io *io)
{
    bool is_outranked = spn__opening_is_outranked(io);
    bool worked = false;

    if (!is_outranked && open_file(io))
        return true;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        worked = serve_medium(io, &io->media[i]) || worked;
    if (is_outranked)
        worked = open_file(io) || worked;
    return worked;
}

static enum read_stage timed_out_next(struct io *io, uint32_t index)
{
    return read_drain(&io->requests[index], SPN_ERR_TIMEOUT);
}

/* End all reads that wait for a device whose command has timed out. */
static bool end_timed_out(struct io *io, uint64_t *due_us)
{
    uint64_t now_us = io_now_us(io);
    bool worked = false;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct queue *queue = &io->media[i].requests.queue;

        if (spn__device_timeout(io, (spn_medium)i, now_us, due_us, &worked) &&
            queue->count > 0) {
            move_queue(io, queue, timed_out_next);
            worked = true;
        }
    }
    return worked;
}

/* -- the step -- */

/* Close all files at the shutdown, when no read needs a file any more. */
static bool shut_files(struct io *io)
{
    if (!io->is_stopping || io->opening->queue.count > 0 ||
        !spn__devices_are_free(io) ||
        (io_has_paks(io) && !spn__unpack_is_idle(&io->unpack)) ||
        atomic_load_relaxed(&io->files.open_count) == 0)
        return false;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].requests.queue.count > 0)
            return false;
    spn__files_shut(&io->files);
    return true;
}

static bool waits_for_jobs(const struct io *io)
{
    return io->job_waiters.count > 0 ||
           (io_has_paks(io) && io->unpack.unsubmitted.count > 0);
}

static bool step(struct io *io, uint64_t *due_us)
{
    bool worked = take_signals(io);

    *due_us = UINT64_MAX;
    worked = empty_inbox(io) || worked;
    worked = spn__async_step(io) || worked;
    worked = (io_has_paks(io) && take_slots(io)) || worked;
    if (poll_devices(io, due_us))
        return true;
    worked = serve(io) || worked;
    worked = shut_files(io) || worked;
    if (!worked && waits_for_jobs(io))
        *due_us = min_u64(*due_us, io_now_us(io) + JOBS_RETRY_US);
    return worked;
}

bool spn__io_step(struct io *io, uint64_t *due_us)
{
    bool worked = step(io, due_us);

    worked = end_timed_out(io, due_us) || worked;
    if (worked)
        spn__io_send_report(io);
    return worked;
}
