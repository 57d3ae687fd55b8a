/* deadline_choice.h - choose reads by the deadline scheduler of a medium.
 *
 * All reads in the queue of the medium are offered to the scheduler
 * (schedule/deadline.h), which chooses one and the neighbours that are read by
 * the same command (schedule/deadline_coalesce.h). Those that are ready
 * (make_ready.h) go to the device in one run, as many as fit a
 * piece. The others are offered again at the next choice. So a new read waits
 * for at most one piece with its gaps. Thread: the io thread.
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
/* Get the next chosen read and its next stage; see spn__waiting_step. */
bool spn__deadline_choice_step(struct io *io, struct io_medium *medium,
                               uint32_t *index, enum read_stage *next);

#endif
