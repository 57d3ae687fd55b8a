/* order_sim.h - an order of reads on one drive under a generated load.
 *
 * A loop in virtual time: it takes the next reads from a reference_queue
 * (reference_orders.h), has the drive model read them whole, and repeats. While
 * no read waits, the clock moves on by ORDER_SIM_FRAME_US. Only the order is
 * simulated: there are no pieces, no memory limits and no decoding, as there
 * are in simulate/game_sim.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ORDER_SIM_H
#define TESTS_SUPPORT_ORDER_SIM_H

#include "simulate/tally.h"
#include "simulate/workload.h"
#include "support/reference_orders.h"

#include <stdbool.h>
#include <stdint.h>

#define ORDER_SIM_FRAME_US 33000u

struct order_sim {
    struct workload_config workload; /* .drive: what the drive model does */
    enum reference_order order;
    /* The profile by which the order predicts seeks; NULL: workload.drive. */
    const spn_drive_profile *believed;
    bool is_learning; /* correct the prediction by each read that ended */
    uint64_t seconds; /* of virtual time */
};

struct order_sim_result {
    struct tally tally;  /* the caller releases it by tally_free */
    uint64_t time_us;    /* length of the run */
    uint64_t busy_us;    /* the drive's time */
    uint64_t command_us; /* of it, without seeks, rotation and transfer */
    uint64_t coalesced;  /* reads coalesced with another */
    uint64_t stalled_us; /* sum over streams: playback waited for data */
    uint64_t playing_us; /* sum over streams: playback was due */
};

/* Run a generated game. Returns false, and leaves no tally to release, when
 * workload_create refuses the configuration. */
bool order_sim_run(const struct order_sim *sim, struct order_sim_result *out);

struct order_sim_burst {
    uint64_t read_us;     /* from the requests to the end of the last read */
    uint64_t transfer_us; /* the part of it that is transfer: a lower bound */
};

/* Read the files of a loading screen of scene `scene`, from 0, at once;
 * the head starts far from them. Returns false as above, or when there is no
 * such scene. */
bool order_sim_run_burst(const struct order_sim *sim, uint32_t scene,
                         struct order_sim_burst *out);

/* Derive a profile of which only the mean rate is true: every seek takes
 * `seek_us`. */
void order_sim_flatten(const spn_drive_profile *drive, uint32_t seek_us,
                       spn_drive_profile *out);

#endif
