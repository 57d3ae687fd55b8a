/* sim_paks.h - the caller's paks: mounted, loaded, unloaded, unmounted. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_PAKS_H
#define TESTS_SIM_SIM_PAKS_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>

struct sim;

struct sim_paks {
    spn_pak paks[MADE_PAKS]; /* 0: not mounted */
    spn_pak old_paks[MADE_PAKS];
    uint64_t unmounted; /* number of unmounts */
    uint64_t held_max;  /* largest use of the heap, in bytes */
};

void sim_paks_frame(struct sim *sim);
/* Faults are over: mount missing paks, unload loaded ones. True when all are
 * mounted. */
bool sim_paks_recover(struct sim *sim);
void sim_paks_close(struct sim *sim);
/* Whether the faults so far explain that a pak could not be mounted. */
bool sim_paks_is_legal(const struct sim *sim, spn_status status);

#endif
