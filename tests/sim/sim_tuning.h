/* sim_tuning.h - a caller that changes tuning variables while all runs.
 *
 * In half of the seeds geometry is switched off and on, streams get more or
 * less memory, and the budget of reads and the length of time groups change.
 * The draws have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_TUNING_H
#define TESTS_SIM_SIM_TUNING_H

#include "harness.h"

#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_tuning {
    struct test_random random;
    bool is_on;
    bool is_off;        /* geometry is switched off */
    uint32_t limit_kib; /* of the memory of streams; 0: none was set */
};

void sim_tuning_init(struct sim *sim);
/* Immediately before an update. */
void sim_tuning_frame(struct sim *sim);
/* Between two updates: what the variables promise holds. */
void sim_tuning_check(struct sim *sim);
/* Faults are over: all variables have their defaults. */
void sim_tuning_end_faults(struct sim *sim);

#endif
