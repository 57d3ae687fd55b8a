/* archive_bytes.h - Alembic archives in memory, for the targets that read them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_ARCHIVE_BYTES_H
#define TESTS_FUZZ_ARCHIVE_BYTES_H

#include "abc/archive.h"

/* Open bytes that stay as they are until it is closed; NULL: refused, which
 * `diag` then says with a reason. Nothing is printed. */
struct abc_archive *fuzz_archive_open(const uint8_t *data, size_t size,
                                      struct diag *diag);

/* For mutators: an archive is full of offsets, so that mostly nothing moves. */
size_t fuzz_archive_mutate(uint8_t *data, size_t size, size_t size_max,
                           unsigned seed);

#endif
