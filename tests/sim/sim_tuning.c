/* sim_tuning.c - a caller that changes tuning variables. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_tuning.h"

#include "sim/sim.h"

#include <stdio.h>

void sim_tuning_init(struct sim *sim)
{
    struct sim_tuning *t = &sim->tuning;

    t->random = (struct test_random){sim->options.seed ^ 0x7475u};
    t->is_on = test_random_below(&t->random, 2) == 0;
}

static void set(struct sim *sim, const char *name, uint32_t value)
{
    char text[16];

    snprintf(text, sizeof text, "%u", value);
    sim_note(sim, name, value, 0, 0);
    SIM_MUST(sim, SIM_STATUS, spn_tuning_set(sim->rt, name, text) == SPN_OK);
}

static void set_geometry(struct sim *sim, bool is_off)
{
    sim->tuning.is_off = is_off;
    set(sim, "geometry", !is_off);
}

/* From a sixteenth of the heap on. */
static void set_limit(struct sim *sim)
{
    struct sim_tuning *t = &sim->tuning;
    const uint32_t heap_kib = sim->config.heap_bytes / 1024;

    t->limit_kib = heap_kib / 16 + test_random_below(&t->random, heap_kib);
    if (t->limit_kib < 64)
        t->limit_kib = 64;
    set(sim, "stream_memory_kib", t->limit_kib);
}

void sim_tuning_frame(struct sim *sim)
{
    struct sim_tuning *t = &sim->tuning;

    if (!t->is_on || sim->swarm.is_over ||
        test_random_below(&t->random, 64) != 0)
        return;
    switch (test_random_below(&t->random, 4)) {
    case 0:
        set_geometry(sim, !t->is_off);
        break;
    case 1:
        set_limit(sim);
        break;
    case 2:
        set(sim, "read_budget_kib", 1 + test_random_below(&t->random, 2048));
        break;
    default:
        set(sim, "time_group_ms", 10 + test_random_below(&t->random, 5000));
        break;
    }
}

/* Promises fit the limit; what is kept does, apart from what jobs and reads
 * use beyond a promise. */
static void check_limit(struct sim *sim)
{
    const struct promises *p = &sim->rt->manager.promises;

    SIM_MUST(sim, SIM_STRUCTURE, p->promised_pages <= p->limit_pages);
    SIM_MUST(sim, SIM_STRUCTURE,
             p->keeper.kept_pages <=
                 (uint64_t)p->limit_pages + p->beyond_pages);
}

/* No node shows a picture while geometry is off. */
void sim_tuning_check(struct sim *sim)
{
    check_limit(sim);
    for (uint32_t i = 0; sim->tuning.is_off && i < SIM_NODES; i++) {
        spn_node_state state;

        if (!sim->scene.nodes[i].node)
            continue;
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_get_state(sim->rt, sim->scene.nodes[i].node,
                                    &state) == SPN_OK);
        SIM_MUST(sim, SIM_PICTURE, state.shown_frame == UINT32_MAX);
    }
}

void sim_tuning_end_faults(struct sim *sim)
{
    if (!sim->tuning.is_on)
        return;
    set_geometry(sim, false);
    set(sim, "stream_memory_kib", 4194304);
    set(sim, "read_budget_kib", 10240);
    set(sim, "time_group_ms", 2000);
}
