/* record.h - record which reads a game starts, and when.
 *
 * A recording is a list of events, one for each read that is started while it
 * runs. spn_record_write turns it into a *trace*, a JSON file. `spindle pack
 * --order` uses a trace to choose where files lie on the disc, and `spindle
 * simulate` plays it on a model of a drive.
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
 * Events are in the order in which the reads were started. Reads of caches are
 * recorded like those of the game; reads that mount or load a pak are not. A
 * read of a pak's entry is recorded with the name of the entry.
 *
 * The runtime writes into arrays of the caller and allocates nothing. When an
 * array is full, further events are not stored, but counted as lost. *Caller's
 * thread*: the thread that calls spn_update (spindle.h).
 *
 * Dependencies. Many games wait for the end of one read before they start the
 * next. On a slower drive such a game starts its reads later. Therefore an
 * event also says for which read the game probably waited (`after`), and how
 * long the game then worked until it started this read (think_us). `spindle
 * simulate` starts a read when the read `after` has ended and think_us has
 * passed.
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

/* One read. Times are microseconds on the platform's clock. */
typedef struct spn_record_event {
    uint64_t at_us;       /* when it was started */
    uint64_t offset;      /* bytes from the start of the file or entry */
    uint64_t bytes;       /* bytes to read; 0: to the end */
    uint64_t deadline_us; /* 0: none */
    uint64_t end_us;      /* when it ended, with data or with an error; 0: it
                           * has not ended. May change until spn_record_stop
                           * has returned SPN_OK */
    uint64_t think_us;    /* from the end of the read `after` to at_us; 0 if
                           * there is no such read */
    uint32_t after;       /* 1 + index of the event for whose end the game
                           * probably waited; 0: none. Of the 128 events before
                           * this one, those on the same thread that ended
                           * before at_us are considered; it is the one that
                           * ended last */
    uint32_t thread;      /* number of the thread that started it, 0 for the
                           * first thread that starts a read. All threads from
                           * the 16th on are 15. 0 without threads */
    uint32_t path;        /* byte in `text` at which its path or name begins */
    spn_task task;
    spn_priority priority;
} spn_record_event;

/* Where to record. The arrays belong to the runtime until spn_record_stop has
 * returned SPN_OK, or until spn_shutdown has returned. */
typedef struct spn_record_desc {
    spn_record_event *events;
    uint32_t event_count_max; /* > 0 */
    char *text;               /* receives the paths, each with its NUL. Events
                               * with the same path that follow each other
                               * closely share it */
    uint32_t text_bytes;      /* size of `text`, > 0 */
} spn_record_desc;

#if SPN_WITH_OBSERVERS
/* Begin to record. SPN_ERR_ARG if a pointer is NULL or a size is 0;
 * SPN_ERR_STATE if a recording is running. Thread: the caller's. */
spn_status spn_record_start(spn_runtime *rt, const spn_record_desc *desc);

/* Get the number of events so far. They may be read, and do not change any
 * more, except end_us. A game calls this when a scene begins: *count is the
 * index of the scene's first event. SPN_ERR_STATE if no recording is running.
 * Thread: the caller's. */
spn_status spn_record_get_count(const spn_runtime *rt, uint32_t *count);

/* Stop recording.
 *
 *   SPN_PENDING    the I/O thread still uses the arrays: call spn_update, and
 *                  then this function again
 *   SPN_OK         the recording has ended. *count is the number of events,
 *                  *lost the number of events for which there was no room.
 *                  Returned once
 *   SPN_ERR_STATE  no recording is running
 *
 * Call it before spn_shutdown, which ends a recording without giving the
 * counts. Thread: the caller's. */
spn_status spn_record_stop(spn_runtime *rt, uint32_t *count, uint32_t *lost);
#endif

/* A scene of the game: the events from `first` up to the first event of the
 * next scene. Several scenes may have the same name: the same scene was played
 * again. */
typedef struct spn_record_scene {
    const char *name; /* UTF-8, 1..511 bytes */
    uint32_t first;   /* index of its first event; must not decrease from scene
                       * to scene. Events before the first scene are not
                       * written */
} spn_record_scene;

/* What spn_record_write writes. */
typedef struct spn_record_list {
    const spn_record_event *events;
    uint32_t event_count;
    const char *text; /* of the same recording */
    const spn_record_scene *scenes;
    uint32_t scene_count;
    /* Subtracted from all times of the events; earlier times become 0. */
    uint64_t origin_us;
} spn_record_list;

/* Receives the next 1 to 256 bytes of a trace, which have no NUL. Returns
 * SPN_OK to go on, otherwise an error. */
typedef spn_status (*spn_record_sink)(void *user, const char *text,
                                      uint32_t bytes);

/* Write a trace as JSON (schema 1, one read on each line) by calls of `sink`.
 * Needs no runtime, and allocates nothing. Some values are corrected:
 *
 * - if several threads start reads at the same time, at_us of an event may be
 *   earlier than at_us of the event before; it is set to the latter;
 * - a deadline that is not after the start becomes 1 us after the start;
 * - an `after` that is not an earlier event within a scene is left out;
 * - bytes of paths that are not valid UTF-8 become U+FFFD.
 *
 * Returns SPN_ERR_ARG, before the first call of `sink`, if the list is invalid;
 * if `sink` returns an error, that error, and `sink` is not called again.
 * Thread: any, while the arrays do not change. */
spn_status spn_record_write(const spn_record_list *list, spn_record_sink sink,
                            void *user);

/* The names of a task and of a priority in a trace, e.g. "geom_cache",
 * "above_normal". NULL if there is none; the trace then has the number of the
 * task. Static strings. Thread: any. */
const char *spn_record_task_name(uint32_t task);
const char *spn_record_priority_name(uint32_t priority);

#ifdef __cplusplus
}
#endif
#endif
