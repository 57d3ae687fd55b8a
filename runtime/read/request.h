/* request.h - the request of a read: the record of one asynchronous read, and
 * the stages that it passes through.
 *
 * The engine has a table of requests (engine.h). Starting a read takes a
 * request from the queue of free ones. After the completion the request returns
 * to that queue, as soon as no thread may access its result any more. In
 * between one thread owns the request at any time: the thread that its stage
 * names. The stage is changed before the request is handed to another thread by
 * a queue or by a job. Other threads may use only the state word of the read,
 * and its result after they have pinned the read (io_wait.h).
 *
 * Terms
 *
 *   ended            the result of the read is final
 *   completed        the last callback of the read has returned; this is later
 *                    than the end
 *   state word       flags, pins and generation of a read, in one atomic word
 *                    (state_word.h, which also defines held and pinned)
 *   retained         the read is completed, but held or pinned: its request is
 *                    not in the queue of free ones yet
 *   starting thread  the thread that starts the read
 *   caller's thread  the thread that calls spn_update
 *   inbox, done queue  queues of requests to the io and to the caller's thread
 *   task         the task type of a read (spn_task); a game can pause a task
 *   budget       limit for the memory of reads that are started without a
 *                buffer: they get it from a storage callback or as a block of
 *                the heap (spn_config.read_budget_bytes). A read takes its
 *                bytes from the budget before it gets the memory, and returns
 *                them at the completion
 *   piece        the part of a read that is one command of the device
 *   run          one command that has pieces of several reads (run.h)
 *   stored bytes  the bytes of a pak's entry as they are in the pak's file,
 *                compressed or not
 *   plain entry  an entry that is not compressed
 *   copy         stored bytes of an entry at one place of the pak's file; an
 *                entry can have several copies, and a read continues with
 *                another copy if one is bad
 *   block        64 KiB of a pak's entry, the unit of compression and of
 *                checksums (pak/pak_index.h). A *block of the heap* is another
 *                thing: an allocation (base/heap.h)
 *   slot         a record, and usually a buffer, for consecutive blocks that
 *                workers decode or verify (unpacking.h). There are few slots
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_REQUEST_H
#define SPN_READ_REQUEST_H

#include "base/atomic.h"
#include "pak/pak_range.h"
#include "read/io_start.h"
#include "read/pak/paks.h"
#include "read/piece.h"
#include "read/state_word.h"
#include "schedule/read_order.h"

#include <spindle/features.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* The stage of a read. request.c has the table of all allowed changes. The
 * changes of a read that succeeds:
 *
 *   QUEUED > OPENING > WAITING > AT_DEVICE > DRAINING > AWAITS_ASYNC >
 *   COMPLETING
 *
 *   WAITING > PAUSED or AWAITS_(BUDGET, STORAGE, BLOCK or SLOT) > OPENING
 *                           it had to wait for something else than the device
 *   AWAITS_BLOCK > AWAITS_STORAGE > OPENING     the heap had no room
 *   AT_DEVICE > WAITING                         it needs another piece
 *   DRAINING > UNVERIFIED > DRAINING            blocks are verified
 *   DRAINING > OPENING                          it continues with another copy
 *
 * A read that had to wait returns to a queue through OPENING, which finds its
 * medium again: it is that of its file, or memory if its pak was loaded into
 * memory meanwhile. OPENING is left at once if the medium is known.
 *
 *   stage           owner       the read waits until
 *   UNUSED          -           a start takes the request from the free queue
 *   QUEUED          io (1)      the io thread takes it from the inbox
 *   OPENING         io          its file is open, or could not be opened
 *   WAITING         io          the scheduler of its medium chooses it; then it
 *                               gets memory and a slot, or waits for them
 *   AT_DEVICE       io          the piece or run has come back; the device
 *                               writes the memory of the read
 *   PAUSED          io          its task is resumed
 *   AWAITS_BUDGET   io          the budget has memory for it
 *   AWAITS_STORAGE  io          its memory is requested again: its storage
 *                               callback has returned SPN_NO_MEMORY_NOW, or the
 *                               heap had no room for its block
 *   AWAITS_BLOCK    caller (2)  the caller's thread has allocated a block of
 *                               the heap, or failed
 *   AWAITS_SLOT     io          a slot for compressed blocks is free
 *   DRAINING        io          the workers have returned all its blocks; every
 *                               read passes here, usually without waiting
 *   UNVERIFIED      io          a slot is free to verify the plain blocks that
 *                               are left: blocks are verified as they arrive,
 *                               but only while slots are free
 *   AWAITS_ASYNC    io, worker  its asynchronous callback has returned (3); the
 *                               read has ended
 *   COMPLETING      caller (4)  its last callback has returned
 *
 *   (1) the starting thread until the request is in the inbox
 *   (2) the request goes to the caller's thread by the done queue, and returns
 *       to the io thread by the inbox
 *   (3) the io thread owns the read until the queue of jobs has room; then the
 *       worker that runs the callback. Reads without such a callback do not
 *       wait
 *   (4) the request goes to the caller's thread by the done queue, and from
 *       there to the queue of free ones
 *
 * An abort does not change the stage: it sets STATE_ABORTED, and the owner
 * moves the read to READ_DRAINING when it notices the flag. A shutdown works in
 * the same way. */
