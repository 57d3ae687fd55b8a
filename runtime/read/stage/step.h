/* step.h - the io thread: moves reads from stage to stage.
 *
 * A stage knows what a read does there and where it goes next, but calls no
 * other stage. Its functions are
 *
 *   spn__X_enter   the read is in the stage now; returns the stage that it goes
 *                  on to at once, or its own
 *   spn__X_step    work of the io thread on the reads of the stage: takes one
 *                  out and returns where it goes
 *   spn__X_next    where a given read of the stage goes after a signal
 *   spn__X_leave   the read goes to another stage
 *
 * step.c alone changes the stage of a read of the io thread, and calls enter
 * and leave.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STEP_H
#define SPN_READ_STAGE_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct io;

/* io thread: one bounded piece of work: take requests and signals, submit
 * pieces, take a completion, open a file. Returns whether it did something. If
 * not, *due_us is when to call again; UINT64_MAX: when the event of
 * spn__io_set_event is signalled. Never waits itself; the platform's calls may.
 */
bool spn__io_step(struct io *io, uint64_t *due_us);

#endif
