/* engine.h - the state of the I/O engine: the table of requests; the lists
 * and queues that they are in; the media.
 *
 * The path of a read:
 *
 *   free queue --start--> inbox --io thread--> opening --> queue of its medium
 *      ^                    ^                                |          ^
 *      |                    | block of the heap              v          | more
 *      |                    |                          device, unpacking
 *      +-- caller's thread <-- done queue <-- [job] <-- ended <--+
 *
 * The stage of a read (request.h) says where it is and which thread owns it.
 * step.h moves the reads of the io thread from stage to stage. Fields are
 * grouped by the thread that owns them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_ENGINE_H
#define SPN_READ_ENGINE_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/triple_buffer.h"
#include "base/word_queue.h"
#include "observe/guards.h"
#include "observe/listen.h"
#include "observe/read_record.h"
#include "read/files.h"
#include "read/io.h"
#include "read/pak/paks.h"
#include "read/piece.h"
#include "read/read_list.h"
#include "read/request.h"
#include "read/unpacking.h"
#include "schedule/budget.h"
#include "schedule/queue.h"
#include "schedule/read_order.h"
#include "schedule/tasks.h"

#include <spindle/features.h>

struct io_drive;
struct io_report;
struct io_deadline;
struct io_tally;
struct deadline_pool;

/* Signals to the io thread, beside the inbox. */
#define IO_SIGNAL_ABORT 1u
#define IO_SIGNAL_FILES 2u /* a file was closed */
#define IO_SIGNAL_SHUTDOWN 4u
#define IO_SIGNAL_TASKS 8u    /* a task type was paused or resumed */
#define IO_SIGNAL_BUDGET 16u  /* memory was returned to the budget */
#define IO_SIGNAL_STORAGE 32u /* call waiting storage callbacks again */
#define IO_SIGNAL_PAKS 64u    /* a pak was loaded, or has to be unloaded */
#define IO_SIGNAL_RECORD 128u /* the recording of reads has to end */

/* Flag in `pending`: new reads are refused. */
#define IO_IS_SHUT 0x80000000u

/* A place for one thread that sleeps until a read has ended. */
struct io_waiter {
    struct atomic_u32 read; /* handle of that read; 0: the place is free */
    uint64_t event;         /* the event that the thread sleeps on */
};

/* The reads that wait for a medium, or for their files to be opened, in order.
 */
struct request_queue {
    uint32_t active; /* the read at the device, of a run its first; IO_NONE */
    struct queue queue;
    struct read_order order;
};

/* A medium: its queue, and its device. */
struct io_medium {
    bool has_head; /* `head` is known */
    /* The *command* is what the device has now or had last: a piece or a run.
     */
    bool is_run;       /* it is a run */
    bool is_refused;   /* the platform's read_submit returned an error */
    bool is_continued; /* it begins where the previous command ended */
    bool is_cancelled; /* read_cancel was called for it */
    bool is_timed_out; /* it has not come back within timeout_us */
    spn_medium_state notified_state; /* the last state that the listener got */
    spn_status arrived_status;       /* status of the last completion */
    uint32_t arrived_bytes;          /* bytes of the last completion */
    /* Reads, or IO_NONE: */
    uint32_t candidate;     /* the read that is being prepared for the device */
    uint32_t chosen;        /* the read of the command, or the first of a run */
    uint32_t unfinished;    /* read in the queue that had the last command and
                          * needs more pieces: it continues unless another read
                          * is chosen */
    uint32_t tag;           /* of the command, for the platform */
    uint32_t piece_bytes;   /* largest piece of a read that is not compressed */
    uint8_t *staging;       /* PIECE_STAGING_BYTES; NULL: memory needs none */
    struct io_drive *drive; /* profile and forecast; NULL: unknown */
    struct io_deadline *scheduler; /* the deadline scheduler; NULL: reads are
                                    * ordered by the sort key */
    uint64_t head; /* position on the medium of the end of the last command */
    uint64_t piece_start_us;
    uint64_t piece_position; /* position of the command on the medium */
    uint64_t ended_us;       /* when the last command came back */
    uint64_t silent_us;      /* from spn_medium_config; fixed after init */
    uint64_t timeout_us;     /* the same; 0: never */
    struct request_queue requests;
    struct piece piece;
};

/* A read whose on_done callback is running. A callback may complete another
 * read, so they form a list from the innermost to the outermost. */
struct io_completing {
    uint32_t index;
    const struct io_completing *outer;
};

struct io {
    struct listen listen; /* any thread */

    /* fixed after init */
    const spn_platform *platform;
    struct jobs *jobs;
    const struct heap *heap;
    struct io_request *requests;
    struct io_medium *media;       /* SPN_MEDIUM_COUNT; the io thread's */
    struct request_queue *opening; /* READ_OPENING; the io thread's */
    struct deadline_pool *pool;    /* items of the deadline schedulers, one for
                                 * each read */
    struct io_report *report;      /* io thread */
    struct io_tally *tally;        /* caller's thread */
    uint32_t read_count;
    uint32_t piece_bytes; /* largest piece of compressed entries */
    uint64_t event;       /* the event that the io thread sleeps on */
    uint64_t done_event;  /* the event that the caller's thread sleeps on */
    uint32_t waiter_count;
    bool has_loose_files_only;

