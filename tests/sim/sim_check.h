/* sim_check.h - do the runtime's structures hold together? */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CHECK_H
#define TESTS_SIM_SIM_CHECK_H

struct sim;

/* After every step: sums and counts. */
void sim_check_cheap(struct sim *sim);
/* Every 64th: everything. */
void sim_check_full(struct sim *sim);
/* All is closed: nothing is left. */
void sim_check_empty(struct sim *sim);

#endif
