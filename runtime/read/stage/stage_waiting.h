/* stage_waiting.h - READ_WAITING: a read in the queue of its medium.
 *
 * When the device of the medium is free, a read is chosen: the first by its
 * sort key, or several neighbours by the deadline scheduler (io_deadline.h).
 * Each that was chosen is made ready: checked against its file, given memory
 * and, if it is compressed, a slot. What is not ready leaves the queue for the
 * stage where it waits for what it lacks. Owner: the io thread.
 *
 * A read that has begun stays in the queue between two pieces and goes on
 * first, unless another is chosen. If that one is urgent, the interrupted read
 * goes on with one piece right after it, and with its own priority after that.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_WAITING_H
#define SPN_READ_STAGE_WAITING_H

#include "read/request.h"

struct io;
struct io_medium;

enum read_stage spn__waiting_enter(struct io *io, uint32_t index,
                                   enum read_stage from);
void spn__waiting_leave(struct io *io, uint32_t index);

/* Begin to choose what goes to the device of a medium. False when it is not
 * free, or no read waits. */
bool spn__waiting_choose(struct io *io, struct io_medium *medium);
/* Afterwards, until it returns false: the next read that was chosen, and where
 * it goes. READ_AT_DEVICE: it is still in the queue, otherwise it was taken
 * out. */
bool spn__waiting_step(struct io *io, struct io_medium *medium, uint32_t *index,
                       enum read_stage *next);

/* Read `first` goes to the device of a medium: if it is not the read whose
 * piece was the last that came back, that one is interrupted. */
void spn__waiting_interrupt(struct io *io, struct io_medium *medium,
                            uint32_t first);

/* Make a chosen read ready. READ_AT_DEVICE, or the stage where it waits or
 * ends. */
enum read_stage spn__waiting_make_ready(struct io *io, uint32_t index);

#endif
