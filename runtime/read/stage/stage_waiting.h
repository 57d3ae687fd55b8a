/* stage_waiting.h - READ_WAITING: reads in the queue of their medium.
 *
 * When the device of a medium is free, a read is chosen: the first by its sort
 * key, or by the deadline scheduler one with its neighbours (io_deadline.h).
 * Each chosen read is prepared (make_ready.h): its range is checked against the
 * file, and it gets memory and, if it is compressed, a slot. A read that lacks
 * one of these leaves the queue for the stage in which it waits for it. Thread:
 * the io thread.
 *
 * A read that has begun stays in the queue between two pieces and continues
 * first, unless another read is chosen. If that one is urgent, the interrupted
 * read gets one piece right after it, and has its own priority again after
 * that.
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

/* Begin to choose reads for the device of a medium. Returns false if the device
 * is not free or no read waits. */
bool spn__waiting_choose(struct io *io, struct io_medium *medium);
/* Get the next chosen read and its next stage. READ_AT_DEVICE: it is still in
 * the queue; otherwise it was taken out. To be called until it returns false.
 */
bool spn__waiting_step(struct io *io, struct io_medium *medium, uint32_t *index,
                       enum read_stage *next);

/* Read `first` goes to the device of a medium. If another read had the last
 * command and needs more pieces, mark it as interrupted. */
void spn__waiting_interrupt(struct io *io, struct io_medium *medium,
                            uint32_t first);

#endif
