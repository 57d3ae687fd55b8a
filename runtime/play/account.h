/* account.h - what a cursor was promised, and what is charged to it.
 *
 * A cursor (cursor.h) pays for the memory that it uses and for the work that it
 * started. Frames and reads name the account, so that the modules below the
 * cursors can count without knowing them. A cursor exists until the frames that
 * it launched and the reads that it started have ended. Owner: the caller's
 * thread; the two handles are fixed while the node
 * lives, and jobs read them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_ACCOUNT_H
#define SPN_PLAY_ACCOUNT_H

#include <stdint.h>

struct account {
    uint16_t index;         /* 1 + slot of the node; 0 is nobody */
    uint32_t node;          /* handle of the node */
    uint32_t cache;         /* handle of its cache, as the node knows it */
    uint32_t frame_promise; /* promised pages for frames; 0: no promise yet */
    uint32_t read_promise;  /* promised pages for reads */
    uint32_t frame_pages;   /* charged in this update */
    uint32_t read_pages;    /* charged in this update */
    uint32_t frame_reserve; /* pages that the next launch will need, and the */
    uint32_t read_reserve;  /* next read: not charged for anything else */
    uint32_t owed_pages;    /* of the promises: not charged */
    uint32_t beyond_pages;  /* of the charges: beyond the promises */
    uint32_t running_count; /* frames that it launched and that run */
    uint32_t pending_count; /* reads that it started and that have not ended */
    uint64_t bytes_read;    /* since open */
};

/* A new update: nothing is charged. */
static inline void account_begin(struct account *a)
{
    a->frame_pages = 0;
    a->read_pages = 0;
    a->frame_reserve = 0;
    a->read_reserve = 0;
}

/* Pages of a promise that are not charged yet. */
static inline uint32_t account_unused(uint32_t promise, uint32_t charged)
{
    return promise > charged ? promise - charged : 0;
}

#endif
