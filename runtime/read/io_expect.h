/* io_expect.h - how long a read will take, for modules that plan ahead.
 *
 * Computed from the profile of the drive, which is fixed, and from what the io
 * thread reported about the drive's errors. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_EXPECT_H
#define SPN_READ_IO_EXPECT_H

#include <spindle/medium.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Time of a read of `bytes` bytes of a file, after a seek of typical length, in
 * microseconds. False when the drive is not known, or the file was never open.
 */
bool spn__io_expect(const struct io *io, spn_file file, uint64_t bytes,
                    uint64_t *us);

/* Does a medium have a deadline scheduler? */
bool spn__io_has_deadline_order(const struct io *io, spn_medium medium);

#endif
