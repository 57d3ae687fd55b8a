/* stage_ended.h - READ_ENDED: the result of a read stands.
 *
 * Entering the stage publishes the result to every thread that polls, waits or
 * pins the read. One instant decides between an abort and the end: whichever
 * sets its bit first. A read with an asynchronous callback then goes to a
 * worker, and waits in `job_waiters` while the table of jobs is full. Owner:
 * the io thread until the job is submitted, then the worker.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_ENDED_H
#define SPN_READ_STAGE_ENDED_H

#include "read/request.h"

struct io;

/* READ_ENDED: the read is a worker's, or waits to be. */
enum read_stage spn__ended_enter(struct io *io, uint32_t index);
/* Give waiting reads to workers, in order, as far as the table of jobs has
 * room. Returns whether there were any. */
bool spn__ended_step(struct io *io);

#endif
