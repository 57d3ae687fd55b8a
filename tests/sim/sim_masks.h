/* sim_masks.h - nodes that leave out meshes.
 *
 * In half of the seeds nodes change their masks now and then. The draws have a
 * generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_MASKS_H
#define TESTS_SIM_SIM_MASKS_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_node;

struct sim_mask {
    spn_node node; /* whose mask this is; another node has none */
    uint32_t word;
};

struct sim_masks {
    struct test_random random;
    bool is_on;
    struct sim_mask masks[MADE_NODES_MAX];
    /* Meshes of each clip, a bit each: that a node does not want in this
     * update; that a node which plays wants; that were decoded for no node in
     * some update, so that frames without them may still be there. */
    uint32_t omitted[MADE_CLIPS];
    uint32_t decoded[MADE_CLIPS];
    uint32_t lacked[MADE_CLIPS];
};

void sim_masks_init(struct sim *sim);
/* Before an update: change the mask of a node. */
void sim_masks_frame(struct sim *sim, const struct sim_node *n);
/* Immediately before an update, for all nodes. */
void sim_masks_begin_note(struct sim *sim);
void sim_masks_note(struct sim *sim, const struct sim_node *n,
                    const spn_node_state *state);
void sim_masks_end_note(struct sim *sim);
/* Faults are over: all meshes are wanted. */
void sim_masks_end_faults(struct sim *sim);
/* Whether a node wants a mesh. */
bool sim_masks_wants(const struct sim *sim, const struct sim_node *n,
                     uint32_t mesh);
/* Whether frames of the clip may have been decoded without the mesh. */
bool sim_masks_may_lack(const struct sim *sim, uint32_t clip, uint32_t mesh);

#endif
