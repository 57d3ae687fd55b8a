/* io_line.h - where the reads that wait stand, and in which order. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_LINE_H
#define SPN_READ_IO_LINE_H

#include "read/engine.h"

/* A new read joins the line of its medium, or that of the unopened. */
void spn__io_line_up(struct io *io, uint32_t index, uint64_t now_us);
/* One that was set aside does. */
void spn__io_stand(struct io *io, uint32_t index);
/* One whose piece has ended or failed goes back into its line. False when its
 * type was paused meanwhile: it is parked. */
bool spn__io_put_back(struct io *io, uint32_t index);
/* Park those whose type is paused, and let the others stand again. */
void spn__io_park(struct io *io);
/* Where it stands in its line. */
uint64_t spn__io_key_of(struct io *io, uint32_t index);
/* It is not between two pieces any more. */
void spn__io_forget_resting(struct io *io, uint32_t index);
void spn__io_list_add(struct io *io, struct io_list *list, uint32_t index);
/* Take out those for which `leaves` says so; it may put them elsewhere, but
 * not touch this list. Its context is the io. */
void spn__io_list_take_if(struct io *io, struct io_list *list,
                          queue_leaves_fn leaves);
/* The priority of a read that has begun is another now: that is its turn in the
 * line of its medium, if it stands there, or when it will. */
void spn__io_stand_anew(struct io *io, uint32_t index);
/* A file was opened: its reads go to the line of their medium. */
void spn__io_let_in(struct io *io);

#endif
