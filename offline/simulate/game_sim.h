/* game_sim.h - a load read through the real runtime, in virtual time.
 *
 * The runtime's own table of reads, queue, pieces and completions, over its own
 * emulator of the drive; the bytes are made up, and each that is delivered is
 * judged. The sweep and the key are the runtime's: everything is given to it at
 * once, and it decides. Of the other orders the policy decides what is next and
 * the runtime gets that alone; it is not asked what to do next before it has
 * served that.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_SIM_H
#define OFFLINE_SIMULATE_GAME_SIM_H

#include "common/diag.h"
#include "simulate/load.h"
#include "simulate/policy.h"
#include "simulate/sim_record.h"

#include <spindle/emulator.h>
#include <stdbool.h>
#include <stdint.h>

#define GAME_SIM_FAULTS_MAX 64u

struct game_sim {
    const spn_drive_profile *drive;
    enum policy_kind order;
    uint64_t limit_us; /* UINT64_MAX: until all has ended */
    uint32_t heap_mib;
    const spn_emulator_fault *faults; /* of drive 0 */
    uint32_t fault_count;
};

/* Does the runtime itself choose in this order? */
bool game_sim_is_own(enum policy_kind order);

/* False when the runtime did what it must not: a read that completed twice or
 * never, a wrong byte, a standstill. Says so; EXIT_INTERNAL. */
bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag);

/* Faults drawn from a seed: bad and unreadable sectors at places that are read,
 * stalls, an open tray, another disc; in turn. The spans of time begin within
 * `us`. */
void game_sim_draw_faults(const struct load *load, uint64_t us, uint64_t seed,
                          spn_emulator_fault *faults, uint32_t count);

#endif
