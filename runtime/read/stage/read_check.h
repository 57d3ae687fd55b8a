/* read_check.h - do the stages of all reads agree with where the reads are?
 *
 * For tests, and for the simulator after each of its steps.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_READ_CHECK_H
#define SPN_READ_STAGE_READ_CHECK_H

struct io;

/* Check that every list and queue has all reads of its stage, and no others;
 * that the devices have the reads at a device; and that stages, state words,
 * memory and slots agree. NULL: all is well; otherwise what is wrong. O(reads).
 * Nothing else may run: for builds and tests of one thread. */
const char *spn__read_check(const struct io *io);

#endif
