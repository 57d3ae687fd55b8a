/* kept.h - memory that is kept until somebody else wants it.
 *
 * Decoded frames and read buffers stay in the heap after their use, so that a
 * loop, a step back or another node finds them. This module decides which of
 * them may be freed, and which first. It knows nothing about frames and reads.
 * Each has a struct kept: a read in its record, a frame in its slot
 * (frame_slot.h).
 *
 * At each update every cursor (cursor.h) *needs* the memory that it will use
 * soon, and *holds* the part of it that lies within its promise (promise.h).
 * Both are marks that are valid until the next update:
 *
 *   held    never freed
 *   needed  freed only for an allocation within another cursor's promise, the
 *           one with the farthest deadline first
 *   idle    neither: freed whenever memory is wanted, decoded frames before
 *           read buffers, and of each kind the one that was needed least
 *           recently. A decoded frame occupies several times the memory of its
 *           compressed bytes, and can be decoded again from them without the
 *           device
 *
 * A frame of a cache that plays from memory is *lasting* (node/memory_play.h):
 * it counts as needed at every update, but is freed only when no other needed
 * memory can be, and of these frames the one that was passed last.
 *
 * What may be freed is in one of three lists: lasting frames, and other memory
 * by kind. Memory that a job or the
 * device uses is in none (kept_list); its user holds it at each update. Threads
 * that read memory which is in a list count themselves in `readers`; such
 * memory is not freed.
 *
 * A mark does not move an entry in its list: it costs one store. An entry at
 * the front that was needed since it was put into the list goes to the end
 * instead of being freed, and loses that advantage. So the entry that is freed
 * is nearly the one that was needed least recently. Owner of everything here,
 * except `readers`: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_KEPT_H
#define SPN_PLAY_KEPT_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stdint.h>

enum kept_kind { KEPT_FRAME, KEPT_READ };
#define KEPT_KINDS 2u

struct kept_links {
    struct kept_links *next; /* NULL: not in a list */
    struct kept_links *previous;
};

struct kept {
    struct kept_links links; /* first, so that one pointer names both */
    uint32_t pages;          /* heap pages that freeing it returns */
    uint32_t order;          /* value of `stamp` when it was put into a list */
    uint32_t stamp;          /* update at which it was needed last */
    uint32_t deadline;       /* in that update: time until its nearest use, in
                                units of 1024 us */
    uint16_t charged_to;     /* in that update: the cursor charged last */
    bool is_held;            /* in that update */
    bool is_lasting;
    uint8_t kind;              /* enum kept_kind */
    struct atomic_u32 readers; /* fills that read it; any thread adds itself
                                  while nothing is freed, between updates */
};

struct keeper {
    /* First and last entry of a list for each kind, and of the lasting frames;
     * the first list is freed before the second one. It also has the reads that
     * nobody will use again. */
    struct kept_links lists[KEPT_KINDS + 1];
    uint32_t list_count;                /* entries of all */
    uint32_t stamp;                     /* number of the current update */
    uint32_t no_idle_stamp[KEPT_KINDS]; /* of each list: update in which no
                                           entry was idle */
    uint32_t kept_pages;                /* of all entries, in a list or not */
    uint32_t lasting_pages;             /* the part that is lasting */
    uint32_t needed_pages; /* the part that is needed, held or not */
    uint32_t held_pages;   /* the part of needed_pages that is held */
};

void spn__keeper_init(struct keeper *keeper);
/* A new update: nothing is needed or held any more. */
void spn__keeper_begin(struct keeper *keeper);

/* Begin and end to account for memory. It is in no list. */
void spn__kept_add(struct keeper *keeper, struct kept *k, enum kept_kind kind,
                   uint32_t pages);
void spn__kept_remove(struct keeper *keeper, struct kept *k);
/* It may be freed from now on, unless it is held; or not any more. */
void spn__kept_list(struct keeper *keeper, struct kept *k);
void spn__kept_unlist(struct keeper *keeper, struct kept *k);

/* It was used, and its next use is farther than that of all others of its kind:
 * free it before them. No effect if it is in no list.
 *
 * is_last  no other use is known: free it before all others of both kinds */
void spn__kept_pass(struct keeper *keeper, struct kept *k, bool is_last);

/* Make a frame lasting, or not any more. */
void spn__kept_set_lasting(struct keeper *keeper, struct kept *k,
                           bool is_lasting);

/* Mark as needed in this update.
 *
 * deadline  time until its use, in units of 1024 us; the least of all marks
 *           counts */
void spn__kept_need(struct keeper *keeper, struct kept *k, uint32_t deadline);
/* Mark as held in this update. */
void spn__kept_hold(struct keeper *keeper, struct kept *k);
/* Undo spn__kept_hold. It is still needed. */
void spn__kept_release(struct keeper *keeper, struct kept *k);

/* The entry to free next; NULL: none.
 *
 * is_needed  false: idle entries only; true: needed ones that are not held, the
 *            lasting ones last */
struct kept *spn__keeper_victim(struct keeper *keeper, bool is_needed);

/* True if a cursor needs it; a lasting frame is needed without that, too. */
static inline bool kept_is_needed(const struct keeper *keeper,
                                  const struct kept *k)
{
    return k->stamp == keeper->stamp;
}

static inline bool kept_is_held(const struct keeper *keeper,
                                const struct kept *k)
{
    return k->stamp == keeper->stamp && k->is_held;
}

/* Charge a cursor. Returns false if the last charge in this update was to the
 * same cursor. It is needed. */
static inline bool kept_charge(struct kept *k, uint16_t cursor)
{
    const bool is_new = k->charged_to != cursor;

    k->charged_to = cursor;
    return is_new;
}

/* True if a fill reads it. If the result is false, the reader has ended with
 * everything. */
static inline bool kept_is_read(const struct kept *k)
{
    /* Acquire: pairs with the decrement at the end of a fill. */
    return atomic_load_acquire(&k->readers) != 0;
}

/* True if the totals agree with each other and with the lists. */
bool spn__keeper_check(const struct keeper *keeper);

#endif
