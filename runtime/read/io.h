/* io.h - the stream engine: asynchronous reads of files, for the game and for
 * the runtime's own modules. This header has its configuration, its files and
 * its shutdown.
 *
 *   any thread --inbox--> io thread --done queue--> caller's thread
 *
 * Any thread starts reads (io_start.h), aborts them and waits for them
 * (io_wait.h). Only the io thread (stage/step.h) accesses files: it opens them,
 * orders the reads that wait for each medium, and submits reads to the devices
 * in pieces. All media work at the same time. When a read has ended, a worker
 * runs its asynchronous callback, if it has one. The caller's thread then
 * completes the read inside spn_update (stage/io_finish.h).
 *
 * Terms
 *
 *   caller's thread  the thread that calls spn_update
 *   io thread        the thread that calls spn__io_step; without threads this
 *                    is the caller's thread, inside spn_update
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_H
#define SPN_READ_IO_H

#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "read/io_expect.h"
#include "read/io_guard.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/unpacking.h"

#include <spindle/io_stats.h>
#include <spindle/listener.h>
#include <spindle/medium.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;
struct listen;
struct pace;

/* Location and size of an open file. */
struct file_facts {
    uint64_t bytes;
    uint64_t place; /* byte position of the file's first byte on the medium */
    spn_medium medium;
};

/* Most job systems that are reserved for asynchronous callbacks. */
#define IO_LANES_MAX 4u
/* A job system that runs only the asynchronous callbacks of some task types. */
struct io_lane {
    struct jobs *jobs; /* must have room for read_count jobs; NULL: unused */
    uint32_t tasks;    /* mask of task types: bit 1 << spn_task */
};

/* Functions that allocate and free heap blocks: for indices of mounted paks,
 * for loaded paks, and for reads into the heap. The engine calls them on the
 * caller's thread only. `take` must return SPN_OK; SPN_NO_MEMORY_NOW if the
 * allocation may succeed later; SPN_ERR_MEMORY if it never will. */
struct io_memory {
    void *user;
    spn_status (*take)(void *user, uint64_t bytes, uint32_t unit_bytes,
                       enum heap_tag tag, heap_handle *out);
    void (*give)(void *user, heap_handle block);
};

struct io_config {
    const spn_platform *platform; /* the runtime's copy */
    struct jobs *jobs;            /* runs asynchronous callbacks; NULL: reads
                                   * with such a callback are refused */
    struct io_lane lanes[IO_LANES_MAX]; /* the first lane with the task type
                                         * of a read runs its callback */
    const struct heap *heap;            /* has the blocks that reads write to */
    uint32_t read_count; /* most reads that are not completed, 1..32767 */
    uint32_t file_count; /* most open files, 1..32768 */
    /* Largest piece in bytes, rounded down to a multiple of 4096; 0: 256 KiB. A
     * long read is served in pieces, so that aborts and urgent reads need not
     * wait for all of it. */
    uint32_t piece_bytes;
    uint32_t wait_count; /* most threads in spn__io_wait at a time */
    /* As spn_config_resolve returns them: no value is automatic. */
    spn_medium_config media[SPN_MEDIUM_COUNT];
    uint64_t budget_bytes;     /* most bytes of memory that reads which are not
                            * completed may have got from storage callbacks or
                            * from the heap */
    uint32_t pak_count;        /* most mounted paks, 0..PAKS_COUNT_MAX */
    bool has_loose_files_only; /* paths are not looked up in paks */
    struct io_memory memory;
    /* Memory and codecs for paks. Its piece_bytes is the largest piece of a
     * compressed entry. */
    struct unpack_config unpack;
    const spn_listener *listener; /* copied; NULL: none */
    uint32_t invalid_wait_us;     /* of spn_config: see spindle/guard.h */
};

/* Carve and initialize the engine. Returns NULL if the carve only counts
 * (base/carve.h) or if its block is too small. */
struct io *spn__io_init(struct carve *carve, const struct io_config *config);
/* Set the platform event that is signalled when the io thread has work; 0, the
 * default: none is signalled. Must be called before any other call. */
void spn__io_set_event(struct io *io, uint64_t event);
/* Set the event of waiter number `waiter` < wait_count (engine.h). A thread in
 * spn__io_wait sleeps on it. Must be called before any other call. */
void spn__io_set_waiter_event(struct io *io, uint32_t waiter, uint64_t event);
/* Set the event that spn__io_await_done sleeps on. Must be called before any
 * other call. */
void spn__io_set_done_event(struct io *io, uint64_t event);
/* Get size, medium and place of a file (files.h). Returns SPN_PENDING until a
 * read has opened the file for the first time; SPN_ERR_HANDLE for a stale
 * handle. Caller's thread. */
spn_status spn__io_file_facts(const struct io *io, spn_file file,
                              struct file_facts *out);
/* Implementations of spn_file_open and spn_file_close (spindle/read.h). */
SPN_NODISCARD spn_status spn__io_file_open(struct io *io, const char *path,
                                           spn_file *out);
spn_status spn__io_file_close(struct io *io, spn_file file);
/* Pause or resume a task type, 1 to SPN_TASK_COUNT - 1. Any thread. */
void spn__io_pause(struct io *io, spn_task task, bool is_paused);
/* Change budget_bytes. Reads that wait for memory try again. Any thread. */
void spn__io_set_budget(struct io *io, uint64_t bytes);
/* Change the length of time groups (schedule/read_order.h), > 0, for reads that
 * start from now on. Any thread. */
void spn__io_set_time_group(struct io *io, uint32_t length_us);
/* The listener, for the runtime's other modules. Any thread. */
const struct listen *spn__io_listen(const struct io *io);
/* Begin the shutdown: new reads are refused with SPN_ERR_SHUTDOWN, and the next
 * steps end the reads under way with that status. Reads that have ended or were
 * aborted before keep their status. The caller must then step the engine and
 * the jobs, and complete reads, until spn__io_is_idle. The engine's memory may
 * be freed when no other thread is inside a call of the engine. */
void spn__io_shutdown(struct io *io);
/* Whether no read is pending and no file is open. Caller's thread. */
bool spn__io_is_idle(const struct io *io);

#endif
