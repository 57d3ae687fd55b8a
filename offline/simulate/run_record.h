/* run_record.h - record the reads of a run as a trace (pack/read_trace.h).
 *
 * Order of calls: open, begin, end, write, close. The runtime records the reads
 * (spindle/record.h) between begin and end.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_RUN_RECORD_H
#define OFFLINE_SIMULATE_RUN_RECORD_H

#include "common/arena.h"
#include "common/diag.h"

#include <spindle/spindle.h>
#include <stdbool.h>

struct host_output;

struct run_record {
    const char *path;  /* NULL: nothing is recorded */
    const char *scene; /* name of the trace's one scene */
    struct host_output *output;
    spn_record_event *events;
    char *text;     /* names in the events */
    uint32_t count; /* of events */
    uint32_t lost;  /* events for which there was no room */
};

/* Check the output and allocate; `record` is zeroed before. `path` NULL:
 * nothing is recorded. Returns false after a refusal. */
bool run_record_open(struct run_record *record, const char *path,
                     const char *scene, struct arena *arena, struct diag *diag);
/* Start recording. Returns false after a refusal. */
bool run_record_begin(struct run_record *record, spn_runtime *rt,
                      struct diag *diag);
/* Stop recording, before the runtime shuts down. Calls spn_update. */
void run_record_end(struct run_record *record, spn_runtime *rt);
/* Write the trace; its time 0 is the first read. Returns false after a refusal.
 */
bool run_record_write(struct run_record *record, struct diag *diag);
/* An output that was not written is abandoned. */
void run_record_close(struct run_record *record);

#endif
