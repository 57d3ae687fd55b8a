/* pak_check.h - check of the reads of paks: mounts, loads and slots against the
 * reads that use them.
 *
 * A part of spn__read_check (read_check.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_PAK_CHECK_H
#define SPN_READ_STAGE_PAK_CHECK_H

struct io;

/* Check the table of paks and the slots; and that the holds of a mount, the
 * users of its load, the heap bytes of all mounts, and the slots with workers
 * are the sums of what reads and files have. Returns NULL, or a description of
 * what is wrong. O(mounts * (reads + files + slots)). No other thread of the
 * runtime may run meanwhile. */
const char *spn__pak_check(const struct io *io);

#endif
