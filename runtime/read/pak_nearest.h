/* pak_nearest.h - choose among the copies of pak entries, before the deadline
 * scheduler chooses the next read.
 *
 * The same entry may be stored several times on a disc. As long as a read has
 * not begun, any of its copies may be read. The copy is chosen that is nearest
 * to the next position of the head. That position is the begin of the read
 * nearest to the head, among the reads without a choice of copies.
 *
 * At most PAK_NEAREST_MAX reads are examined before each choice, and the next
 * call continues with the reads after them. So the cost of a choice has a bound
 * that does not depend on the number of waiting reads. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_NEAREST_H
#define SPN_READ_PAK_NEAREST_H

struct io;
struct io_medium;

/* Most reads whose copies are chosen by one call. */
#define PAK_NEAREST_MAX 256u

/* Choose the copies of reads in the queue of a medium. The medium must have a
 * deadline scheduler. */
void spn__pak_choose_nearest(struct io *io, const struct io_medium *medium);

#endif
