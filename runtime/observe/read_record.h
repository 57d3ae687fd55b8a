/* read_record.h - records the reads that start, in arrays of the caller.
 *
 * A game records its reads to write a trace (spindle/record.h), from which the
 * tool orders the files of a pak. The caller's thread starts and stops a
 * record. While it is on, the io thread adds an event for each read that comes
 * out of the inbox, and its end time later. After a stop, the caller owns its
 * arrays again when the io thread has acknowledged it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_READ_RECORD_H
#define SPN_OBSERVE_READ_RECORD_H

#include "base/atomic.h"

#include <spindle/features.h>
#include <spindle/record.h>
#include <stdbool.h>

/* Threads with a number of their own; all others have the last number. */
#define RECORD_THREADS_MAX 16u

enum record_phase {
    RECORD_OFF,   /* set by the io thread when it stops adding */
    RECORD_ON,    /* set by the caller's thread */
    RECORD_ENDING /* set by the caller's thread */
};

struct record {
    /* atomic */
    struct atomic_u32 phase; /* enum record_phase */
    struct atomic_u32 count; /* complete events */
    struct atomic_u32 lost;  /* events for which there was no room */

    /* caller's thread */
    bool is_begun; /* started and not stopped */

    /* the caller's thread until the phase is RECORD_ON, then the io thread */
    spn_record_desc desc; /* the caller's arrays */
    uint32_t number;      /* records started so far; a read stores it, so that
                           * its end is not noted in a later record */
    uint32_t text_used;   /* bytes of desc.text */
    uint64_t threads[RECORD_THREADS_MAX]; /* identities, by their numbers */
    uint32_t thread_count;
};

/* -- caller's thread -- */

spn_status spn__record_start(struct record *record,
                             const spn_record_desc *desc);
/* SPN_PENDING until the io thread has called spn__record_acknowledge. */
spn_status spn__record_stop(struct record *record, uint32_t *count,
                            uint32_t *lost);
spn_status spn__record_count(const struct record *record, uint32_t *count);
/* Return whether all invariants hold. O(events). The io thread must not add an
 * event meanwhile. */
bool spn__record_check(const struct record *record);

/* -- io thread -- */

/* Stop adding events if the caller's thread has set RECORD_ENDING. */
void spn__record_acknowledge(struct record *record);
static inline bool record_is_on(const struct record *record)
{
    /* Pairs with the store in spn__record_start. */
    return SPN_WITH_OBSERVERS &&
           atomic_load_acquire(&record->phase) == RECORD_ON;
}
/* Add an event while the record is on. Its path, thread, after and think_us are
 * filled in here. `thread` is the identity of the thread that started the read.
 * Returns 1 + the index of the event; 0: no room. */
uint32_t spn__record_add(struct record *record, const spn_record_event *event,
                         const char *path, uint64_t thread);
/* Note the end of a read: `number` is the record's when spn__record_add
 * returned `event`. */
static inline void spn__record_note_end(struct record *record, uint32_t number,
                                        uint32_t event, uint64_t now_us)
{
    if (event > 0 && record_is_on(record) && record->number == number)
        record->desc.events[event - 1].end_us = now_us > 0 ? now_us : 1;
}

#endif
