/* frame_slot.h - the frames of a cache that are in memory, by number.
 *
 * Each frame of an open cache has a *slot*: whether it is decoded, being
 * decoded, or lost. Frames belong to the cache; any number of cursors use them.
 * The numbers are those of the file, without loops, so a loop finds the frames
 * of the one before.
 *
 * A frame that is READY stays until its memory is wanted (kept.h). A frame that
 * is lost, because it or a frame to which it refers is damaged or unreadable,
 * is FAILED: the slot remembers it, without memory, until a cursor tries it
 * again (spn__frame_slot_retry).
 *
 * The slots lie in heap chunks of the cache, beside its frame table. Owner: the
 * caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_FRAME_SLOT_H
#define SPN_PLAY_FRAME_SLOT_H

#include "play/cache.h"
#include "play/decoded_frame.h"

#include <stdbool.h>
#include <stdint.h>

enum frame_state {
    FRAME_EMPTY,   /* not decoded */
    FRAME_RUNNING, /* was launched (launch.h) */
    FRAME_READY,
    FRAME_FAILED
};

struct frame_slot {
    struct decoded_frame *frame; /* RUNNING, READY; also FAILED, while running
                                    frames refer to it */
    uint32_t failed_stamp;       /* FAILED: update in which it failed */
    uint8_t state;               /* enum frame_state */
    uint8_t failed;              /* FRAME_FAULT, FRAME_REFERENCE */
    bool is_listed;              /* used by closure.c while it collects */
};

static inline struct frame_slot *frame_slot_at(const struct cache *c,
                                               uint32_t number)
{
    return &c->slot_chunks[number / CACHE_CHUNK_SLOTS]
                          [number % CACHE_CHUNK_SLOTS];
}

/* The decoded frame; NULL if it is not READY. */
static inline struct decoded_frame *frame_slot_ready(const struct cache *c,
                                                     uint32_t number)
{
    const struct frame_slot *s = frame_slot_at(c, number);

    return s->state == FRAME_READY ? s->frame : NULL;
}

/* An allocated frame begins to run. The slot is EMPTY. */
void spn__frame_slot_run(struct decoded_frame *f);
/* Undo that, before anything refers to the frame: it is freed. */
void spn__frame_slot_withdraw(struct decoded_frame *f);
/* A running frame is decoded. */
void spn__frame_slot_finish(struct decoded_frame *f);
/* A frame is lost.
 *
 * failed  FRAME_FAULT, FRAME_REFERENCE
 * fault   for FRAME_FAULT: kept as cache.frame_fault; else NULL
 *
 * If it was running and nothing refers to it, its memory is freed. */
void spn__frame_slot_fail(struct cache *c, uint32_t number, uint32_t failed,
                          const spn_fault *fault);
/* A frame that is FAILED was lost anew, by a fault. */
void spn__frame_slot_renew(struct cache *c, uint32_t number);
/* A frame that is FAILED is EMPTY again. Returns false, without effect, while
 * running frames refer to it. */
bool spn__frame_slot_retry(struct cache *c, uint32_t number);
/* One running frame less refers to it. */
void spn__frame_slot_unpin(struct decoded_frame *f);
/* Free a READY frame that nothing refers to. */
void spn__frame_slot_free(struct decoded_frame *f);
/* Free all frames of a cache; none of them runs. */
void spn__frame_slot_clear(struct cache *c);

/* True if slots, frames and the counts of groups agree. */
bool spn__frame_slot_check(const struct cache *c);

#endif
