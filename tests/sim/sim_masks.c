/* sim_masks.c - change the masks of nodes. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_masks.h"

#include "sim/sim.h"

#include <string.h>

void sim_masks_init(struct sim *sim)
{
    struct sim_masks *m = &sim->masks;

    memset(m, 0, sizeof *m);
    m->random.state = sim->options.seed ^ 0x6d61736b73212121u;
    m->is_on = test_random_below(&m->random, 2) == 0;
}

static void set(struct sim *sim, uint32_t index, spn_node node, uint32_t word)
{
    sim->masks.masks[index] = (struct sim_mask){node, word};
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_mesh_mask(sim->rt, node, &word, 1) == SPN_OK);
}

void sim_masks_frame(struct sim *sim, uint32_t index, spn_node node)
{
    struct sim_masks *m = &sim->masks;

    if (m->is_on && !sim->swarm.is_over &&
        test_random_below(&m->random, 32) == 0)
        set(sim, index, node, test_random_below(&m->random, 4));
}

void sim_masks_end_faults(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_NODES_MAX; i++) {
        const spn_node node = sim->scene.nodes[i].node;

        if (node != 0 && sim->masks.masks[i].node == node)
            set(sim, i, node, UINT32_MAX);
    }
}

bool sim_masks_wants(const struct sim *sim, uint32_t index, spn_node node,
                     uint32_t mesh)
{
    const struct sim_mask *mask = &sim->masks.masks[index];

    return mask->node != node || (mask->word >> mesh & 1u);
}
