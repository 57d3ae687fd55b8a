/* read_record.h - the reads that start, noted in the caller's arrays.
 *
 * The io thread writes, as reads come out of the inbox. The caller's thread
 * turns it on and off; the arrays are its own again when the io thread has
 * said so.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_IO_READ_RECORD_H
#define SPN_IO_READ_RECORD_H

#include "base/atomic.h"

#include <spindle/record.h>
#include <stdbool.h>

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
    void (*add)(struct record *record, const spn_record_event *event,
                const char *path);
    spn_record_desc desc;
    uint32_t text_used;
};

/* ---- caller's thread ---------------------------------------------------- */

spn_status spn__record_start(struct record *record,
                             const spn_record_desc *desc);
/* Then the io thread must call spn__record_heed. SPN_PENDING until it has. */
spn_status spn__record_stop(struct record *record, uint32_t *count,
                            uint32_t *lost);
spn_status spn__record_count(const struct record *record, uint32_t *count);

/* ---- io thread ---------------------------------------------------------- */

void spn__record_heed(struct record *record);
static inline bool record_is_on(const struct record *record)
{
    /* Pairs with the store in spn__record_start. */
    return atomic_load_acquire(&record->phase) == RECORD_ON;
}
/* It is on, and `event` is complete but for its path. Who never records does
 * not link it. */
static inline void spn__record_add(struct record *record,
                                   const spn_record_event *event,
                                   const char *path)
{
    record->add(record, event, path);
}

#endif
