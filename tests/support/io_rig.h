/* io_rig.h - an io engine on a slow disc, stepped by the test.
 *
 * Everything runs on the test's thread. rig_step lets the io thread, a worker
 * and the caller's thread each do one step. rig_run repeats this until all is
 * idle; it moves the clock when only the disc is busy. The disc's files "a",
 * "b", "c" contain bytes that differ by file and offset.
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
    uint32_t read_count;   /* 0 means 16 */
    uint32_t file_count;   /* 0 means 8 */
    uint32_t piece_bytes;  /* 0 means 4096 */
    uint32_t job_capacity; /* 0 means 16 */
    uint32_t wait_count;
    uint32_t heap_pages; /* 0 means 64 */
    uint32_t pak_count;
    uint64_t unpack_bytes; /* 0 means memory for two slots */
    bool has_loose_files_only;
    uint64_t budget_bytes; /* 0 means 1 MiB */
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
    uint32_t ended; /* completed reads of all kinds */
};

/* A read and its result. */
struct rig_read {
    struct rig *rig;
    spn_read handle;
    spn_status status;
    uint64_t bytes;
    uint32_t async_count;
    uint32_t done_count;
    uint32_t place; /* rank among the completions of the rig, from 1 */
    uint8_t *buffer;
    spn_fault fault; /* from rig_end */
};

/* Byte `offset` of file 0, 1 or 2. */
uint8_t rig_byte(uint32_t file, uint64_t offset);

/* Start an engine; frees memory of the rig's earlier one. The disc has no
 * delays. */
void rig_open(struct rig *rig, const struct rig_config *config);
/* Shut down, step until idle, check that nothing is open, free the memory. */
void rig_close(struct rig *rig);

bool rig_step(struct rig *rig);
/* Step only the io thread, until it waits for the disc or is idle. */
void rig_step_io(struct rig *rig);
/* Step the io thread and the disc until both are idle, but no worker. */
void rig_run_io(struct rig *rig);
void rig_run(struct rig *rig);

spn_file rig_file(struct rig *rig, const char *path);
/* A description with both callbacks, and `read` as the user pointer. */
spn_read_desc rig_desc(struct rig *rig, struct rig_read *read, spn_file file,
                       uint64_t offset, uint64_t bytes, uint8_t *buffer);
void rig_start(struct rig *rig, const spn_read_desc *desc,
               struct rig_read *read);
/* on_done of a read that has no on_async. It also keeps the fault. */
void rig_end(const spn_read_result *result);

/* Check that the read completed once, with this status; with SPN_OK also its
 * bytes. */
void rig_check(const struct rig_read *read, spn_status status);
void rig_check_bytes(const struct rig_read *read, uint32_t file,
                     uint64_t offset, uint64_t bytes);

/* Argument of the engine's internal reads. Their `context` is a struct
 * io_result, which receives the result. */
#define RIG_ARGUMENT 4711u
void rig_keep(void *context, uint32_t argument, const struct io_result *result);

#endif
