/* sim_report.h - a simulation in words, and for machines. */
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

/* What all runs have in common. */
struct sim_setting {
    const spn_drive_profile *drive;
    const char *trace;        /* or NULL: made up, by the rest */
    const char *const *files; /* the trace's paths */
    uint32_t file_count;
    uint32_t read_count;
    uint32_t left_out; /* reads of the trace of which the pak has nothing, */
    const bool *is_left_out; /* by their index there; NULL: none */
    uint32_t chained; /* reads that wait for another: none is an open loop */
    const char *layout;
    double load;
    uint32_t seed;
    uint32_t fault_count;
    uint32_t heap_mib;
};

/* At most GAME_ORDERS runs. */
void sim_report_words(const struct sim_setting *setting, struct sim_run *runs,
                      uint32_t count, FILE *file);
/* The numbers of all runs, as fields of `object`. */
void sim_report_json(const struct sim_setting *setting, struct sim_run *runs,
                     uint32_t count, cJSON *object);

#endif