enum read_stage {
    READ_UNUSED,
    READ_QUEUED,
    READ_OPENING,
    READ_WAITING,
    READ_AT_DEVICE,
    READ_PAUSED,
    READ_AWAITS_BUDGET,
    READ_AWAITS_STORAGE,
    READ_AWAITS_BLOCK,
    READ_AWAITS_SLOT,
    READ_DRAINING,
    READ_UNVERIFIED,
    READ_AWAITS_ASYNC,
    READ_COMPLETING,
    READ_STAGE_COUNT
};

/* As an index: no read, no slot, no block. */
#define IO_NONE UINT32_MAX

/* How often a failed piece is repeated at the same size. */
#define IO_RETRIES 2u

/* The part of a request that only reads of a pak's entry have. The fields of
 * io_request describe the read of the pak's file: `offset` and `bytes` there
 * count stored bytes. */
struct io_pak_read {
    /* written by the starting thread */
    struct pak_mount *mount; /* NULL: no pak. It is not unmounted before the
                              * completion */
    uint32_t entry;          /* index in the pak */
    struct pak_range range;  /* the bytes of the entry that are read, and their
                              * stored bytes (pak_range.h) */

    /* written by the starting thread, after the start by the io thread */
    /* An error of the entry, not of the device, with which the read ends;
     * SPN_OK: none. The starting thread finds a range outside of the entry and
     * a codec that is not registered; then nothing is read. The io thread
     * copies the error of a block from the results of the workers; if the read
     * continues with another copy, it becomes SPN_OK again. */
    spn_status refusal;

    /* io thread */
    bool is_in_memory;     /* it is served from the loaded pak, and counts as a
                            * user of the pak's memory */
    uint32_t slot;         /* for its next piece; IO_NONE: none yet */
    uint32_t slots_out;    /* slots that the workers have */
    uint32_t next_block;   /* the first block that was not given to workers yet:
                            * to decode it, or to verify it in a plain entry */
    uint32_t bad_block;    /* the first bad block; IO_NONE: none */
    uint32_t copies_tried; /* copies that failed at `failed_offset` */
    /* First byte that the last bad copy could not deliver: offset from the
     * first stored byte of the read. */
    uint64_t failed_offset;

    spn_fault fault; /* of the bad block */

    /* written by the io thread, before it sets STATE_ENDED */
    uint64_t good_bytes; /* valid bytes at the front of the destination */
};

/* The starting thread initializes all fields. Then they are owned as the
 * headings say. */
struct io_request {
    /* owner of the request; written by spn__read_set_stage only */
    enum read_stage stage;

    /* io thread */
    spn_medium medium;   /* SPN_MEDIUM_COUNT until its file is open */
    bool is_resolved;    /* offset and bytes were checked against the file */
    bool is_alone;       /* a run with this read failed: it is not put into runs
                          * any more */
    bool has_budget;     /* `budget_units` are returned at the completion */
    bool is_interrupted; /* an urgent read was served between two pieces of this
                          * read: its priority is SPN_PRIORITY_PREEMPTED until
                          * its next piece has come back. A fact, not a stage:
                          * it only raises the priority by which that piece is
                          * sorted, and stays true in all stages until then */
    uint8_t failures;    /* consecutive failures of its current piece */
    uint32_t next;       /* next element of the read_list of its stage */
    struct atomic_u32 shared_medium; /* copy of `medium` for all threads:
                                      * medium + 1; 0: not known yet */
    uint32_t budget_units;           /* of BUDGET_UNIT_BYTES */
    uint32_t piece_bytes;            /* largest piece while done_bytes is below
                            * small_pieces_end */
    /* Its event in a recording (record.h): number of the recording, and 1 +
     * index of the event; 0: none. */
    uint32_t recording_number;
    uint32_t recording_event;

