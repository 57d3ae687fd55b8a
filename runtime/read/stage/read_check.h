/* read_check.h - check of an engine: its reads, and the modules that it owns.
 *
 * For tests, and for the simulator after each of its steps.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_READ_CHECK_H
#define SPN_READ_STAGE_READ_CHECK_H

struct io;

/* Check that every list and queue has all reads of its stage and no others;
 * that the devices have the reads at a device; that stages, state words, memory
 * and slots agree; that no read is lost between the queues; and the modules:
 * files, paks and slots (pak_check.h), the copies of the report, guards, and
 * the record of reads. Returns NULL, or a description of what is wrong. O(reads
 * + files + recorded events), and for paks see pak_check.h. No other thread of
 * the runtime may run meanwhile. */
const char *spn__read_check(const struct io *io);

#endif
