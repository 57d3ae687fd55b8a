/* deadline_choice.h - what a deadline scheduler sends to the device.
 *
 * All reads in the queue of a medium are offered to the scheduler
 * (schedule/deadline.h), which picks one and names neighbours. Those that are
 * ready go to the device in one run, as far as a piece has room. What is left
 * of them is weighed again, so that a read that arrives meanwhile waits for one
 * piece and its gaps only. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_DEADLINE_CHOICE_H
#define SPN_READ_STAGE_DEADLINE_CHOICE_H

#include "read/request.h"

struct io;
struct io_medium;

/* Choose reads of a medium whose device is free and whose queue is not empty.
 */
void spn__deadline_choice_run(struct io *io, struct io_medium *medium);
/* As spn__waiting_step. */
bool spn__deadline_choice_step(struct io *io, struct io_medium *medium,
                               uint32_t *index, enum read_stage *next);

#endif
