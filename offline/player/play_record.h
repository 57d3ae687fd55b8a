/* play_record.h - what a run reads, as a trace for `spindle pack --order`. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_RECORD_H
#define OFFLINE_PLAYER_PLAY_RECORD_H

#include "common/diag.h"

#include <spindle/spindle.h>
#include <stdbool.h>

struct host_output;

struct play_record {
    const char *path; /* NULL: nothing is recorded */
    const char *scene;
    struct host_output *output;
    spn_record_event *events;
    char *text;
    uint32_t count;
    uint32_t lost;
};

/* Judges the output and takes memory; zeroed before. What is read is of one
 * `scene`. False after a refusal. */
bool play_record_open(struct play_record *record, const char *path,
                      const char *scene, struct diag *diag);
bool play_record_begin(struct play_record *record, spn_runtime *rt,
                       struct diag *diag);
/* Before the runtime shuts down. Updates it. */
void play_record_end(struct play_record *record, spn_runtime *rt);
/* Write it, from the first read on. */
bool play_record_write(struct play_record *record, struct diag *diag);
void play_record_close(struct play_record *record);

#endif
