/* stage_queued.h - READ_QUEUED: reads that were started and are in the inbox.
 *
 * The starting thread pushes a read into the inbox (io_start.h). The io thread
 * pops it, and owns it from then on.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_QUEUED_H
#define SPN_READ_STAGE_QUEUED_H

#include "read/request.h"

struct io;

/* Give a read from the inbox its arrival number, and record it. Returns its
 * next stage. io thread. */
enum read_stage spn__queued_step(struct io *io, uint32_t index);

#endif
