/* record.h - what was read when: the resource list of a play-through.
 *
 *   spn_record_desc desc = {.events = events, .event_count_max = 65536,
 *                           .text = text, .text_bytes = 1 << 20};
 *   spn_record_start(rt, &desc);
 *   ... play ...
 *   while (spn_record_stop(rt, &count, &lost) == SPN_PENDING)
 *       spn_update(rt);
 *
 * `spindle pack --order` lays files out by such a list (as JSON: `spindle play
 * --record` writes it). Every read that was started is an event, in the order
 * of starting: those of the caller, of caches and clips, but not those by
 * which a pak itself is mounted or loaded. A read of a pak's entry is one of
 * its name. Nothing is allocated: where the caller's arrays are full further
 * events are lost, and counted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_RECORD_H
#define SPINDLE_RECORD_H

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_record_event {
    uint64_t at_us;       /* when it was started, on the platform's clock */
    uint64_t offset;      /* bytes from the start of the file or entry */
    uint64_t bytes;       /* 0: to its end */
    uint64_t deadline_us; /* on the same clock; 0: none */
    uint32_t path;        /* where its path or name begins in `text` */
    spn_task task;
    spn_priority priority;
} spn_record_event;

/* The arrays are the runtime's until the record was stopped. */
typedef struct spn_record_desc {
    spn_record_event *events;
    uint32_t event_count_max; /* > 0 */
    char *text;               /* paths, each with its NUL; those of events that
                               * follow closely are there once */
    uint32_t text_bytes;      /* > 0 */
} spn_record_desc;

/* Begin. SPN_ERR_ARG; SPN_ERR_STATE when there is a record already. Thread:
 * caller's. */
spn_status spn_record_start(spn_runtime *rt, const spn_record_desc *desc);

/* How many events there are by now: they can be read, and do not change any
 * more. So a scene begins with event *count. SPN_ERR_STATE without a record.
 * Thread: caller's. */
spn_status spn_record_get_count(const spn_runtime *rt, uint32_t *count);

/* End. SPN_PENDING: the io thread has not let go of the arrays yet; update and
 * ask again. SPN_OK, once: the counts are those of the whole record (`lost`:
 * events for which there was no room). SPN_ERR_STATE without a record. Before
 * spn_shutdown, which lets go of the arrays in any case. Thread: caller's. */
spn_status spn_record_stop(spn_runtime *rt, uint32_t *count, uint32_t *lost);

#ifdef __cplusplus
}
#endif
#endif
