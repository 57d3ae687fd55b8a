/* request.h - one read: what was asked for, and what has become of it.
 *
 * Whoever took its index from a ring owns the slot's fields until he
 * puts the index into the next; only its state word is touched by others.
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

/* A read's state word: generation << 16 (odd: in use) | these. */
#define READ_GENERATION_SHIFT 16u
#define READ_INDEX_MASK 0xffffu
#define READ_IN_USE (1u << READ_GENERATION_SHIFT)
#define READ_IS_ENDED 1u   /* set once, by the io thread */
#define READ_IS_ABORTED 2u /* set by any thread, before READ_IS_ENDED only */
#define READ_IS_OVER 4u    /* completed; set once, by the caller's thread */
#define READ_IS_AWAITED 8u /* somebody sleeps until it has ended */
#define READ_IS_HELD 16u   /* good beyond its completion; set at its start */
#define READ_PIN 32u       /* a thread that looks at its result */
#define READ_PINS 0xffe0u

#define IO_NONE UINT32_MAX

/* A piece that failed is tried again this often. */
#define IO_RETRIES 2u

/* What is known of a read of a pak's entry beside its request, which is one of
 * the pak's file: there `offset` and `bytes` are those of what is stored. */
struct io_pak_read {
    /* written by whoever starts the read */
    struct pak_mount *mount; /* held until the completion; NULL: of no pak */
    uint32_t entry;
    spn_status refusal; /* it ends with this one; io thread from then on */
    struct pak_range range;

    /* io thread */
    bool is_in_memory;     /* counted by the mount */
    uint32_t slot;         /* of its next piece, or IO_NONE */
    uint32_t slots_out;    /* with the workers */
    uint32_t next_block;   /* to be read, or where it is stored: verified */
    uint32_t bad_block;    /* the first; IO_NONE */
    uint32_t copies_tried; /* beside the one that is read, */
    uint64_t tried_at;     /* from this byte of what is stored on */
    bool is_ending;        /* when the last slot is back */
    spn_status end_status; /* unless a block is bad */

    spn_fault fault; /* of the bad block */

    /* written when it ends, as the status */
    uint64_t good_bytes; /* from the front of the destination on */
};

struct io_request {
    /* io thread */
    spn_medium medium; /* SPN_MEDIUM_COUNT until its file is open */
    bool is_resolved;
    bool is_alone;      /* a run that it was part of failed */
    bool is_preempted;  /* until its next piece has come back */
    bool lacks_storage; /* it will be asked for, or taken of the heap */
    bool is_lent;       /* to the caller's thread, for that */
    bool has_budget;
    uint8_t failures;              /* in a row */
    uint32_t next;                 /* in the one list that it is in */
    struct atomic_u32 seen_medium; /* the same medium, for all: + 1, or 0 */
    uint32_t budget_units;         /* given back when it is completed */
    uint32_t piece_bytes;   /* up to `fragile_end`, where a piece failed */
    uint32_t record_number; /* of the record that has it */
    uint32_t record_event;  /* 1 + index; 0: none */

    /* written by whoever starts the read */
    spn_task task;
    spn_task_class task_class;
    bool is_public;
    uint32_t file; /* index in the table of files */
    uint32_t flags;
    uint32_t guard_roles; /* its own, or its file's */
    uint32_t heap_unit_bytes;
    spn_storage_callback on_storage;
    spn_read_callback on_async;
    spn_read_callback on_done;
    void *user;
    io_done_fn on_internal;
    void *context;
    uint32_t argument;
    uint64_t offset;
    uint64_t bytes; /* 0: to the end, until it is resolved */
    uint64_t buffer_bytes;
    uint64_t target_start; /* byte of the target that the first one goes to */
    uint64_t deadline_us;
    uint64_t start_us;
    uint64_t thread; /* as the platform names it, while there is a record */
    uint64_t asked_offset; /* in the file or entry; `offset` may move on */
    struct piece_target target;
    struct order_ticket ticket; /* the priority; the rest is the io thread's */

    /* written by who takes the block */
    spn_status block_status;

    /* written when it ends, then read by anyone who pinned it */
    spn_status status;
    uint64_t ended_us;

    /* io thread */
    uint64_t arrival; /* counts reads: its turn among equal keys */
    uint64_t done_bytes;
    uint64_t pending_bytes; /* as reported */
    uint64_t fragile_end;   /* counted as done_bytes */
    struct io_pak_read pak;
};

/* The pak that it is of; NULL: of none. */
static inline struct pak_mount *io_pak_of(const struct io_request *request)
{
    return SPN_WITH_PAKS ? request->pak.mount : NULL;
}

/* May it be read from one of several copies? Not once it was begun. */
static inline bool io_has_choice(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;

    return io_pak_of(request) && pak->range.content.copy_count > 1 &&
           pak->copies_tried == 0 && request->done_bytes == 0;
}

/* When it is to be there: as it says itself, or by itself so long after its
 * start. One that was over by then is due at the start: it is not older than
 * reads that waited before it. */
static inline uint64_t io_due_us(const struct io_request *request,
                                 uint64_t by_itself_us)
{
    if (request->deadline_us == 0)
        return request->start_us + by_itself_us;
    return request->deadline_us > request->start_us ? request->deadline_us
                                                    : request->start_us;
}

/* How pressing it is now. */
static inline uint32_t io_priority(const struct io_request *request)
{
    return request->is_preempted ? SPN_PRIORITY_PREEMPTED
                                 : request->ticket.priority;
}

/* Is it of a compressed entry, which comes in whole blocks? */
static inline bool io_has_blocks(const struct io_request *request)
{
    return io_pak_of(request) && request->pak.range.is_packed;
}

/* What the destination of a read gets. */
static inline uint64_t io_wanted_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.range.bytes : request->bytes;
}

/* No callback says what became of it. */
static inline bool io_is_untold(const struct io_request *request)
{
    return request->is_public && !request->on_async && !request->on_done;
}

/* What it got, once the read has ended. */
static inline uint64_t io_good_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.good_bytes : request->done_bytes;
}

#endif
