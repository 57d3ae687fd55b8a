/* sim_begin.h - a seed's machine, and its runtime started. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_BEGIN_H
#define TESTS_SIM_SIM_BEGIN_H

struct sim;

void sim_begin(struct sim *sim);
/* What a listener was told, if there was one; all is over. */
void sim_judge_events(struct sim *sim);

#endif
