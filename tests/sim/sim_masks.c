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

static uint32_t index_of(const struct sim *sim, const struct sim_node *n)
{
    return (uint32_t)(n - sim->scene.nodes);
}

static void set(struct sim *sim, const struct sim_node *n, uint32_t word)
{
    sim->masks.masks[index_of(sim, n)] = (struct sim_mask){n->node, word};
    sim_note(sim, "mask", n->node, word, 0);
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_mesh_mask(sim->rt, n->node, &word, 1) == SPN_OK);
    swarm_hit(&sim->swarm, SWARM_MASK);
}

void sim_masks_frame(struct sim *sim, const struct sim_node *n)
{
    struct sim_masks *m = &sim->masks;

    if (m->is_on && !sim->swarm.is_over &&
        test_random_below(&m->random, 32) == 0)
        set(sim, n, test_random_below(&m->random, 4));
}

void sim_masks_end_faults(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_NODES_MAX; i++) {
        const struct sim_node *n = &sim->scene.nodes[i];

        if (n->node != 0 && sim->masks.masks[i].node == n->node)
            set(sim, n, UINT32_MAX);
    }
}

static uint32_t mask_of(const struct sim *sim, const struct sim_node *n)
{
    const struct sim_mask *mask = &sim->masks.masks[index_of(sim, n)];

    return mask->node == n->node ? mask->word : UINT32_MAX;
}

bool sim_masks_wants(const struct sim *sim, const struct sim_node *n,
                     uint32_t mesh)
{
    return mask_of(sim, n) >> mesh & 1u;
}

/* -- meshes that are not decoded -- */

void sim_masks_begin_note(struct sim *sim)
{
    memset(sim->masks.omitted, 0, sizeof sim->masks.omitted);
    memset(sim->masks.decoded, 0, sizeof sim->masks.decoded);
}

void sim_masks_note(struct sim *sim, const struct sim_node *n,
                    const spn_node_state *state)
{
    const uint32_t word = mask_of(sim, n);

    sim->masks.omitted[n->clip] |= ~word;
    /* Another one may not stream, or not yet, or not any more after the update
     * that comes. */
    if (state->is_streaming && state->shown_frame != UINT32_MAX &&
        !sim->views.now[index_of(sim, n)].is_away)
        sim->masks.decoded[n->clip] |= word;
}

void sim_masks_end_note(struct sim *sim)
{
    struct sim_masks *m = &sim->masks;

    for (uint32_t i = 0; i < MADE_CLIPS; i++)
        m->lacked[i] |= m->omitted[i] & ~m->decoded[i];
}

bool sim_masks_may_lack(const struct sim *sim, uint32_t clip, uint32_t mesh)
{
    return sim->masks.lacked[clip] >> mesh & 1u;
}
