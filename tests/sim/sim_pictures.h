/* sim_pictures.h - fill a mesh of a node, and check what it shows.
 *
 * The content of the vertices, the frames and the status must be those that the
 * time, the range, the mask and the level of the node want.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_PICTURES_H
#define TESTS_SIM_SIM_PICTURES_H

#include <spindle/spindle.h>
#include <stdint.h>

struct sim;
struct sim_node;

/* What a node shows between two updates, by spn_node_fill. */
struct sim_shown {
    uint32_t mesh;
    spn_status status;
    spn_fill_result result; /* if `status` is SPN_OK */
};

struct sim_shown sim_picture_check(struct sim *sim, const struct sim_node *n,
                                   const spn_node_state *state, uint32_t mesh);
/* Fail unless two ways to fill the same mesh use the same frames. */
void sim_picture_compare(struct sim *sim, const spn_fill_result *a,
                         const spn_fill_result *b);

#endif
