/* record.h - what was read when: the resource list of a play-through.
 *
 *   spn_record_desc desc = {.events = events, .event_count_max = 65536,
 *                           .text = text, .text_bytes = 1 << 20};
 *   spn_record_start(rt, &desc);
 *   ... play ...
 *   while (spn_record_stop(rt, &count, &lost) == SPN_PENDING)
 *       spn_update(rt);
 *   spn_record_scene harbour = {.name = "harbour"};
 *   spn_record_list list = {events, count, text, &harbour, 1, start_us};
 *   spn_record_write(&list, append_to_file, file);
 *
 * What that writes is a trace, by which `spindle pack --order` lays files out.
 * Every read that was started is an event, in the order
 * of starting: those of the caller, of caches and clips, but not those by
 * which a pak itself is mounted or loaded. A read of a pak's entry is one of
 * its name. Nothing is allocated: where the caller's arrays are full further
 * events are lost, and counted.
 *
 * A game that waits for a read before it starts the next is slower on a slower
 * drive. So an event also says which read it came after, and how long the game
 * thought in between: `spindle simulate` plays the trace as a closed loop.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_RECORD_H
#define SPINDLE_RECORD_H

#include <spindle/features.h>
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
    uint64_t end_us;   /* when it ended, well or not, on the same clock; 0: it
                        * has not. Changes until the record has stopped */
    uint64_t think_us; /* from the end of event `after` - 1 to its start */
    uint32_t after;    /* 1 + the index of the event that it may have waited
                        * for: of its thread's that had ended by its start
                        * the one that ended last, among the 128 events
                        * before it. 0: none */
    uint32_t thread;   /* that started it: a number, the first is 0; from the
                        * 16th on 15. 0 where the platform has no threads */
    uint32_t path;     /* where its path or name begins in `text` */
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

#if SPN_WITH_OBSERVERS
/* Begin. SPN_ERR_ARG; SPN_ERR_STATE when there is a record already. Thread:
 * caller's. */
spn_status spn_record_start(spn_runtime *rt, const spn_record_desc *desc);

/* How many events there are by now: they can be read, and do not change any
 * more, but for end_us. So a scene begins with event *count. SPN_ERR_STATE
 * without a record. Thread: caller's. */
spn_status spn_record_get_count(const spn_runtime *rt, uint32_t *count);

/* End. SPN_PENDING: the io thread has not let go of the arrays yet; update and
 * ask again. SPN_OK, once: the counts are those of the whole record (`lost`:
 * events for which there was no room). SPN_ERR_STATE without a record. Before
 * spn_shutdown, which lets go of the arrays in any case. Thread: caller's. */
spn_status spn_record_stop(spn_runtime *rt, uint32_t *count, uint32_t *lost);
#endif

/* Events of a game's scene: from one on to the first of the next scene. The
 * same name again is the same scene again. */
typedef struct spn_record_scene {
    const char *name; /* UTF-8, 1..511 bytes */
    uint32_t first;   /* index of its first event; not below that of the scene
                       * before it. Those before all scenes are not written */
} spn_record_scene;

typedef struct spn_record_list {
    const spn_record_event *events;
    uint32_t event_count;
    const char *text; /* of the same record */
    const spn_record_scene *scenes;
    uint32_t scene_count;
    uint64_t origin_us; /* on the events' clock: when the trace's time begins */
} spn_record_list;

/* Take the next bytes of a trace, at most 256, without a NUL. SPN_OK: go on. */
typedef spn_status (*spn_record_sink)(void *user, const char *text,
                                      uint32_t bytes);

/* Write a trace as JSON (schema 1, one read a line), piece by piece, to `sink`;
 * nothing is allocated, and no runtime is needed. An event that is older than
 * the one before counts as of its time: threads may start reads at once. One
 * whose deadline was over is due 1 us later. An `after` that is not an event
 * before it, and of a scene, is left out. Bytes that are no UTF-8 become
 * U+FFFD. Returns SPN_OK; SPN_ERR_ARG, before the first piece; or what the sink
 * returned, which is then asked no more. Thread: any, while the arrays do not
 * change. */
spn_status spn_record_write(const spn_record_list *list, spn_record_sink sink,
                            void *user);

/* The words that a trace has for a type and a priority: "geom_cache",
 * "above_normal". NULL: it has none; a type is then its number. Thread: any. */
const char *spn_record_task_name(uint32_t task);
const char *spn_record_priority_name(uint32_t priority);

#ifdef __cplusplus
}
#endif
#endif
