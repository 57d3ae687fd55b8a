/* group_read.h - the read buffers with compressed frames.
 *
 * A read brings whole groups of one cache into one heap block. The buffer
 * stays after the read has ended, until its memory is wanted (kept.h); a
 * running frame pins the buffer of its bytes. group_table.h says which groups a
 * buffer has.
 *
 * A read can fail at one place of the disc, after the io thread has retried and
 * found the bad page. The read then goes on with the first frame behind that
 * page, so that only the frames in it are lost. Each attempt loses at least one
 * frame, so the number of attempts is bounded.
 *
 * The records are one table of the manager, for all caches. Owner: the caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_GROUP_READ_H
#define SPN_PLAY_GROUP_READ_H

#include "base/carve.h"
#include "base/heap.h"
#include "play/account.h"
#include "play/kept.h"
#include "play/promise.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct cache;
struct decoded_frame;
struct io_result;
struct manager;

#define GROUP_READ_BYTES_MAX 0x7fffffffu
#define GROUP_READ_ALIGN 4096u /* reads begin and end at multiples of it */

enum read_state {
    READ_FREE,
    READ_PENDING,
    READ_RETRY, /* failed; to be started again behind the bad place */
    READ_DONE,
    READ_DYING /* aborted; freed by its completion, because the device may
                  still write into the buffer */
};

/* To whom `waiting` of a group_read belongs (arrival.h). */
enum arrival_gate {
    ARRIVAL_EMPTY,   /* the caller; no frame waits, or the caller changes the
                        list */
    ARRIVAL_AWAITED, /* the io thread, when the bytes arrive */
    ARRIVAL_OVER     /* the bytes have arrived: the caller, from the completion
                        on */
};

struct group_read {
    struct kept kept;        /* first, so that one pointer names both */
    struct group_read *next; /* of the free or of the pending ones */
    struct cache *cache;
    struct account *owner; /* of the cursor that started it, until it ends */
    heap_handle block;     /* the buffer */
    spn_read read;         /* while PENDING or DYING */
    uint64_t offset;       /* of the buffer's first byte in the file */
    uint32_t bytes;        /* of the buffer */
    uint32_t start;        /* where in the buffer the current attempt begins */
    uint32_t first_group;  /* numbers of the groups that have bytes in it */
    uint32_t last_group;
    uint32_t start_stamp;          /* update in which it was started */
    uint32_t wanted_stamp;         /* update in which a cursor wanted it last */
    uint16_t pins;                 /* running frames whose bytes it has */
    uint8_t state;                 /* enum read_state */
    uint8_t medium;                /* on which it was started */
    struct atomic_u32 gate;        /* enum arrival_gate */
    struct decoded_frame *waiting; /* running frames that wait for its bytes;
                                      owner: see `gate` */
    spn_priority priority;         /* with which it was started */
};

struct group_reads {
    struct group_read *table;
    uint32_t capacity;
    struct group_read *free;
    struct group_read *pending; /* PENDING, RETRY, DYING */
};

/* Take the table from `carve`. reads == NULL: only count. */
void spn__group_reads_init(struct group_reads *reads, struct carve *carve,
                           uint32_t capacity);

/* What a read is to bring. */
struct group_request {
    struct cache *cache;
    struct account *account;
    enum promise_kind kind; /* on whose account the buffer is */
    uint64_t offset;        /* multiple of GROUP_READ_ALIGN */
    uint32_t bytes;
    uint32_t first_group; /* numbers of the groups that it covers in part */
    uint32_t last_group;
    spn_priority priority;
    uint64_t deadline_us; /* of its first group */
};

/* Allocate the buffer and start the read. Returns SPN_NO_MEMORY_NOW without
 * memory for it; other errors if it cannot start now. */
SPN_NODISCARD spn_status spn__group_read_start(
    const struct group_request *request, struct group_read **out);
/* Hold the buffers of all reads under way, and charge the cursors that started
 * them, whatever was promised. */
void spn__group_reads_hold(struct manager *m);
/* Start the reads again that failed at one place, behind that place.
 * `deadline_us`: of all of them. */
void spn__group_reads_retry(struct manager *m, uint64_t deadline_us);
/* Abort the pending reads that no cursor wanted in this update. */
void spn__group_reads_abort(struct manager *m);
/* Free a DONE read that is not pinned. */
void spn__group_read_free(struct group_read *r);
/* Free all reads of a cache that have ended, and abort the others. Nothing is
 * pinned. */
void spn__group_reads_clear(struct cache *c);

/* True if the records of the table are consistent. */
bool spn__group_reads_check(const struct manager *m);

#endif
