/* sim_begin.h - set up a seed's machine and start its runtime. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_BEGIN_H
#define TESTS_SIM_SIM_BEGIN_H

struct sim;

void sim_begin(struct sim *sim);
/* Check the recorded events, if any, when all is over. */
void sim_check_events(struct sim *sim);

#endif
