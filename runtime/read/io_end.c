/* io_end.c - the end of a read: its status, and the way to the done ring.
 *
 * Each read passes spn__io_end once, unless that is put off (io_unpack.c). With
 * an asynchronous callback it goes on by way of a worker, and waits here while
 * the table of jobs is full. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_end.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_copy.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_pak.h"
#include "read/io_report.h"
#include "read/io_unpack.h"
#include "read/io_wait.h"

static void run_async(void *context, uint32_t index, struct job_worker *worker)
{
    struct io *io = context;
    spn_read_result result = spn__io_result_of(io, index);

    (void)worker;
    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_ASYNC,
                              SPN_EVENT_CALLBACK_BEGIN, result.status);
    io->requests[index].on_async(&result);
    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_ASYNC,
                              SPN_EVENT_CALLBACK_END, SPN_OK);
    io_push_done(io, index);
}

/* A type that has jobs of its own. They have room for all reads; where a worker
 * that was halted holds up the table, the others do it. */
static bool submit_to_lane(struct io *io, uint32_t index)
{
    uint32_t task = io->requests[index].task;

    for (uint32_t i = 0; i < IO_LANES_MAX; i++)
        if (io->lanes[i].tasks >> task & 1)
            return spn__jobs_submit(io->lanes[i].jobs, run_async, io, index);
    return false;
}

bool spn__io_submit_waiting(struct io *io)
{
    bool worked = false;

    while (io->waiting.count > 0) {
        uint32_t index = io->waiting.first;
        /* Before the submit: the slot may come round before it returns. */
        uint32_t next = io->requests[index].next;

        if (!spn__jobs_submit(io->jobs, run_async, io, index))
            break;
        io->waiting.first = next;
        io->waiting.count--;
        worked = true;
    }
    return worked;
}

/* One instant decides between an abort and the end: who sets his bit first.
 * Publishes the result to whoever polls, waits or pins. */
static void publish(struct io *io, uint32_t index, spn_status status)
{
    uint32_t state = atomic_load_relaxed(&io->states[index]);

    do {
        SPN_ASSERT(!(state & READ_IS_ENDED));
        io->requests[index].status =
            state & READ_IS_ABORTED ? SPN_ERR_ABORTED : status;
    } while (!atomic_compare_exchange_acq_rel(&io->states[index], &state,
                                              state | READ_IS_ENDED));
    if (state & READ_IS_AWAITED)
        spn__io_wake_waiters(io, (state & ~READ_INDEX_MASK) | index);
}

static bool is_unwanted(spn_status status)
{
    return status == SPN_ERR_ABORTED || status == SPN_ERR_SHUTDOWN;
}

void spn__io_end(struct io *io, uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];

    spn__io_forget_resting(io, index);
    if (io_is_of_pak(io, index)) {
        if (spn__unpack_puts_off(io, index, &status) ||
            spn__pak_try_copy(io, index, status))
            return;
        spn__pak_leave_memory(request);
    }
    spn__files_release(&io->files, request->file);
    request->ended_us = io_now_us(io);
    spn__record_note_end(&io->record, request->record_number,
                         request->record_event, request->ended_us);
    spn__io_note_end(io, request);
    spn__io_note_pending(io, request, 0);
    publish(io, index, status);
    if (listen_is_there(&io->listen) && is_unwanted(request->status))
        spn__io_hear_aborted(io, index);
    if (!request->on_async) {
        io_push_done(io, index);
        return;
    }
    if (submit_to_lane(io, index))
        return;
    spn__io_list_add(io, &io->waiting, index);
    spn__io_submit_waiting(io);
}

bool spn__io_end_if_unwanted(struct io *io, uint32_t index)
{
    if (!io->is_stopping && !io_is_aborted(io, index))
        return false;
    spn__io_end(io, index, SPN_ERR_SHUTDOWN);
    return true;
}
