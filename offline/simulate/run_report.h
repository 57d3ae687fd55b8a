/* run_report.h - print waits of reads and the work of the drive.
 *
 * Used by simulate and by play, so that their numbers can be compared line by
 * line. Text: a table of the drive and a table of waits, one row for each run.
 * JSON: the same numbers and some more.
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
    const char *order;               /* name of the order of reads */
    struct tally *tally;             /* waits of the reads */
    const spn_emulator_stats *drive; /* what the drive did */
    uint64_t time_us;                /* length of the run */
    uint64_t done;                   /* reads that succeeded */
    uint64_t failed;                 /* reads with an error of the drive */
    uint64_t unanswered;   /* reads without an answer: the drive has stopped for
                          * ever */
    uint64_t bytes;        /* delivered by the reads that succeeded */
    uint64_t stored_bytes; /* read from the disc for them; 0: as `bytes` */
};

/* Print the two tables, then the number of reads that still waited. Sorts the
 * waits of the tallies. */
void run_report_text(const struct reported_run *runs, uint32_t count,
                     FILE *file);
/* Add the numbers of one run to a JSON object. Sorts the waits of the tally. */
void run_report_json(const struct reported_run *run, cJSON *object);

#endif
