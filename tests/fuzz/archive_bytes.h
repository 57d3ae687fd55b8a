/* archive_bytes.h - Alembic archives in memory, for the targets that read them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_ARCHIVE_BYTES_H
#define TESTS_FUZZ_ARCHIVE_BYTES_H

#include "abc/archive.h"

#include "common/arena.h"

/* An archive, with an arena to read it into. */
struct fuzz_archive {
    struct abc_archive *archive;
    struct diag diag; /* of the archive; prints nothing */
    struct arena arena;
    uint32_t left; /* remaining objects that the target reads; counts down */
};

/* Open a copy of these bytes and call `look` with it. A refusal must have a
 * reason. */
void fuzz_archive_visit(const uint8_t *data, size_t size, uint32_t left,
                        void (*look_at)(struct fuzz_archive *look));

/* For mutators. Most mutations keep the size, because an archive is full of
 * offsets. */
size_t fuzz_archive_mutate(uint8_t *data, size_t size, size_t size_max,
                           unsigned seed);

#endif
