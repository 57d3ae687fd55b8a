/* sim_report.h - print a simulation as text or JSON.
 *
 * Input: the setting that all runs share, and one sim_record for each order of
 * reads. Text: the tables of run_report.h, then when each scene was ready and
 * how long each burst took.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_REPORT_H
#define OFFLINE_SIMULATE_SIM_REPORT_H

#include "common/report.h"
#include "simulate/game_sim.h"

#include <stdbool.h>
#include <stdio.h>

struct sim_run {
    enum game_order order;
    struct sim_record record;
};

/* The setting of all runs of a report. All pointers are the caller's. */
struct sim_setting {
    const spn_drive_profile *drive;
    const char *trace;        /* path of the trace; NULL: a generated game, or
                               * clips alone */
    const char *clips;        /* path of the script of clips; NULL: none */
    const char *const *files; /* paths that the trace reads */
    uint32_t file_count;
    uint32_t read_count;     /* of the trace */
    uint32_t left_out;       /* reads of the trace whose file no pak has */
    const bool *is_left_out; /* by index of the read; NULL: none is left out */
    uint32_t chained;   /* reads that start when another has ended; 0: the trace
                         * is an open loop */
    const char *layout; /* names of the paks, or the layout of the generated
                         * disc */
    double load;        /* of a generated game (workload.h), 1.0 is full load */
    uint32_t seed;      /* of the generated game and of random faults */
    uint32_t fault_count; /* faults of the drive */
    uint32_t heap_mib;    /* size of the runtime's heap */
};

/* `count` is at most GAME_ORDERS. Both sort the waits of the tallies. */
void sim_report_text(const struct sim_setting *setting, struct sim_run *runs,
                     uint32_t count, FILE *file);
/* Add the numbers to a JSON object. */
void sim_report_json(const struct sim_setting *setting, struct sim_run *runs,
                     uint32_t count, cJSON *object);

#endif