    /* io thread */
    bool is_stopping;  /* shutdown: all reads end */
    uint32_t last_tag; /* tag of the last command of any medium */
    uint64_t arrivals; /* number of reads so far */
    struct order_clock order_clock;

    /* atomic */
    struct io_waiter *waiters;
    struct atomic_u32 *states;    /* state words, one for each read */
    struct atomic_u32 *open;      /* by task: reads that are not completed */
    struct atomic_u32 is_awaited; /* the caller's thread sleeps */
    struct atomic_u32 signals;    /* IO_SIGNAL_... */
    struct atomic_u32 pending;    /* reads not completed, and retained ones; the
                                   * bit IO_IS_SHUT */
    struct atomic_u32 pending_peak;
    struct atomic_u32 storage_waiter_count; /* of storage_waiters */
    struct atomic_u32 time_group_us; /* length of time groups (read_order.h) */

    /* caller's thread */
    const struct io_report *seen;           /* the latest report of the io
                                             * thread */
    const struct io_completing *completing; /* the innermost; NULL */
    /* List of the retained requests (request.h), linked by io_request.next. */
    uint32_t retained_first;
    uint32_t retained_count;
    struct read_list deferred; /* taken from `done`, not completed yet */

    /* io thread: lists and queues of the reads of one stage each */
    struct read_list paused;          /* READ_PAUSED */
    struct read_list storage_waiters; /* READ_AWAITS_STORAGE */
    struct read_list
        job_waiters; /* READ_AWAITS_ASYNC, until the queue of jobs has
                                       * room */
    struct read_list unverified; /* READ_UNVERIFIED */
    struct queue budget_waiters; /* READ_AWAITS_BUDGET */
    struct queue slot_waiters;   /* READ_AWAITS_SLOT */

    /* owners: see the headers of these modules */
    struct io_lane lanes[IO_LANES_MAX];
    struct io_memory memory;
    struct word_queue free;  /* any thread */
    struct word_queue inbox; /* any thread to io thread */
    struct word_queue done;  /* io thread and workers to caller's thread */
    struct triple_buffer snapshot; /* copies of the report, io thread to
                                    * caller's thread */
    struct paks paks;
    struct guard guard;
    struct files files;
    struct tasks tasks;
    struct record record;
    struct budget budget;
    struct unpack unpack;
};

static inline struct io_drive *io_drive_of(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER ? medium->drive : NULL;
}

static inline struct io_deadline *io_deadline_of(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER ? medium->scheduler : NULL;
}

static inline bool io_is_of_pak(const struct io *io, uint32_t index)
{
    return io_pak_of(&io->requests[index]) != NULL;
}

static inline bool io_has_paks(const struct io *io)
{
    return SPN_WITH_PAKS && io->paks.count > 0;
}

static inline bool io_is_aborted(const struct io *io, uint32_t index)
{
    return (atomic_load_relaxed(&io->states[index]) & STATE_ABORTED) != 0;
}

static inline uint64_t io_now_us(const struct io *io)
{
    return io->platform->now_us(io->platform->user);
}

/* Wake the io thread. Any thread. */
static inline void io_wake(struct io *io)
{
    if (io->event != 0 && io->platform->event_signal)
        io->platform->event_signal(io->platform->user, io->event);
}

/* Signal the io thread: IO_SIGNAL_... Any thread. */
static inline void io_signal(struct io *io, uint32_t what)
{
    /* Pairs with the exchange in the io thread's step. */
    atomic_or_acq_rel(&io->signals, what);
    io_wake(io);
}

/* Wake the caller's thread if it sleeps. Both sides change the word, so that
 * the second one sees what the first one did. Pairs with the exchanges in
 * spn__io_await_done. Any thread. */
static inline void io_wake_caller(struct io *io)
{
    if (atomic_add_acq_rel(&io->is_awaited, 0))
        io->platform->event_signal(io->platform->user, io->done_event);
}

/* Hand a read to the caller's thread. Its stage is READ_COMPLETING or
 * READ_AWAITS_BLOCK. Any thread. */
static inline void io_push_done(struct io *io, uint32_t index)
{
    word_queue_push_sure(&io->done, index);
    io_wake_caller(io);
}

/* Address of byte `offset` of the file of a read on SPN_MEDIUM_MEMORY. io
 * thread. */
static inline const uint8_t *io_memory_at(const struct io *io,
                                          const struct io_request *request,
                                          uint64_t offset)
{
    const struct pak_mount *mount = io_pak_of(request);
    const uint8_t *file;

    if (mount && request->pak.is_in_memory)
        return mount->memory + (offset - mount->memory_start);
    file = spn__files_info(&io->files, request->file)->memory;
    return file + offset;
}

/* Whether the command is a run. */
static inline bool io_is_run(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER && medium->is_run;
}

/* Whether a read was aborted or a shutdown ends it. io thread. */
static inline bool io_is_unwanted(const struct io *io, uint32_t index)
{
    return io->is_stopping || io_is_aborted(io, index);
}

/* Whether its task is paused. */
static inline bool io_is_paused(const struct io *io, uint32_t index)
{
    return spn__tasks_is_paused(&io->tasks, io->requests[index].task);
}

/* Handle of a read in use. */
static inline spn_read io_handle(const struct io *io, uint32_t index)
{
    uint32_t state = atomic_load_relaxed(&io->states[index]);

    return (state & ~READ_INDEX_MASK) | index;
}

#endif
