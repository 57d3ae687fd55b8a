/* engine.h - the stream engine's tables, lists and media.
 *
 * A slot of the table of reads goes round:
 *
 *   free ring --start--> inbox --io thread--> [unopened] --> line of its medium
 *      ^                                                         |     ^
 *      |                                                         v     |
 *      +-- finish <-- done ring <-- [job] <-- ended <---------- device-+
 *
 * and out of its line aside, while its type is paused or it has no memory. One
 * into the heap, whose owner is the caller's thread, goes there for its block:
 * by the done ring, not ended, and back by the inbox.
 *
 * Whoever took its index from a ring owns the slot's fields until he
 * puts the index into the next; only its state word is touched by others.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_ENGINE_H
#define SPN_READ_ENGINE_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/mailbox.h"
#include "base/ring.h"
#include "observe/guards.h"
#include "observe/listen.h"
#include "observe/read_record.h"
#include "read/files.h"
#include "read/io.h"
#include "read/pak/paks.h"
#include "read/piece.h"
#include "read/request.h"
#include "read/unpacking.h"
#include "schedule/budget.h"
#include "schedule/queue.h"
#include "schedule/read_order.h"
#include "schedule/tasks.h"

#include <spindle/features.h>

struct io_drive;
struct io_report;
struct io_sweep;
struct io_tally;
struct sweep_pool;

/* What the io thread is told beside the inbox. */
#define IO_HEED_ABORT 1u
#define IO_HEED_FILES 2u
#define IO_HEED_SHUTDOWN 4u
#define IO_HEED_TASKS 8u    /* a type was paused or resumed */
#define IO_HEED_BUDGET 16u  /* memory came back to the budget */
#define IO_HEED_STORAGE 32u /* ask again those who said "not now" */
#define IO_HEED_PAKS 64u    /* one was loaded, or shall be unloaded */
#define IO_HEED_RECORD 128u /* it shall end */

/* The word that counts reads started and not completed. */
#define IO_IS_SHUT 0x80000000u

/* A thread that sleeps until a read has ended. */
struct io_seat {
    struct atomic_u32 read; /* its handle; 0: the seat is free */
    uint64_t event;
};

/* Reads in a row, linked by `next`. */
struct io_list {
    uint32_t first;
    uint32_t last;
    uint32_t count;
};

/* Reads that wait, and their order. */
struct io_line {
    uint32_t active; /* read at the device */
    struct queue queue;
    struct read_order order;
};

/* A medium: who waits for it, and what it is doing. */
struct io_medium {
    bool has_head;
    bool is_continued; /* the piece begins where the last one ended */
    bool is_cancelled; /* the device was asked to end the piece early */
    bool is_timed_out; /* and has not given it back */
    spn_medium_state told_state;
    uint32_t resting; /* unfinished read whose piece was the last served */
    uint32_t tag;
    uint32_t piece_bytes; /* of what is not compressed */
    uint8_t *staging;
    struct io_drive *drive; /* NULL: not known */
    struct io_sweep *sweep; /* NULL: the sort key is its order */
    uint64_t head;          /* on the medium, behind the last piece */
    uint64_t piece_start_us;
    uint64_t piece_position; /* on the medium */
    uint64_t ended_us;       /* when the last piece came back */
    uint64_t silent_us;      /* fixed after init, both; 0: never */
    uint64_t timeout_us;
    struct io_line line;
    struct piece piece;
};

/* A read whose main-thread callback runs, on the stack of complete(). */
struct io_completing {
    uint32_t index;
    const struct io_completing *outer; /* that callback ended this one */
};

struct io {
    struct listen listen; /* see there */

    /* fixed after init */
    const spn_platform *platform;
    struct jobs *jobs;
    const struct heap *heap;
    struct io_request *requests;
    struct io_medium *media;  /* SPN_MEDIUM_COUNT; the io thread's */
    struct io_line *unopened; /* reads whose file is not open yet; the same */
    struct sweep_pool *pool;  /* of all reads, where there is a sweep */
    struct io_report *report; /* io thread */
    struct io_tally *tally;   /* caller's thread */
    uint32_t read_count;
    uint32_t piece_bytes; /* of what is compressed */
    uint64_t event;
    uint64_t done_event; /* what the caller's thread sleeps on */
    uint32_t seat_count;
    bool has_loose_files_only;

    /* io thread */
    bool is_stopping;
    uint32_t last_tag;
    uint64_t arrivals;

    /* atomic */
    struct io_seat *seats;
    struct atomic_u32 *states;    /* one for each read */
    struct atomic_u32 *open;      /* reads of each type, not completed */
    struct atomic_u32 is_awaited; /* the caller's thread sleeps */
    struct atomic_u32 heed;
    struct atomic_u32 pending; /* | IO_IS_SHUT */
    struct atomic_u32 pending_peak;
    struct atomic_u32 refused_count;

    /* caller's thread */
    const struct io_report *seen;           /* the latest */
    const struct io_completing *completing; /* the innermost */
    uint32_t kept_first; /* completed, but not in the free ring yet */
    uint32_t kept_count;
    struct io_list put_off; /* taken from the done ring, not completed */

    /* io thread */
    struct io_list parked;     /* their type is paused */
    struct io_list refused;    /* their storage said "not now" */
    struct io_list waiting;    /* ended, but the table of jobs was full */
    struct io_list unverified; /* ending, but no slot was free */
    struct queue hungry;       /* the budget is used up */

    /* as each of them says */
    struct io_lane lanes[IO_LANES_MAX];
    struct io_memory memory;
    struct ring free;
    struct ring inbox;
    struct ring done;
    struct mailbox mailbox; /* io_report, io thread to caller's */
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

static inline struct io_sweep *io_sweep_of(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER ? medium->sweep : NULL;
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
    return (atomic_load_relaxed(&io->states[index]) & READ_IS_ABORTED) != 0;
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

/* Tell the io thread something beside the inbox. Any thread. */
static inline void io_tell(struct io *io, uint32_t what)
{
    /* Pairs with the exchange in the io thread's step. */
    atomic_or_acq_rel(&io->heed, what);
    io_wake(io);
}

/* Into a ring that has room for all indices. */
static inline void io_push_sure(struct ring *ring, uint32_t index)
{
    bool has_room = spn__ring_push(ring, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

/* There is something for the caller's thread. Both sides change the word:
 * whoever comes second sees what the first one did. Pairs with the exchanges in
 * spn__io_await_done. Any thread. */
static inline void io_wake_caller(struct io *io)
{
    if (atomic_add_acq_rel(&io->is_awaited, 0))
        io->platform->event_signal(io->platform->user, io->done_event);
}

/* To the caller's thread: it has ended, or wants its block. Any thread. */
static inline void io_push_done(struct io *io, uint32_t index)
{
    io_push_sure(&io->done, index);
    io_wake_caller(io);
}

/* Byte `offset` of the file of a read whose medium is memory. io thread. */
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

/* Handle of a slot in use. */
static inline spn_read io_handle(const struct io *io, uint32_t index)
{
    uint32_t state = atomic_load_relaxed(&io->states[index]);

    return (state & ~READ_INDEX_MASK) | index;
}

#endif
