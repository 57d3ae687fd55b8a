/* io.h - the stream engine: reads files for the runtime's modules and for the
 * game.
 *
 *   any thread --inbox ring--> io thread --done ring--> caller's thread
 *
 * Any thread starts reads (io_start.h), and aborts or waits for them
 * (io_wait.h). The io thread (stage/step.h) alone touches files: it opens them,
 * orders the reads that wait for each medium, and serves the media side by
 * side, in pieces. A read that has ended goes to a worker for its asynchronous
 * callback, then to the caller's thread, which completes it inside spn_update
 * (stage/io_finish.h). This header has the configuration of the engine, its
 * files, and its shutdown.
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

struct guard;
struct io;
struct listen;
struct pace;
struct record;
struct tasks;

/* Where a file is, and its size. */
struct file_facts {
    uint64_t bytes;
    uint64_t place; /* position of its first byte on the medium */
    spn_medium medium;
};

/* Jobs that are reserved for the asynchronous callbacks of some task types. */
#define IO_LANES_MAX 4u
struct io_lane {
    struct jobs *jobs; /* with room for all reads; NULL: no such lane */
    uint32_t tasks;    /* bit 1 << spn_task of each type */
};

/* Functions that take and free blocks of the heap: for mounted and loaded paks,
 * and for reads into the heap. `take` returns SPN_OK; SPN_NO_MEMORY_NOW when it
 * may succeed later; SPN_ERR_MEMORY when it never will. Caller's thread. */
struct io_memory {
    void *user;
    spn_status (*take)(void *user, uint64_t bytes, uint32_t unit_bytes,
                       enum heap_tag tag, heap_handle *out);
    void (*give)(void *user, heap_handle block);
};

struct io_config {
    const spn_platform *platform; /* the runtime's copy */
    struct jobs *jobs;            /* runs asynchronous callbacks; NULL: reads
                                   * that want one are refused */
    struct io_lane lanes[IO_LANES_MAX]; /* the first with the type is used */
    const struct heap *heap;            /* destinations of reads */
    uint32_t read_count;                /* table size, 1..32767 */
    uint32_t file_count;                /* 1..32768 */
    uint32_t piece_bytes; /* a long read is served in pieces of this size, so
                           * that aborts and urgent reads need not wait; cut
                           * to a multiple of 4096. 0: 256 KiB */
    uint32_t wait_count;  /* threads in spn__io_wait at a time */
    spn_medium_config media[SPN_MEDIUM_COUNT]; /* as spn_config_resolve leaves
                                                * them: nothing is automatic */
    uint64_t budget_bytes;     /* what storage callbacks may have given to reads
                                * that are not completed */
    uint32_t pak_count;        /* mounted at a time; 0..PAKS_COUNT_MAX */
    bool has_loose_files_only; /* paths are not looked for in paks */
    struct io_memory memory;
    struct unpack_config unpack;  /* with paks; its piece_bytes are these */
    const spn_listener *listener; /* copied; NULL: none */
    uint32_t invalid_wait_us;
};

/* Cut and initialise; NULL when counting or when the block is too small. */
struct io *spn__io_init(struct carve *carve, const struct io_config *config);
/* Set the event that is signalled when the io thread has something to do; 0,
 * the default: no thread sleeps on it. Before any other call. */
void spn__io_set_event(struct io *io, uint64_t event);
/* Set the event of waiter number `waiter` < wait_count, on which a waiting
 * thread sleeps. Before any other call. */
void spn__io_set_waiter_event(struct io *io, uint32_t waiter, uint64_t event);
/* Set the event that spn__io_await_done sleeps on. Before any other call. */
void spn__io_set_done_event(struct io *io, uint64_t event);
/* Get size, medium and place of a file (files.h). SPN_PENDING until a read has
 * opened it for the first time; SPN_ERR_HANDLE. Caller's thread. */
spn_status spn__io_file_facts(const struct io *io, spn_file file,
                              struct file_facts *out);
/* spn_file_open and spn_file_close. */
SPN_NODISCARD spn_status spn__io_file_open(struct io *io, const char *path,
                                           spn_file *out);
spn_status spn__io_file_close(struct io *io, spn_file file);
/* Pause or resume a task type, 1 to SPN_TASK_COUNT - 1. Any thread. */
void spn__io_pause(struct io *io, spn_task task, bool is_paused);
/* Where the runtime's other modules tell what they do. Any thread. */
const struct listen *spn__io_listen(const struct io *io);
struct tasks *spn__io_tasks(struct io *io);
struct record *spn__io_record(struct io *io);
/* End the record of reads: the io thread gives back its arrays. Caller's
 * thread.
 */
void spn__io_end_record(struct io *io);
/* From now on new reads are refused with SPN_ERR_SHUTDOWN and all others end
 * with that status at the next steps, but for those that had ended or were
 * aborted before. Then step (jobs too) and finish until idle. The memory may
 * go only when no other thread is inside a call. */
void spn__io_shutdown(struct io *io);
/* No read is pending and no file is open. Caller's thread. */
bool spn__io_is_idle(const struct io *io);

#endif
