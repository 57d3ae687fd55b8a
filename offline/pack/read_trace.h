/* read_trace.h - parse and write a trace: the reads of a game over time.
 *
 * `pack` lays out files by traces, `simulate` replays them. A trace is JSON,
 * written by hand, by a generator or from the runtime's record:
 *
 *   {"schema": 1, "kind": "trace", "scenes": [
 *     {"name": "harbour", "reads": [
 *       {"at_us": 0, "path": "harbour/sea.sgc", "offset": 0, "bytes": 65536,
 *        "task": "geom_cache", "priority": "normal", "deadline_us": 2000000},
 *       {"path": "harbour/gull.wav", "task": "sound"}]}]}
 *
 *   name         of the scene; scenes of the same name are one scene
 *   path         name by which the game opens the file; required
 *   at_us        start of the read since the trace's beginning; not before the
 *                start of the previous read (default: the same)
 *   offset       first byte in the file (default 0)
 *   bytes        length; 0: to the end of the file (default 0)
 *   task         a name of spn_record_task_name, or a number below 256 (default
 *                "user")
 *   priority     urgent, above_normal, normal, below_normal, idle (default
 *                "normal")
 *   deadline_us  after the start of the read; 0: none (default 0)
 *   thread       number of the thread that starts it, below 65536 (default 0)
 *   after        index in the whole trace, from 0, of an earlier read that must
 *                end first (default: the previous read of the thread)
 *   think_us     time from that end to the start of this read (default 0)
 *
 * A read with `after` or `think_us` is chained to that earlier read, if there
 * is one: it starts think_us after its end. Other reads start at at_us.
 *
 * Other fields are ignored. Numbers are integers of at most 2^53; so is the sum
 * of the thinking times along any chain of reads.
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
    uint32_t after;       /* index of the read for which a chained one waits, or
                           * READ_TRACE_NO_READ */
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
    struct traced_read *reads; /* in the order of the file, so by at_us */
    uint32_t read_count;
};

/* Parse `bytes` of text, followed by a zero byte. `file` is for messages.
 * Everything in `out` is allocated in the arena. Returns false after a refusal,
 * which names the place: "scenes[2].reads[17].bytes". */
bool read_trace_parse(const char *file, const char *text, size_t bytes,
                      struct arena *arena, struct read_trace *out,
                      struct diag *diag);
/* Read the file and parse it. */
bool read_trace_load(const char *path, struct arena *arena,
                     struct read_trace *out, struct diag *diag);

/* Write a trace that parses to the same values: one read per line, without
 * fields that have their defaults. Bytes of paths that are not UTF-8 become
 * U+FFFD. Returns false when a write fails. */
bool read_trace_write(const struct read_trace *trace,
                      struct host_output *output);

/* Number of chained reads. 0: the trace is an open loop. */
uint32_t read_trace_chained(const struct read_trace *trace);

/* The runtime's task type for a trace's; SPN_TASK_USER for a game's own. */
spn_task read_trace_task(uint32_t task);

/* A scene wants at once the reads that start within this time of its first. */
#define READ_TRACE_AT_ONCE_US 100000u

/* How a scene uses a file. */
struct traced_use {
    uint32_t scene;
    uint32_t file;
    uint32_t read_count;
    uint32_t first_read; /* index of the first one */
    spn_task task;       /* of the first read */
    bool is_at_once;     /* the scene wants the first read at once */
    bool is_streamed;    /* some read begins at an offset > 0 */
};

/* List the uses, one for each file of each scene: by scene, then by first read.
 */
struct traced_use *read_trace_uses(const struct read_trace *trace,
                                   struct arena *arena, uint32_t *count);

/* Number the texts: equal texts get equal numbers, in the order of their first
 * occurrence. Returns the distinct texts, copied to the arena. */
const char **read_trace_number(struct arena *arena, const char *const *texts,
                               uint32_t count, uint32_t *numbers,
                               uint32_t *distinct_count);

/* Set the trace's paths and scenes and the numbers in its reads, whose paths
 * and scenes are given. The arena owns the copies. */
void read_trace_set_names(struct read_trace *trace, const char *const *paths,
                          const char *const *scenes, struct arena *arena);

#endif
