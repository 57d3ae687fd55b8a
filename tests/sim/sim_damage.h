/* sim_damage.h - the bytes that a read delivers: true ones, or recorded
 * damage. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_DAMAGE_H
#define TESTS_SIM_SIM_DAMAGE_H

#include "sim/sim_drive.h"

/* Whether this byte was delivered damaged since taint_count had the value
 * `since`. Returns the end of that damage; 0: it was not. */
uint64_t sim_drive_taint_end(const struct sim *sim, uint32_t file, uint64_t at,
                             uint64_t since);

/* Deliver the bytes of a completed read and count their damage. */
void sim_damage_deliver(struct sim *sim, struct sim_device *device);

/* Whether reads time out in this seed. */
bool sim_drive_times_out(const struct sim *sim);

/* Whether a fault of this seed has failed a read or an opening. */
bool sim_drive_has_failed(const struct sim *sim);

#endif
