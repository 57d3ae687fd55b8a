/* sim_compare.h - print two discs under the same trace or script of clips side
 * by side.
 *
 * Input: two results in one order of reads, from discs A and B. Output: a table
 * of when each scene was ready on A and on B, and of the work of the two
 * drives; with a script a row of clips for each.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_COMPARE_H
#define OFFLINE_SIMULATE_SIM_COMPARE_H

#include "simulate/sim_report.h"

#include <stdio.h>

/* Index 0 is disc A, index 1 disc B. */
void sim_compare_text(const struct sim_setting setting[2],
                      const struct sim_run *const pair[2], FILE *file);

#endif
