/* sim_compare.h - two discs for the same trace, side by side. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_COMPARE_H
#define OFFLINE_SIMULATE_SIM_COMPARE_H

#include "simulate/sim_report.h"

#include <stdio.h>

/* `pair`: the settings and the first runs of both, of one trace in one order.
 */
void sim_compare_words(const struct sim_setting setting[2],
                       const struct sim_run *const pair[2], FILE *file);

#endif
