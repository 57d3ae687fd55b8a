/* stage_completing.h - READ_COMPLETING: a read that has ended, on its way to
 * its main-thread callback.
 *
 * It lies in the done ring, or was taken from it and deferred (io_finish.h).
 * Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_COMPLETING_H
#define SPN_READ_STAGE_COMPLETING_H

#include "read/request.h"

struct io;

/* Hand a read to the caller's thread. io thread; workers do the same themselves
 * after an asynchronous callback. */
enum read_stage spn__completing_enter(struct io *io, uint32_t index);
/* Call its callback, count it, and release what it held. It is READ_UNUSED
 * then. Caller's thread. */
void spn__completing_step(struct io *io, uint32_t index);

#endif
