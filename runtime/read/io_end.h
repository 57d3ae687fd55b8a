/* io_end.h - the end of a read: its status, and the way to the done ring. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_END_H
#define SPN_READ_IO_END_H

#include "read/engine.h"

/* The one end of a read, which is in no line and at no device any more. An
 * abort that was in time changes the status. */
void spn__io_end(struct io *io, uint32_t index, spn_status status);
/* End a read that was aborted, or that shutdown overtook. */
bool spn__io_end_if_unwanted(struct io *io, uint32_t index);
/* Hand over those that wait for a job, in order, as far as there is room. */
bool spn__io_submit_waiting(struct io *io);

#endif
