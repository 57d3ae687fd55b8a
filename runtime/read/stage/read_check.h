/* read_check.h - check of the reads and the files of an engine.
 *
 * For tests, and for the simulator after each of its steps.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_READ_CHECK_H
#define SPN_READ_STAGE_READ_CHECK_H

struct io;

/* Check that every list and queue has all reads of its stage and no others;
 * that the devices have the reads at a device; that stages, state words, memory
 * and slots agree; and the table of files (spn__files_check). Returns NULL, or
 * a description of what is wrong. O(reads + files). No other thread of the
 * runtime may run meanwhile. */
const char *spn__read_check(const struct io *io);

#endif
