/* io_step.h - the io thread's step: from the inbox to the devices. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_STEP_H
#define SPN_READ_IO_STEP_H

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* io thread: one bounded piece of work: take a request, submit a piece, take
 * a completion, close a file. Returns whether it did something; if not,
 * *due_us is when to call again (UINT64_MAX: when the io event is signalled).
 * Never waits (the platform's calls may). */
bool spn__io_step(struct io *io, uint64_t *due_us);

#endif
