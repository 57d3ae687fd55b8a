/* io.h - the stream engine: the table of reads, and the io thread's step.
 *
 *   any thread --inbox ring--> io thread --done ring--> caller's thread
 *
 * The io thread alone touches files. It takes new requests from the inbox,
 * finds the medium of each, keys it (sort_key.h), serves the smallest key of
 * every medium in pieces, side by side, and hands each request on: to a worker
 * for its asynchronous callback, then to the done ring, which the caller's
 * thread empties inside spn_update.
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

/* Asynchronous callbacks of some types go to jobs of their own. */
#define IO_LANES_MAX 4u
struct io_lane {
    struct jobs *jobs; /* with room for all reads; NULL: no such lane */
    uint32_t tasks;    /* a bit for each type */
};

/* Who gives blocks of the heap: for what is mounted or loaded, and for reads
 * into it. SPN_NO_MEMORY_NOW: not now; SPN_ERR_MEMORY: never. Caller's thread.
 */
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
    struct io_lane lanes[IO_LANES_MAX]; /* the first that has the type counts */
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
/* Signalled when the io thread has something to do. 0, as it is at first:
 * nobody sleeps. Before any other call. */
void spn__io_set_event(struct io *io, uint64_t event);
/* Of each waiter < wait_count: what a waiting thread sleeps on. */
void spn__io_set_waiter_event(struct io *io, uint32_t waiter, uint64_t event);
/* What spn__io_await_done sleeps on. */
void spn__io_set_done_event(struct io *io, uint64_t event);
/* Size of an open file in bytes, once a read on it has succeeded or failed
 * with a size known; SPN_PENDING before. Caller's thread. */
spn_status spn__io_file_bytes(struct io *io, spn_file file, uint64_t *bytes);
/* The same of what it lies on. */
spn_status spn__io_file_medium(struct io *io, spn_file file,
                               spn_medium *medium);
/* The functions behind spindle/read.h and io_stats.h. */
SPN_NODISCARD spn_status spn__io_file_open(struct io *io, const char *path,
                                           spn_file *out);
spn_status spn__io_file_close(struct io *io, spn_file file);
/* A good type: not 0. Any thread. */
void spn__io_pause(struct io *io, spn_task task, bool is_paused);
/* Where the runtime's other modules tell what they do. Any thread. */
const struct listen *spn__io_listen(const struct io *io);
struct tasks *spn__io_tasks(struct io *io);
struct record *spn__io_record(struct io *io);
/* The caller's thread wants the arrays of the record back. */
void spn__io_end_record(struct io *io);
/* From now on new reads are refused with SPN_ERR_SHUTDOWN and all others end
 * with that status at the next steps, but for those that had ended or were
 * aborted before. Then step (jobs too) and finish until idle. The memory may
 * go only when no other thread is inside a call. */
void spn__io_shutdown(struct io *io);
/* No read is pending and no file is open. Caller's thread. */
bool spn__io_is_idle(const struct io *io);

#endif
