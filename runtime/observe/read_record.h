/* read_record.h - the reads that start, noted in the caller's arrays.
 *
 * The io thread writes, as reads come out of the inbox. The caller's thread
 * turns it on and off; the arrays are its own again when the io thread has
 * said so.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_READ_RECORD_H
#define SPN_OBSERVE_READ_RECORD_H

#include "base/atomic.h"

#include <spindle/features.h>
#include <spindle/record.h>
#include <stdbool.h>

#define RECORD_THREADS_MAX 16u

enum record_phase {
    RECORD_OFF,   /* set by the io thread, once it has ended */
    RECORD_ON,    /* set by the caller's */
    RECORD_ENDING /* the same */
};

struct record {
    /* atomic */
    struct atomic_u32 phase;
    struct atomic_u32 count; /* events that stand */
    struct atomic_u32 lost;

    /* caller's thread */
    bool is_begun;

    /* written before it is on; then the io thread's */
    uint32_t (*add)(struct record *record, const spn_record_event *event,
                    const char *path, uint64_t thread);
    spn_record_desc desc;
    uint32_t number; /* of records so far: a read knows which has its event */
    uint32_t text_used;
    uint64_t threads[RECORD_THREADS_MAX]; /* by their numbers */
    uint32_t thread_count;
};

/* -- caller's thread -- */

spn_status spn__record_start(struct record *record,
                             const spn_record_desc *desc);
/* Then the io thread must call spn__record_acknowledge. SPN_PENDING until it
 * has. */
spn_status spn__record_stop(struct record *record, uint32_t *count,
                            uint32_t *lost);
spn_status spn__record_count(const struct record *record, uint32_t *count);

/* -- io thread -- */

void spn__record_acknowledge(struct record *record);
static inline bool record_is_on(const struct record *record)
{
    /* Pairs with the store in spn__record_start. */
    return SPN_WITH_OBSERVERS &&
           atomic_load_acquire(&record->phase) == RECORD_ON;
}
/* It is on, and `event` is complete but for its path, its thread and what it
 * came after. `thread`: as the platform names it. Returns 1 + its index, or 0
 * where there is no room. Who never records does not link it. */
static inline uint32_t spn__record_add(struct record *record,
                                       const spn_record_event *event,
                                       const char *path, uint64_t thread)
{
    return record->add(record, event, path, thread);
}
/* The read of an event (1 + its index; 0: it has none) of a record ended. */
static inline void spn__record_note_end(struct record *record, uint32_t number,
                                        uint32_t event, uint64_t now_us)
{
    if (event > 0 && record_is_on(record) && record->number == number)
        record->desc.events[event - 1].end_us = now_us > 0 ? now_us : 1;
}

#endif
