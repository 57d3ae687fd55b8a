/* engine_sim.h - a made up game through the real engine, in virtual time.
 *
 * A runtime without threads reads one large file, the disc, whose bytes follow
 * from their places; the emulator says how long that takes. Everything of the
 * engine is at work: its order, pieces, runs, its budget, what it learns. Each
 * request of the game is a read with a storage callback, of the task type of
 * its class; when it completes, every byte is looked at.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_ENGINE_SIM_H
#define OFFLINE_SIMULATE_ENGINE_SIM_H

#include "simulate/tally.h"
#include "simulate/workload.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct engine_sim {
    struct workload_config workload;   /* its drive is the real one */
    spn_order order;                   /* automatic: the sweep */
    const spn_drive_profile *believed; /* what the engine is told; NULL: the
                                        * truth */
    const spn_emulator_fault *faults;
    uint32_t fault_count;
    uint32_t piece_bytes; /* 0: the default */
    bool is_idle_bulk;    /* what is bulk has the priority idle, no deadline */
    uint64_t seconds;
};

struct engine_sim_result {
    struct tally tally;
    uint64_t still_us;   /* streams that had to wait */
    uint64_t playing_us; /* that they were to play */
    spn_medium_stats stats;
    uint64_t completed; /* reads, whatever became of them */
    uint64_t started;
    uint64_t failed; /* not aborted, and not done */
    uint32_t pending_peak;
    /* The longest of each class that is not over in the end has waited. */
    uint64_t waiting_us[SWEEP_CLASSES];
    uint64_t bad_reads; /* done, with a byte that is not the disc's */
};

/* False for a workload or a config that cannot be. Else free the tally. Every
 * read that was started has completed, once, when it returns. */
bool engine_sim_run(const struct engine_sim *sim,
                    struct engine_sim_result *out);

/* A scene is entered, and everything is wanted at once: see workload_burst.
 * False as above, or when there is no such scene. */
struct engine_burst {
    uint64_t read_us;     /* from all that is asked for to all that is there */
    uint64_t transfer_us; /* of that, moving the bytes: the bound */
};
bool engine_sim_burst(const struct engine_sim *sim, uint32_t scene,
                      struct engine_burst *out);

#endif
