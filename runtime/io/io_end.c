/* io_end.c - the end of a read: its status, and the way to the done ring.
 *
 * Each read passes spn__io_end once. With an asynchronous callback it goes on
 * by way of a worker, and waits here while the table of jobs is full. Owner:
 * the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "io/io_state.h"

static void push_done(struct io *io, uint32_t index)
{
    bool has_room = spn__ring_push(&io->done, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

static void run_async(void *context, uint32_t index, struct job_worker *worker)
{
    struct io *io = context;
    spn_read_result result = io_result_of(io, index);

    (void)worker;
    io->requests[index].on_async(&result);
    push_done(io, index);
}

bool spn__io_submit_waiting(struct io *io)
{
    bool worked = false;

    while (io->waiting_first != IO_NONE) {
        uint32_t index = io->waiting_first;
        /* Before the submit: the slot may come round before it returns. */
        uint32_t next = io->requests[index].next;

        if (!spn__jobs_submit(io->jobs, run_async, io, index))
            break;
        io->waiting_first = next;
        worked = true;
    }
    return worked;
}

static void wait_for_job(struct io *io, uint32_t index)
{
    io->requests[index].next = IO_NONE;
    if (io->waiting_first == IO_NONE)
        io->waiting_first = index;
    else
        io->requests[io->waiting_last].next = index;
    io->waiting_last = index;
}

static void forget(struct io *io, uint32_t index)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].resting == index)
            io->media[i].resting = IO_NONE;
}

static void carry_sums(struct io *io, struct io_request *request)
{
    struct io_medium *medium;

    if (request->medium == SPN_MEDIUM_COUNT)
        return;
    medium = &io->media[request->medium];
    medium->sums.reads_ended++;
    request->sums = medium->sums;
}

void spn__io_end(struct io *io, uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];
    uint32_t before;

    forget(io, index);
    spn__files_release(&io->files, request->file);
    /* One instant decides between an abort and the end: who sets his bit
     * first. Publishes the data to whoever polls. */
    before = atomic_or_acq_rel(&io->states[index], READ_IS_ENDED);
    SPN_ASSERT(!(before & READ_IS_ENDED));
    request->status = before & READ_IS_ABORTED ? SPN_ERR_ABORTED : status;
    carry_sums(io, request);
    if (!request->on_async) {
        push_done(io, index);
        return;
    }
    wait_for_job(io, index);
    spn__io_submit_waiting(io);
}

bool spn__io_end_if_unwanted(struct io *io, uint32_t index)
{
    if (!io->is_stopping && !io_is_aborted(io, index))
        return false;
    spn__io_end(io, index, SPN_ERR_SHUTDOWN);
    return true;
}
