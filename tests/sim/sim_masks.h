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

struct sim_mask {
    spn_node node; /* whose mask this is; another node has none */
    uint32_t word;
};

struct sim_masks {
    struct test_random random;
    bool is_on;
    struct sim_mask masks[MADE_NODES_MAX];
};

void sim_masks_init(struct sim *sim);
/* Before an update: change the mask of a node.
 *
 * index  of the node in the scene */
void sim_masks_frame(struct sim *sim, uint32_t index, spn_node node);
/* Faults are over: all meshes are wanted. */
void sim_masks_end_faults(struct sim *sim);
/* Whether a node wants a mesh. */
bool sim_masks_wants(const struct sim *sim, uint32_t index, spn_node node,
                     uint32_t mesh);

#endif
