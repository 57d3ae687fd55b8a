/* sim_session.h - the verb `simulate`: open inputs, run, report.
 *
 * Input: the parsed options. Each trace (or the generated game) is run on each
 * disc in each order of reads. Output: the report on stdout; the page and the
 * trace in the files that the options name.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_SESSION_H
#define OFFLINE_SIMULATE_SIM_SESSION_H

#include "simulate/sim_options.h"

/* Run the verb. The options must not contradict each other; missing values are
 * set to their defaults. The contents of files are allocated in the arena.
 * Refusals go to `diag`. */
void sim_session_run(struct sim_options *options, struct arena *arena,
                     struct diag *diag);

#endif
