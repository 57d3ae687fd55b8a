/* run_report.h - how long reads waited and what the drive did meanwhile.
 *
 * The same two tables and fields for a simulation and for a play: their numbers
 * can be laid side by side.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_RUN_REPORT_H
#define OFFLINE_SIMULATE_RUN_REPORT_H

#include "common/report.h"
#include "simulate/tally.h"

#include <spindle/emulator.h>
#include <stdint.h>
#include <stdio.h>

struct reported_run {
    const char *order;
    struct tally *tally; /* of classes: its drive is `drive` */
    const spn_emulator_stats *drive;
    uint64_t time_us;
    uint64_t done;
    uint64_t failed;       /* with an error of the drive's */
    uint64_t never;        /* that wait behind a drive that has stopped */
    uint64_t bytes;        /* of those that are done */
    uint64_t stored_bytes; /* off the disc for them; 0: as many */
};

/* A table of the drive, one of waits; a row for each run. Then how many reads
 * still waited. */
void run_report_words(const struct reported_run *runs, uint32_t count,
                      FILE *file);
/* The same and more, as fields of `object`. */
void run_report_json(const struct reported_run *run, cJSON *object);

#endif
