/* frame_slot.h - the frames of a cache that are in memory, by number.
 *
 * Each frame of an open cache has a *slot*: whether it is decoded, being
 * decoded, or lost. Frames belong to the cache; any number of cursors use them.
 * The numbers are those of the file, without loops, so a loop finds the frames
 * of the one before.
 *
 * The states of a slot, and the functions (spn__frame_slot_*) that change them:
 *
 *     from              function   to
 *     EMPTY             run        RUNNING
 *     RUNNING           finish     READY
 *     RUNNING           withdraw   EMPTY
 *     EMPTY, RUNNING    fail       FAILED
 *     RUNNING           cancel     EMPTY; FAILED, if running frames refer to it
 *     FAILED            unpin      EMPTY, if it was cancelled and this was the
 *                                  last use
 *     READY             free       EMPTY
 *     FAILED            retry      EMPTY
 *     READY, FAILED     clear      EMPTY
 *
 * A frame that is READY stays until its memory is wanted (kept.h). A frame that
 * is lost, because it or a frame to which it refers is damaged or unreadable,
 * is FAILED: the slot remembers it, without memory, until a cursor tries it
 * again (cursor_lost.h).
 *
 * A slot also has the marks of its frame's memory (kept.h). Each update visits
 * the marks of all frames that are needed. In the slots they lie side by side;
 * in the frames, which begin with a page each, they would compete for the same
 * few lines of the processor's cache.
 *
 * The slots lie in chunks of the cache (cache.h), in the heap. Owner: the
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
    struct kept kept; /* of the frame; first, so that one pointer names both */
    struct decoded_frame *frame; /* RUNNING, READY; also FAILED, while running
                                    frames refer to it */
    uint32_t failed_stamp;       /* FAILED: update in which it failed; with
                                    FRAME_REFERENCE alone: in which the last of
                                    its references did. Otherwise with `unread`:
                                    in which the read failed */
    uint8_t state;               /* enum frame_state */
    uint8_t failed;              /* FAILED: why. FRAME_CANCELLED alone: only
                                    until running frames that refer to it have
                                    ended; otherwise bits FRAME_FAULT and
                                    FRAME_REFERENCE (decoded_frame.h) */
    bool is_listed;              /* used by closure.c while it collects */
    int8_t unread; /* why a read did not bring its bytes, while it was READY or
                      ran without them; SPN_OK: it did, or FAILED says so */
};

static inline struct frame_slot *frame_slot_at(const struct cache *c,
                                               uint32_t number)
{
    return &c->slot_chunks[number / CACHE_CHUNK_SLOTS]
                          [number % CACHE_CHUNK_SLOTS];
}

/* Number of the frame to which a frame refers.
 *
 * r  < reference_count of the frame */
static inline uint32_t cache_reference(const struct cache *c, uint32_t number,
                                       uint32_t r)
{
    return (uint32_t)((int64_t)number +
                      cache_frame_at(c, number)->reference[r]);
}

/* The decoded frame; NULL if it is not READY. */
static inline struct decoded_frame *frame_slot_ready(const struct cache *c,
                                                     uint32_t number)
{
    const struct frame_slot *s = frame_slot_at(c, number);

    return s->state == FRAME_READY ? s->frame : NULL;
}

/* False: it may also be FAILED because it was cancelled. */
static inline bool frame_slot_is_lost(const struct frame_slot *s)
{
    return s->state == FRAME_FAILED && s->failed != FRAME_CANCELLED;
}

/* The first frame from `number` on that is not EMPTY; CACHE_NONE: there is
 * none. Groups without one are passed over. */
uint32_t spn__frame_slot_next(const struct cache *c, uint32_t number);

/* Make an allocated frame the one of its slot, which is EMPTY: the frame runs
 * from now on. */
void spn__frame_slot_run(struct decoded_frame *f);
/* Undo spn__frame_slot_run before anything refers to the frame, and free it. */
void spn__frame_slot_withdraw(struct decoded_frame *f);
/* Make a running frame READY: its jobs have ended without an error. */
void spn__frame_slot_finish(struct decoded_frame *f);
/* Make a frame FAILED.
 *
 * failed  bits FRAME_FAULT, FRAME_REFERENCE
 * fault   with FRAME_FAULT: copied to cache.frame_fault; else NULL
 *
 * The memory of a frame that was running is freed now, or by
 * spn__frame_slot_unpin when no running frame refers to it any more. */
void spn__frame_slot_fail(struct cache *c, uint32_t number, uint32_t failed,
                          const spn_fault *fault);
/* A running frame is not wanted any more: it is EMPTY, as soon as no running
 * frame refers to it. Until then it is FAILED (FRAME_CANCELLED). */
void spn__frame_slot_cancel(struct decoded_frame *f);
/* In a cache that plays from memory, new loops try frames again that are lost
 * by the end of this update. */
void spn__frame_slot_allow_retry(struct cache *c);
/* Note that a frame that is FAILED could not be read again, and why: set
 * FRAME_FAULT, and set failed_stamp to this update. */
void spn__frame_slot_renew(struct cache *c, uint32_t number, spn_status status);
/* Note that a frame that is READY, or runs without this read, could not be read
 * again. */
void spn__frame_slot_note_unread(struct cache *c, uint32_t number,
                                 spn_status status);
/* Make a frame FAILED that is EMPTY now, if the read that has its place did not
 * bring its bytes. Returns true if so. */
bool spn__frame_slot_fail_unread(struct cache *c, uint32_t number);
/* Make a frame that is FAILED EMPTY again. Returns false, without effect, while
 * running frames refer to it. */
bool spn__frame_slot_retry(struct cache *c, uint32_t number);
/* Decrement frame.pins: one running frame or job less uses it. Frees it if it
 * is FAILED and nothing uses it any more. */
void spn__frame_slot_unpin(struct decoded_frame *f);
/* Free a READY frame that nothing uses; its slot is EMPTY then. */
void spn__frame_slot_free(struct decoded_frame *f);
/* Make all slots of a cache that are FAILED EMPTY. None of them runs. */
void spn__frame_slot_forget_failed(struct cache *c);
/* Make all slots of a cache EMPTY, and free their frames. None of them runs. */
void spn__frame_slot_clear(struct cache *c);

/* True if slots and frames are consistent, and the numbers of slots that are
 * READY (cache.ready_count, and group_slot.ready_count of each group) and that
 * are not EMPTY (group_slot.settled_count of each group) are right. */
bool spn__frame_slot_check(const struct cache *c);

#endif
