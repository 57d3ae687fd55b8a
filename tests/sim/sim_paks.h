/* sim_paks.h - the caller's paks: mounted, loaded, and the way back. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_PAKS_H
#define TESTS_SIM_SIM_PAKS_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>

struct sim;

struct sim_paks {
    spn_pak paks[MADE_PAKS]; /* 0: none */
    spn_pak old_paks[MADE_PAKS];
    uint64_t unmounted; /* how often */
    uint64_t held_max;  /* bytes of the heap, at any time */
};

void sim_paks_frame(struct sim *sim);
/* Faults are over: mount what is not, unload what is. True: all are there. */
bool sim_paks_recover(struct sim *sim);
void sim_paks_close(struct sim *sim);

#endif
