/* request.h - the record of one read, and the stages that it goes through.
 *
 * The engine has a table of these records (engine.h). A start takes a record
 * from the free ring; the completion gives it back. In between exactly one
 * thread owns the record at any time: the one that the stage names. Ownership
 * passes to another thread by a ring or by a job, and the stage is changed
 * before that. Other threads may look at the state word of a read only, and,
 * while they pin it, at the result of a read that has ended.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_REQUEST_H
#define SPN_READ_REQUEST_H

#include "base/atomic.h"
#include "pak/pak_range.h"
#include "read/io_start.h"
#include "read/pak/paks.h"
#include "read/piece.h"
#include "schedule/read_order.h"

#include <spindle/features.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a read is: exactly one stage at any time. Each line has the thread that
 * owns the read there | what it waits for | what ends the stage. An abort does
 * not change the stage: it sets READ_IS_ABORTED, and the owner moves the read
 * to READ_UNPACKING when it sees the bit. So does a shutdown. */
enum read_stage {
    /* none | a start, or the release of its result | a start takes the slot */
    READ_UNUSED,
    /* starting thread, then io thread | the inbox ring | it is taken from it */
    READ_QUEUED,
    /* io thread | its file to be opened | the file is open, or failed */
    READ_OPENING,
    /* io thread | its turn at its medium | the scheduler chose it */
    READ_WAITING,
    /* io thread; the device writes the memory | the device | piece or run came
     * back */
    READ_AT_DEVICE,
    /* io thread | its task type to be resumed | it was resumed */
    READ_PAUSED,
    /* io thread | memory of the budget | it was given some */
    READ_AWAITS_BUDGET,
    /* io thread | its storage callback said "not now" | it is asked again */
    READ_AWAITS_STORAGE,
    /* caller's thread, by the done ring | a block of the heap | the caller's
     * thread took one, or failed, and sent the read back by the inbox */
    READ_AWAITS_BLOCK,
    /* io thread | a slot for compressed blocks | a slot was freed */
    READ_AWAITS_SLOT,
    /* io thread; workers write the memory | blocks that are still with workers,
     * when nothing more is read | the last one is back */
    READ_UNPACKING,
    /* io thread | a slot to verify its last stored blocks | one was freed */
    READ_UNVERIFIED,
    /* io thread, then a worker | the result stands: room in the table of jobs,
     * then its asynchronous callback | that returned, or there is none */
    READ_ENDED,
    /* caller's thread, by the done ring | spn_update | the last callback
     * returned */
    READ_COMPLETING,
    READ_STAGE_COUNT
};

/* A read's state word: generation << 16 (odd: in use) | these. */
#define READ_GENERATION_SHIFT 16u
#define READ_INDEX_MASK 0xffffu
#define READ_IN_USE (1u << READ_GENERATION_SHIFT)
#define READ_IS_ENDED 1u   /* the result stands; set once, by the io thread */
#define READ_IS_ABORTED 2u /* set by any thread, before READ_IS_ENDED only */
#define READ_IS_OVER 4u    /* completed; set once, by the caller's thread */
#define READ_IS_AWAITED 8u /* a thread sleeps until it has ended */
#define READ_IS_HELD 16u   /* result kept after completion; set at the start */
#define READ_PIN 32u       /* one thread that looks at its result */
#define READ_PINS 0xffe0u  /* count of such threads */

/* No read, no slot, no block. */
#define IO_NONE UINT32_MAX

/* How often a piece that failed is read again at the same size. */
#define IO_RETRIES 2u

/* A read of a pak's entry. The request itself is one of the pak's file: there
 * `offset` and `bytes` count stored bytes. */
struct io_pak_read {
    /* written by the starting thread */
    struct pak_mount *mount; /* held until the completion; NULL: no pak */
    uint32_t entry;          /* index in the pak */
    spn_status refusal;      /* what it ends with although its bytes arrived;
                              * io thread after the start */
    struct pak_range range;

    /* io thread */
    bool is_in_memory;     /* served from the loaded pak, which counts it */
    uint32_t slot;         /* of its next piece; IO_NONE: none yet */
    uint32_t slots_out;    /* slots that are with the workers */
    uint32_t next_block;   /* the first that was not given to workers yet: to be
                            * read, or of a stored entry to be verified */
    uint32_t bad_block;    /* the first bad one; IO_NONE */
    uint32_t copies_tried; /* other copies that were bad, too, ... */
    uint64_t tried_at;     /* ... from this stored byte on */

    spn_fault fault; /* of the bad block */

    /* written when it ends, before READ_IS_ENDED */
    uint64_t good_bytes; /* from the front of the destination on */
};

struct io_request {
    /* the owner; changed by spn__read_set_stage alone */
    enum read_stage stage;

