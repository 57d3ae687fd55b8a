/* run_read.c - a run of several reads at a device. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/run_read.h"

#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/stage/piece_read.h"
#include "read/unpack_reads.h"

void spn__run_read_copy(const struct run *run, uint32_t arrived)
{
    for (uint32_t i = 0; i < run->member_count; i++)
        spn__run_copy(run, i, spn__run_useful(run, i, arrived));
}

static enum read_stage go_alone(struct io_request *request)
{
    request->is_alone = true;
    return READ_WAITING;
}

enum read_stage spn__run_read_step(struct io *io, struct io_medium *medium,
                                   uint32_t i)
{
    const struct run *run = &medium->scheduler->run;
    uint32_t index = run->members[i].subject;
    struct io_request *request = &io->requests[index];
    uint32_t useful;

    if (medium->is_refused)
        return go_alone(request);
    if (io_is_unwanted(io, index))
        return read_drain(request, SPN_ERR_SHUTDOWN);
    useful = spn__run_useful(run, i, medium->arrived_bytes);
    if (useful < run->members[i].bytes)
        request->is_alone = true;
    if (io_is_of_pak(io, index))
        (void)spn__unpack_take(io, index, &useful);
    if (useful > 0)
        return spn__piece_read_advance(io, medium, index, useful);
    if (medium->is_timed_out)
        return read_drain(request, SPN_ERR_TIMEOUT);
    return go_alone(request);
}
