/* pak_nearest.h - which copies a deadline scheduler reads.
 *
 * Of a read that has a choice the copy counts that is nearest to where the head
 * goes next: to the nearest read without a choice. Before each choice of the
 * scheduler the copies of at most PAK_NEAREST_MAX reads are chosen again, in
 * turn, so that a choice costs the same however many reads wait. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_NEAREST_H
#define SPN_READ_PAK_NEAREST_H

struct io;
struct io_medium;

/* Reads whose copies are chosen again for one choice of the scheduler. */
#define PAK_NEAREST_MAX 256u

/* Choose copies of the reads in a medium's queue. */
void spn__pak_choose_nearest(struct io *io, const struct io_medium *medium);

#endif
