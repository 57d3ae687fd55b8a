/* sim_canaries.h - planted bugs, and the checks that must find them. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CANARIES_H
#define TESTS_SIM_SIM_CANARIES_H

#include "sim/sim.h"

const char *sim_canary_name(enum sim_canary canary);
/* Run a planted bug with several seeds, because not every seed has the
 * situation that it needs. `result` is that of the last run. */
bool sim_canary_is_found(enum sim_canary canary, uint64_t steps,
                         struct sim_result *result);

#endif
