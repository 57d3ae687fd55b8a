/* policy_sim.h - policies on one drive under one load, in virtual time.
 *
 * The drive serves what the policy takes, whole, and asks again when it is
 * done. While nothing waits, the game asks 30 times a second. Nothing but the
 * order is at work here: no pieces, no memory, no decoding.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_POLICY_SIM_H
#define OFFLINE_SIMULATE_POLICY_SIM_H

#include "simulate/policy.h"
#include "simulate/tally.h"
#include "simulate/workload.h"

#include <stdbool.h>
#include <stdint.h>

#define POLICY_SIM_FRAME_US 33000u

struct policy_sim {
    struct workload_config workload; /* its drive is the real one */
    enum policy_kind policy;
    const spn_drive_profile *believed; /* what the policy is told; NULL: the
                                        * truth */
    bool is_learning;                  /* reads that ended mend it */
    uint64_t seconds;
};

struct policy_sim_result {
    struct tally tally;
    uint64_t still_us;   /* streams that had to wait */
    uint64_t playing_us; /* that they were to play */
};

/* False for a workload that cannot be. Else free the tally. */
bool policy_sim_run(const struct policy_sim *sim,
                    struct policy_sim_result *out);

struct policy_burst {
    uint64_t read_us;     /* from all that is asked for to all that is there */
    uint64_t transfer_us; /* of that, moving the bytes: the bound */
};

/* Scene `scene` is entered, and everything is wanted at once: see
 * workload_burst. The head comes from elsewhere. False as above, or when there
 * is no such scene. */
bool policy_sim_burst(const struct policy_sim *sim, uint32_t scene,
                      struct policy_burst *out);

/* A drive of which nothing is known but its mean rate: all seeks take so
 * long. */
void policy_sim_flatten(const spn_drive_profile *drive, uint32_t seek_us,
                        spn_drive_profile *out);

#endif
