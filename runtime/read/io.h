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
#include "read/pak_mount.h"
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
    uint32_t file_count;                /* 1..65535 */
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
/* Of each seat < wait_count: what a waiting thread sleeps on. */
void spn__io_set_seat_event(struct io *io, uint32_t seat, uint64_t event);

/* What spn__io_await_done sleeps on. */
void spn__io_set_done_event(struct io *io, uint64_t event);

/* How an internal read ends: on the caller's thread, inside spn__io_finish. */
struct io_result {
    spn_read read;
    spn_status status;
    uint64_t bytes;
};
typedef void (*io_done_fn)(void *context, uint32_t argument,
                           const struct io_result *result);

/* A read of the runtime's own modules: into a buffer, or scattered over the
 * extents of a heap block (which stays live until the completion). */
struct io_read {
    spn_file file;
    uint64_t offset;
    uint64_t bytes; /* exact; > 0 */
    void *buffer;   /* or NULL: then `block` */
    heap_handle block;
    uint32_t block_offset; /* of the first byte in the block */
    bool is_doubtful;      /* bytes before it were bad: its first page is read
                            * alone, and tried once */
    spn_priority priority;
    spn_task task;
    uint64_t deadline_us;
    io_done_fn on_done;
    void *context;
    uint32_t argument;
};
/* Any thread, with a buffer; into a block, the heap's owner. */
SPN_NODISCARD spn_status spn__io_start(struct io *io,
                                       const struct io_read *read,
                                       spn_read *out);
/* Size of an open file in bytes, once a read on it has succeeded or failed
 * with a size known; SPN_PENDING before. Caller's thread. */
spn_status spn__io_file_bytes(struct io *io, spn_file file, uint64_t *bytes);

/* The same of what it lies on. */
spn_status spn__io_file_medium(struct io *io, spn_file file,
                               spn_medium *medium);

/* What a read of `bytes` takes that begins elsewhere than where the head is: a
 * typical seek, and the transfer at the file's place. False when nothing is
 * known of the drive, or of the file yet. Caller's thread. */
bool spn__io_expect(const struct io *io, spn_file file, uint64_t bytes,
                    uint64_t *us);

/* Does it order the reads that wait for a medium by more than their keys?
 * Caller's thread. */
bool spn__io_has_sweep(const struct io *io, spn_medium medium);

/* What reads of a medium take, as far as the pieces tell that had come back
 * before the last completions were finished. Caller's thread. */
const struct pace *spn__io_pace(const struct io *io, spn_medium medium);

/* The functions behind spindle/read.h and io_stats.h. */
SPN_NODISCARD spn_status spn__io_file_open(struct io *io, const char *path,
                                           spn_file *out);
spn_status spn__io_file_close(struct io *io, spn_file file);
SPN_NODISCARD spn_status spn__io_read_start(struct io *io,
                                            const spn_read_desc *desc,
                                            spn_read *out);
SPN_NODISCARD spn_status spn__io_read_start_batch(struct io *io,
                                                  const spn_read_desc *descs,
                                                  uint32_t count,
                                                  spn_read *out);
spn_status spn__io_abort(struct io *io, spn_read read);
spn_status spn__io_release(struct io *io, spn_read read);
spn_status spn__io_poll(struct io *io, spn_read read);
/* What became of a read: SPN_OK and *out (unless NULL), or SPN_PENDING,
 * SPN_ERR_HANDLE, SPN_FULL. Any thread. */
spn_status spn__io_result(struct io *io, spn_read read, spn_read_result *out);
/* The same, but sleep until there is an answer or the clock has reached
 * `due_us`: SPN_ERR_TIMEOUT. Any thread but the io thread, on a platform with
 * events. */
spn_status spn__io_wait(struct io *io, spn_read read, uint64_t due_us,
                        spn_read_result *out);
/* An entry by name; the same by its index. */
spn_status spn__io_find_entry(const struct io *io, spn_pak pak,
                              const char *name, spn_pak_entry *out);
spn_status spn__io_get_entry(const struct io *io, spn_pak_entry entry,
                             spn_pak_entry_info *out);
spn_status spn__io_count_entries(const struct io *io, spn_pak pak,
                                 uint32_t *out);
void spn__io_get_stats(struct io *io, spn_io_stats *out);
void spn__io_get_medium_stats(struct io *io, spn_medium medium,
                              spn_medium_stats *out);
void spn__io_get_task_stats(struct io *io, spn_task task, spn_task_stats *out);
void spn__io_reset_stats(struct io *io);

/* A wait of a thread that is marked (spindle/guard.h). */
struct io_guarded {
    spn_read read;
    uint32_t roles;
    uint64_t begin_us;
};
/* Before the wait: false when there is nothing to look after. Else wait, judge
 * (with what the wait returned: gives the time before which the thread must not
 * go on, or 0), let time pass, end. Any thread. */
bool spn__io_guard_begin(struct io *io, spn_read read, struct io_guarded *g);
uint64_t spn__io_guard_judge(struct io *io, const struct io_guarded *g,
                             spn_status status);
/* Nothing of the engine may be touched after it. */
void spn__io_guard_end(struct io *io, const struct io_guarded *g);
struct guard *spn__io_guard(struct io *io);
/* Caller's thread. */
spn_status spn__io_guard_file(struct io *io, spn_file file, uint32_t roles);
/* Sleep until the clock says so, if there is a seat to sleep on. The read is
 * pinned. Any thread, on a platform with events. */
void spn__io_sleep(struct io *io, spn_read read, uint64_t due_us);

/* Where the runtime's other modules tell what they do. Any thread. */
const struct listen *spn__io_listen(const struct io *io);

/* A good type: not 0. Any thread. */
void spn__io_pause(struct io *io, spn_task task, bool is_paused);
struct tasks *spn__io_tasks(struct io *io);
struct record *spn__io_record(struct io *io);
/* The caller's thread wants the arrays of the record back. */
void spn__io_end_record(struct io *io);

/* Ask storage callbacks again that said "not now"; if not forced, only when
 * there are any. Any thread. */
void spn__io_ask_again(struct io *io, bool is_forced);

/* io thread: one bounded piece of work: take a request, submit a piece, take
 * a completion, close a file. Returns whether it did something; if not,
 * *due_us is when to call again (UINT64_MAX: when the io event is signalled).
 * Never waits (the platform's calls may). */
bool spn__io_step(struct io *io, uint64_t *due_us);

/* Caller's thread: complete at most `limit` reads that ended. Returns how
 * many were. Callbacks may start and abort reads. */
uint32_t spn__io_finish(struct io *io, uint32_t limit);

/* Caller's thread, to end one read by itself: complete it if it has come to the
 * done ring, and let go of its handle. SPN_OK: it is over, or being completed
 * further up the stack; SPN_PENDING: not yet; SPN_ERR_HANDLE. */
spn_status spn__io_finish_one(struct io *io, spn_read read);
/* Sleep until a read comes to the done ring, or for nothing; with `runs_jobs`
 * also until there is a job, of which spn__io_notify_job tells. Caller's
 * thread, on a platform with events. */
void spn__io_await_done(struct io *io, bool runs_jobs);
void spn__io_notify_job(struct io *io);

/* From now on new reads are refused with SPN_ERR_SHUTDOWN and all others end
 * with that status at the next steps, but for those that had ended or were
 * aborted before. Then step (jobs too) and finish until idle. The memory may
 * go only when no other thread is inside a call. */
void spn__io_shutdown(struct io *io);
/* No read is pending and no file is open. Caller's thread. */
bool spn__io_is_idle(const struct io *io);

#endif
