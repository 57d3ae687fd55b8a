/* game_sim.h - a load read through the real runtime, in virtual time.
 *
 * The runtime's own paks, table of reads, queue, pieces, decompression and
 * completions, over its own emulator of the drive; each byte that is delivered
 * is judged. The sweep and the key are the runtime's: everything is given to it
 * at once, and it decides. Of the other orders the policy decides what is next
 * and the runtime gets that alone; it is not asked what to do next before it
 * has served that.
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

struct game_sim {
    const spn_drive_profile *drive;
    const spn_drive_profile *believed; /* what the runtime is told; NULL: the
                                        * truth */
    enum policy_kind order;
    uint64_t limit_us; /* UINT64_MAX: until all has ended */
    uint32_t heap_mib;
    uint32_t piece_bytes;             /* 0: the default */
    const spn_emulator_fault *faults; /* of drive 0 */
    uint32_t fault_count;
};

/* Does the runtime itself choose in this order? */
bool game_sim_is_own(enum policy_kind order);

/* False when the runtime did what it must not: a read that completed twice or
 * never, a wrong byte, a standstill. Says so; EXIT_INTERNAL. What waits at the
 * limit is counted as that, and must end all the same, after it. The same when
 * it refuses to start. False also when the pak is damaged: refused. */
bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag);

#endif
