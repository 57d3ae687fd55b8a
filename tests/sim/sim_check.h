/* sim_check.h - check that the runtime's structures are consistent. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CHECK_H
#define TESTS_SIM_SIM_CHECK_H

struct sim;

/* After every step: sums and counts. */
void sim_check_cheap(struct sim *sim);
/* Every 64th step: all structures. */
void sim_check_full(struct sim *sim);
/* After everything was closed: nothing is left. */
void sim_check_empty(struct sim *sim);

#endif
