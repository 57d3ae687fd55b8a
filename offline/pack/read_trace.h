/* read_trace.h - what was read when: the resource list of a play-through.
 *
 * A trace is JSON, written by hand, by a generator or by the runtime's record:
 *
 *   {"schema": 1, "kind": "trace", "scenes": [
 *     {"name": "harbour", "reads": [
 *       {"at_us": 0, "path": "harbour/sea.sgc", "offset": 0, "bytes": 65536,
 *        "task": "geom_cache", "priority": "normal", "deadline_us": 2000000},
 *       {"path": "harbour/gull.wav", "task": "sound"}]}]}
 *
 *   name         of the scene; the same name again is the same scene again
 *   path         as the game names the file; all else may be left out
 *   at_us        when the read was started, from the trace's beginning, never
 *                before the read before it (the same time)
 *   offset       bytes from the start of the file (0)
 *   bytes        0: to the end of the file (0)
 *   task         one of spn_record_task_name's, or a number below 256 ("user")
 *   priority     urgent, above_normal, normal, below_normal, idle ("normal")
 *   deadline_us  after its start; 0: none (0)
 *   thread       that starts it: a number below 65536 (0)
 *   after        index of an earlier read of the whole trace, from 0 on, whose
 *                end it waits for (the thread's read before it)
 *   think_us     from that end to its start (0)
 *
 * A read with `after` or `think_us` that has such a read before it is chained:
 * it starts when the game would start it on any drive. All others start at
 * at_us, whatever becomes of those before them.
 *
 * Fields that are not among these are ignored. Numbers are whole, at most
 * 2^53, and so is the time of thinking up to any read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_READ_TRACE_H
#define OFFLINE_PACK_READ_TRACE_H

#include "common/arena.h"
#include "host/host.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_TRACE_BYTES_MAX ((size_t)256 << 20)
#define READ_TRACE_NUMBER_MAX (UINT64_C(1) << 53)
#define READ_TRACE_TASK_MAX 255u
#define READ_TRACE_THREADS_MAX 65536u
#define READ_TRACE_NO_READ UINT32_MAX

struct traced_read {
    uint64_t at_us;
    uint64_t offset;
    uint64_t bytes;       /* 0: to the end of the file */
    uint64_t deadline_us; /* after its start; 0: none */
    uint64_t think_us;    /* of a chained read, else 0 */
    uint32_t after;       /* index of an earlier read, or READ_TRACE_NO_READ: it
                           * starts at at_us */
    uint32_t thread;      /* < READ_TRACE_THREADS_MAX */
    uint32_t file;        /* index of its path */
    uint32_t scene;       /* index of its name */
    uint32_t task;        /* spn_task, or a number of the game's own */
    uint32_t priority;    /* spn_priority */
};

struct read_trace {
    const char **paths; /* distinct, in the order of their first use */
    uint32_t file_count;
    const char **scenes; /* distinct, in the order of their first read */
    uint32_t scene_count;
    struct traced_read *reads; /* by time, as they stand in the file */
    uint32_t read_count;
};

/* Parse `bytes` of text that a zero byte follows. `file` is for messages.
 * Everything in `out` lies in the arena. False after a refusal, which names
 * the place: "scenes[2].reads[17].bytes". */
bool read_trace_parse(const char *file, const char *text, size_t bytes,
                      struct arena *arena, struct read_trace *out,
                      struct diag *diag);
bool read_trace_load(const char *path, struct arena *arena,
                     struct read_trace *out, struct diag *diag);

/* Write a trace that reads back as it is: one read a line, fields that have
 * their default left out. Bytes of paths that are no UTF-8 become U+FFFD. */
bool read_trace_write(const struct read_trace *trace,
                      struct host_output *output);

/* How many reads are chained: more than none, and the trace is a closed loop.
 */
uint32_t read_trace_chained(const struct read_trace *trace);

/* The type that the runtime knows it by: of a game's own, SPN_TASK_USER. */
spn_task read_trace_task(uint32_t task);

/* What a scene wants at once: all reads that are made so long after its first.
 */
#define READ_TRACE_AT_ONCE_US 100000u

/* What a scene does with a file. */
struct traced_use {
    uint32_t scene;
    uint32_t file;
    uint32_t read_count;
    uint32_t first_read; /* index of the first one */
    spn_task task;       /* of that */
    bool is_at_once;     /* that is of what the scene wants at once */
    bool is_streamed;    /* some read begins within the file */
};

/* One for each file of each scene: scene by scene, in each by first use. */
struct traced_use *read_trace_uses(const struct read_trace *trace,
                                   struct arena *arena, uint32_t *count);

/* Give equal texts equal numbers, in the order in which they come first.
 * Returns the distinct ones, copied to the arena. */
const char **read_trace_number(struct arena *arena, const char *const *texts,
                               uint32_t count, uint32_t *numbers,
                               uint32_t *distinct_count);

#endif