    /* written by the starting thread, then fixed */
    spn_task task;
    spn_task_class task_class;
    bool is_public; /* described by a spn_read_desc; false: by an io_read */
    bool is_own;    /* started by the runtime: observers do not see `user` */
    uint32_t file;  /* index in the table of files */
    uint32_t flags; /* SPN_READ_... */
    /* Roles of threads that must not wait for the read (spindle/guard.h): of
     * its description; if these are 0, of its file. */
    uint32_t guard_roles;
    uint32_t heap_unit_bytes; /* contiguous bytes of its heap block, as for
                               * spn__heap_alloc (base/heap.h) */
    spn_storage_callback on_storage;
    spn_read_callback on_async;
    spn_read_callback on_done;
    void *user;
    io_done_fn on_internal;            /* of io_read, with its arguments, */
    void (*on_arrival)(void *context); /* and this one */
    void *context;
    uint32_t argument;
    uint64_t buffer_bytes;
    uint64_t target_start; /* where the read's first byte goes: a target offset
                            * (piece.h); > 0 only in a block of the heap */
    uint64_t deadline_us;  /* 0: none */
    uint64_t start_us;
    uint64_t thread;           /* identity of the starting thread, while reads
                                 * are recorded */
    uint64_t requested_offset; /* of the first byte, as the starting thread
                                 * gave it: in the file, or in the entry of the
                                 * pak; for reports */

    /* written by the starting thread, after the start by the io thread */
    uint64_t offset; /* in the file, of the copy that is read; changes with the
                      * copy */
    uint64_t bytes;  /* number of bytes to read from there. 0: to the end of the
                      * file; replaced by the number when it is resolved */
    struct order_ticket ticket; /* its place in the order by sort key
                                 * (schedule/read_order.h). The starting thread
                                 * writes the priority, the io thread the other
                                 * fields */
    struct piece_target target; /* destination; may have no memory yet
                                 * (read_has_memory). In READ_AWAITS_BLOCK the
                                 * caller's thread sets target.block */

    /* written by the caller's thread in READ_AWAITS_BLOCK: result of the
     * allocation */
    spn_status block_status;

    /* io thread; after STATE_ENDED for all threads that have pinned it */
    spn_status status;
    uint64_t ended_us;

    /* io thread */
    uint64_t arrival;          /* number of the read in the order of arrival.
                                * Of reads with equal sort keys the smallest
                                * number is served first */
    uint64_t done_bytes;       /* stored bytes that have arrived */
    uint64_t pending_bytes;    /* its part of spn_task_stats.pending_bytes */
    uint64_t small_pieces_end; /* after a failure the read continues in small
                                * pieces up to this value of done_bytes */
    struct io_pak_read pak;
};

/* Return whether a read may go from one stage to another. */
bool spn__read_may_move(enum read_stage from, enum read_stage to);

/* Change the stage. All changes are made here; asserts spn__read_may_move.
 * Thread: the owner of the request. */
void spn__read_set_stage(struct io_request *request, enum read_stage next);

/* Decide that the read needs nothing more from the device: it will end with
 * `status`. Returns READ_DRAINING, the next stage, in which it waits for the
 * blocks that the workers still have. io thread. */
static inline enum read_stage read_drain(struct io_request *request,
                                         spn_status status)
{
    request->status = status;
    return READ_DRAINING;
}

/* Whether it has memory for its bytes. Otherwise the storage callback provides
 * it, or a block of the heap is allocated, before the first piece. */
static inline bool read_has_memory(const struct io_request *request)
{
    return request->target.buffer || request->target.extents ||
           request->target.block;
}

/* The mount of its pak, or NULL. */
static inline struct pak_mount *io_pak_of(const struct io_request *request)
{
    return SPN_WITH_PAKS ? request->pak.mount : NULL;
}

/* Whether its entry has several copies and none of them was begun. */
static inline bool io_has_choice(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;

    return io_pak_of(request) && pak->range.content.copy_count > 1 &&
           pak->copies_tried == 0 && request->done_bytes == 0;
}

/* When it is due: at its deadline; without a deadline default_us after its
 * start. A deadline before the start counts as the start, so that the read does
 * not overtake reads that started earlier. */
static inline uint64_t io_due_us(const struct io_request *request,
                                 uint64_t default_us)
{
    if (request->deadline_us == 0)
        return request->start_us + default_us;
    return request->deadline_us > request->start_us ? request->deadline_us
                                                    : request->start_us;
}

/* Its priority now. */
static inline uint32_t io_priority(const struct io_request *request)
{
    return request->is_interrupted ? SPN_PRIORITY_PREEMPTED
                                   : request->ticket.priority;
}

/* Whether it reads a compressed entry, of which only whole blocks are read. */
static inline bool io_is_packed(const struct io_request *request)
{
    return io_pak_of(request) && request->pak.range.is_packed;
}

/* Whether it is a read of the game without callbacks. */
static inline bool io_has_no_callback(const struct io_request *request)
{
    return request->is_public && !request->on_async && !request->on_done;
}

/* Valid bytes at the front of its destination, after it has ended. */
static inline uint64_t io_good_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.good_bytes : request->done_bytes;
}

#endif
