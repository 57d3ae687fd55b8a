/* io_expect.h - what a read takes, for who plans ahead. Caller's thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_EXPECT_H
#define SPN_READ_IO_EXPECT_H

#include <spindle/medium.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* What a read of `bytes` takes that begins elsewhere than where the head is: a
 * typical seek, and the transfer at the file's place. False when nothing is
 * known of the drive, or of the file yet. Caller's thread. */
bool spn__io_expect(const struct io *io, spn_file file, uint64_t bytes,
                    uint64_t *us);
/* Does it order the reads that wait for a medium by more than their keys?
 * Caller's thread. */
bool spn__io_has_sweep(const struct io *io, spn_medium medium);

#endif
