/* stage_completing.h - READ_COMPLETING: reads that have ended, until their
 * on_done callback has returned.
 *
 * They are in the done queue, or were taken from it and deferred (io_finish.h).
 * Thread: the caller's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_COMPLETING_H
#define SPN_READ_STAGE_COMPLETING_H

#include "read/request.h"

struct io;

/* Hand a read to the caller's thread. io thread; workers do the same themselves
 * after an asynchronous callback. */
enum read_stage spn__completing_enter(struct io *io, uint32_t index);
/* Call the callback, count the read, and release all that it holds. Returns its
 * next stage, READ_UNUSED. Caller's thread. */
enum read_stage spn__completing_step(struct io *io, uint32_t index);

#endif
