/* stage_unverified.h - READ_UNVERIFIED: all bytes of a read of a stored entry
 * are there, but no slot was free to verify the last blocks.
 *
 * It goes back to READ_DRAINING when a slot is free. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_UNVERIFIED_H
#define SPN_READ_STAGE_UNVERIFIED_H

#include "read/request.h"

struct io;

enum read_stage spn__unverified_enter(struct io *io, uint32_t index);
/* How many may try again now. */
uint32_t spn__unverified_count(const struct io *io);
/* Take the first out; it goes to READ_DRAINING. One waits. */
uint32_t spn__unverified_step(struct io *io);

#endif
