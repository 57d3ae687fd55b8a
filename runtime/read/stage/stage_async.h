/* stage_async.h - READ_AWAITS_ASYNC: reads that have ended, until their
 * asynchronous callbacks have returned.
 *
 * Entering the stage publishes the result to all threads that poll, wait for or
 * pin the read. Abort and end set bits of the same atomic word, so exactly one
 * of them is first. A read with an asynchronous callback is then submitted as a
 * job; it waits in `job_waiters` while the queue of jobs is full. Thread: the
 * io thread until the job is submitted, then the worker.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_ASYNC_H
#define SPN_READ_STAGE_ASYNC_H

#include "read/request.h"

struct io;

/* Returns READ_AWAITS_ASYNC if a worker has the read or will get it. */
enum read_stage spn__async_enter(struct io *io, uint32_t index);
/* Submit the jobs of waiting reads, in order, as far as the queue of jobs has
 * room. Returns whether any was submitted. */
bool spn__async_step(struct io *io);

#endif
