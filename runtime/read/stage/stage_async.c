/* stage_async.c - publication of results, and asynchronous callbacks. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_async.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_listen.h"
#include "read/io_report.h"
#include "read/io_wait.h"

/* -- asynchronous callbacks -- */

/* Call the callback. Returns the next stage. */
static enum read_stage call_back(const struct io *io, uint32_t index)
{
    spn_read_result result = spn__io_result_of(io, index);

    if (listen_is_there(&io->listen))
        spn__io_notify_callback(io, index, SPN_CALLBACK_ASYNC,
                                SPN_EVENT_CALLBACK_BEGIN, result.status);
    io->requests[index].on_async(&result);
    if (listen_is_there(&io->listen))
        spn__io_notify_callback(io, index, SPN_CALLBACK_ASYNC,
                                SPN_EVENT_CALLBACK_END, SPN_OK);
    return READ_COMPLETING;
}

/* The job, which drives the read on the worker (step.h). */
static void run_async(void *context, uint32_t index, struct job_worker *worker)
{
    struct io *io = context;

    (void)worker;
    spn__read_set_stage(&io->requests[index], call_back(io, index));
    io_push_done(io, index);
}

/* Submit to the jobs that are reserved for the task type. They have room for
 * all reads. A submit can still fail while a worker is suspended in the middle
 * of a pop. */
static bool submit_to_lane(struct io *io, uint32_t index)
{
    uint32_t task = io->requests[index].task;

    for (uint32_t i = 0; i < IO_LANES_MAX; i++)
        if (io->lanes[i].tasks >> task & 1)
            return spn__jobs_submit(io->lanes[i].jobs, run_async, io, index);
    return false;
}

bool spn__async_step(struct io *io)
{
    struct read_list *list = &io->job_waiters;
    bool worked = false;

    while (list->count > 0) {
        uint32_t index = list->first;
        /* Must be read before the submit, because the request may be used for a
         * new read before the submit returns. */
        uint32_t next = io->requests[index].next;

        if (!spn__jobs_submit(io->jobs, run_async, io, index))
            break;
        list->first = next;
        list->count--;
        worked = true;
    }
    return worked;
}

/* -- publishing the result -- */

/* Publish the result. An abort before this moment changes the status. */
static void publish(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    spn_status status = request->status;
    uint32_t state = atomic_load_relaxed(&io->states[index]);

    do {
        SPN_ASSERT(!(state & STATE_ENDED));
        request->status = state & STATE_ABORTED ? SPN_ERR_ABORTED : status;
    } while (!atomic_compare_exchange_acq_rel(&io->states[index], &state,
                                              state | STATE_ENDED));
    if (state & STATE_AWAITED)
        spn__io_wake_waiters(io, (state & ~READ_INDEX_MASK) | index);
}

static bool is_dropped(spn_status status)
{
    return status == SPN_ERR_ABORTED || status == SPN_ERR_SHUTDOWN;
}

enum read_stage spn__async_enter(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    spn__files_release(&io->files, request->file);
    request->ended_us = io_now_us(io);
    spn__record_note_end(&io->record, request->recording_number,
                         request->recording_event, request->ended_us);
    spn__io_note_end(io, request);
    spn__io_note_pending(io, request, 0);
    publish(io, index);
    if (listen_is_there(&io->listen) && is_dropped(request->status))
        spn__io_notify_over(io, index, SPN_EVENT_ABORTED);
    if (!request->on_async)
        return READ_COMPLETING;
    if (!submit_to_lane(io, index)) {
        spn__read_list_add(io, &io->job_waiters, index);
        spn__async_step(io);
    }
    return READ_AWAITS_ASYNC;
}
