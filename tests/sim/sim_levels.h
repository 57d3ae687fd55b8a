/* sim_levels.h - which frames nodes leave out, by the manual.
 *
 * A node reports its level and how many frames it leaves out. From that, and
 * from the order of the frames in the clip, follows which frames those are: no
 * other knowledge of the runtime is used. Frames that come back do so from the
 * end of the decode-ahead time on; until playback is there, the frames before
 * it may still be left out.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_LEVELS_H
#define TESTS_SIM_SIM_LEVELS_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_node;

/* Eighths of levels: 8 * level + eighths of the next one. */
struct sim_cut {
    uint32_t cut;        /* that the node reported before the update */
    uint32_t near_cut;   /* the same, or a greater one before it fell */
    int64_t near_us;     /* playback until `near_cut` has ended */
    int64_t playback_us; /* the playback time then */
    spn_node node;       /* whose these are */
};

/* Immediately before an update: the picture of that update is chosen by what
 * is left out now. */
void sim_levels_note(struct sim *sim, struct sim_node *n,
                     const spn_node_state *state);
/* True if the node may leave out all frames from `first` to `limit` - 1. */
bool sim_levels_leave_out(const struct sim *sim, const struct sim_node *n,
                          uint32_t first, uint32_t limit);

#endif