    /* io thread */
    spn_medium medium;   /* SPN_MEDIUM_COUNT until its file is open */
    bool is_resolved;    /* offset and bytes were checked against the file */
    bool is_alone;       /* a run that had it failed: no run takes it again */
    bool has_budget;     /* `budget_units` are given back at the completion */
    bool is_interrupted; /* an urgent read came before its next piece: that one
                          * has SPN_PRIORITY_PREEMPTED */
    uint8_t failures;    /* of pieces, in a row */
    uint32_t next;       /* in the read_list of its stage */
    struct atomic_u32 seen_medium; /* medium + 1, for all threads; 0: unknown */
    uint32_t budget_units;
    uint32_t piece_bytes;   /* largest piece up to `fragile_end` */
    uint32_t record_number; /* of the record that has it */
    uint32_t record_event;  /* 1 + index; 0: none */

    /* written by the starting thread */
    spn_task task;
    spn_task_class task_class;
    bool is_public;       /* of the game; false: of the runtime */
    uint32_t file;        /* index in the table of files */
    uint32_t flags;       /* SPN_READ_... */
    uint32_t guard_roles; /* of the read, or of its file */
    uint32_t heap_unit_bytes;
    spn_storage_callback on_storage;
    spn_read_callback on_async;
    spn_read_callback on_done;
    void *user;
    io_done_fn on_internal; /* of a read of the runtime, with these two */
    void *context;
    uint32_t argument;
    uint64_t offset; /* in the file; of the copy that is read */
    uint64_t bytes;  /* 0: to the end of the file, until it is resolved */
    uint64_t buffer_bytes;
    uint64_t target_start; /* byte of the target that the first one goes to */
    uint64_t deadline_us;  /* 0: none */
    uint64_t start_us;
    uint64_t thread;            /* that started it, while reads are recorded */
    uint64_t asked_offset;      /* as the starting thread gave it */
    struct piece_target target; /* no memory yet: see read_has_memory */
    struct order_ticket ticket; /* the priority; the rest is the io thread's */

    /* in READ_AWAITS_BLOCK: how the caller's thread got the block */
    spn_status block_status;

    /* io thread; for whoever pins it, once READ_IS_ENDED is set */
    spn_status status;
    uint64_t ended_us;

    /* io thread */
    uint64_t arrival;       /* counts reads: breaks ties between equal keys */
    uint64_t done_bytes;    /* stored bytes that have arrived */
    uint64_t pending_bytes; /* still to come, as last reported */
    uint64_t fragile_end;   /* small pieces up to this one of done_bytes */
    struct io_pak_read pak;
};

/* Is the step from one stage to another legal? */
bool spn__read_may_move(enum read_stage from, enum read_stage to);

/* Change the stage: the only place that does. Asserts that the step is legal.
 * The owner of the read. */
void spn__read_set_stage(struct io_request *request, enum read_stage next);

/* The read ends with `status` when all its blocks are back from the workers.
 * Returns the stage where it waits for them. io thread. */
static inline enum read_stage read_end(struct io_request *request,
                                       spn_status status)
{
    request->status = status;
    return READ_UNPACKING;
}

/* Has it memory for its bytes? Otherwise its storage callback is asked for it,
 * or a block of the heap is taken, before its first piece. */
static inline bool read_has_memory(const struct io_request *request)
{
    return request->target.buffer || request->target.extents ||
           request->target.block;
}

/* The mount of its pak; NULL: it is of no pak. */
static inline struct pak_mount *io_pak_of(const struct io_request *request)
{
    return SPN_WITH_PAKS ? request->pak.mount : NULL;
}

/* Has its entry several copies, of which none was begun? */
static inline bool io_has_choice(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;

    return io_pak_of(request) && pak->range.content.copy_count > 1 &&
           pak->copies_tried == 0 && request->done_bytes == 0;
}

/* When it is due: at its deadline, or without one `by_itself_us` after its
 * start. A deadline before the start counts as the start, so that the read does
 * not pass reads that started earlier. */
static inline uint64_t io_due_us(const struct io_request *request,
                                 uint64_t by_itself_us)
{
    if (request->deadline_us == 0)
        return request->start_us + by_itself_us;
    return request->deadline_us > request->start_us ? request->deadline_us
                                                    : request->start_us;
}

/* The priority that counts now. */
static inline uint32_t io_priority(const struct io_request *request)
{
    return request->is_interrupted ? SPN_PRIORITY_PREEMPTED
                                   : request->ticket.priority;
}

/* Is it of a compressed entry, which is read in whole blocks? */
static inline bool io_has_blocks(const struct io_request *request)
{
    return io_pak_of(request) && request->pak.range.is_packed;
}

/* Bytes that its destination gets. */
static inline uint64_t io_wanted_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.range.bytes : request->bytes;
}

/* Is its result told by no callback? */
static inline bool io_has_no_callback(const struct io_request *request)
{
    return request->is_public && !request->on_async && !request->on_done;
}

/* Good bytes at its destination, once it has ended. */
static inline uint64_t io_good_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.good_bytes : request->done_bytes;
}

#endif
