/* io_rig.h - an io engine on a slow disc, stepped by hand.
 *
 * Everything runs on the test's thread: rig_step lets the io thread, a worker
 * and the caller's thread each do one thing; rig_run goes on until nothing is
 * left to do, moving the clock when the disc is what is waited for.
 *
 * The disc's files "a", "b", "c" hold bytes that differ by file and offset.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_IO_RIG_H
#define TESTS_IO_RIG_H

#include "base/heap.h"
#include "base/jobs.h"
#include "read/io.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "support/slow_platform.h"

#include <stdbool.h>
#include <stdint.h>

#define RIG_FILES 3u
#define RIG_FILE_BYTES 1000000u

struct rig_config {
    uint32_t read_count;   /* 0: 16 */
    uint32_t file_count;   /* 0: 8 */
    uint32_t piece_bytes;  /* 0: 4096 */
    uint32_t job_capacity; /* 0: 16 */
    uint32_t wait_count;
    uint32_t heap_pages; /* 0: 64 */
    uint32_t pak_count;
    uint64_t unpack_bytes; /* 0: of two slots */
    bool has_loose_files_only;
    uint64_t budget_bytes; /* 0: 1 MiB */
    uint32_t reserved_tasks[IO_LANES_MAX];
    spn_medium_config media[SPN_MEDIUM_COUNT];
    const spn_listener *listener;
};

struct rig {
    struct slow_platform slow;
    struct jobs jobs;
    struct jobs reserved[IO_LANES_MAX];
    struct heap heap;
    struct io *io;
    void *block;
    uint32_t ended; /* reads of all kinds that completed */
};

/* A read and what became of it. */
struct rig_read {
    struct rig *rig;
    spn_read handle;
    spn_status status;
    uint64_t bytes;
    uint32_t async_count;
    uint32_t done_count;
    uint32_t place; /* which completion of the rig's it was, from 1 */
    uint8_t *buffer;
};

/* Byte `offset` of file 0, 1 or 2. */
uint8_t rig_byte(uint32_t file, uint64_t offset);

/* Set up; earlier memory of the same rig is freed. The disc has no delays. */
void rig_open(struct rig *rig, const struct rig_config *config);
/* Shut down, step until idle, check that nothing is open, free. */
void rig_close(struct rig *rig);

bool rig_step(struct rig *rig);
/* Let nothing but the io thread work, until it waits for the disc or has
 * nothing to do. */
void rig_step_io(struct rig *rig);
void rig_run(struct rig *rig);

spn_file rig_file(struct rig *rig, const char *path);
/* A description with both callbacks and `read` as the user pointer. */
spn_read_desc rig_desc(struct rig *rig, struct rig_read *read, spn_file file,
                       uint64_t offset, uint64_t bytes, uint8_t *buffer);
void rig_start(struct rig *rig, const spn_read_desc *desc,
               struct rig_read *read);

/* The read completed once, with this status; and: with SPN_OK, this many bytes,
 * those of the file. */
void rig_check(const struct rig_read *read, spn_status status);
void rig_check_bytes(const struct rig_read *read, uint32_t file,
                     uint64_t offset, uint64_t bytes);

/* Of the engine's own reads, with RIG_ARGUMENT: `context`, a struct io_result,
 * becomes what the read came to. */
#define RIG_ARGUMENT 4711u
void rig_keep(void *context, uint32_t argument, const struct io_result *result);

#endif
