/* stage_queued.h - READ_QUEUED: a read that was started lies in the inbox.
 *
 * The starting thread pushes it there (io_start.h); the io thread takes it and
 * owns it from then on.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_QUEUED_H
#define SPN_READ_STAGE_QUEUED_H

#include "read/request.h"

struct io;

/* Number and record a read from the inbox. Returns where it goes. io thread. */
enum read_stage spn__queued_step(struct io *io, uint32_t index);

#endif
