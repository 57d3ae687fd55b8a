/* sim_memory.c - change the limit of caches that play from memory, and check
 * that these read and decode once. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_memory.h"

#include "play/cache.h"
#include "sim/sim.h"

#include <stdio.h>

void sim_memory_init(struct sim *sim)
{
    sim->memory_play =
        (struct sim_memory){.random = {sim->options.seed ^ 0x6d656d6f7279u}};
}

static void set_limit(struct sim *sim)
{
    struct test_random *random = &sim->memory_play.random;
    const uint32_t heap_kib = sim->config.heap_bytes / 1024;
    char text[16];
    uint32_t kib = test_random_below(random, heap_kib);

    switch (test_random_below(random, 4)) {
    case 0:
        kib = 0;
        break;
    case 1:
        kib = 16384;
        break;
    default:
        break;
    }
    snprintf(text, sizeof text, "%u", kib);
    sim_note(sim, "memory_play_kib", kib, 0, 0);
    SIM_MUST(sim, SIM_STATUS,
             spn_tuning_set(sim->rt, "memory_play_kib", text) == SPN_OK);
}

void sim_memory_frame(struct sim *sim)
{
    const bool is_first = sim->rt->manager.promises.keeper.stamp <= 1;

    if (is_first || (!sim->swarm.is_over &&
                     test_random_below(&sim->memory_play.random, 128) == 0))
        set_limit(sim);
}

/* No read of the cache has been started in this update. */
static void check_reads(struct sim *sim, const struct cache *c)
{
    const struct manager *m = &sim->rt->manager;

    for (const struct group_read *r = m->group_reads.pending; r; r = r->next)
        SIM_MUST(sim, SIM_STRUCTURE,
                 r->cache != c || r->start_stamp != m->promises.keeper.stamp);
}

void sim_memory_check(struct sim *sim)
{
    struct sim_memory *s = &sim->memory_play;
    const struct manager *m = &sim->rt->manager;
    const bool is_quiet = s->evicted == m->promises.evicted_frames;

    s->evicted = m->promises.evicted_frames;
    for (uint32_t i = 0; i < m->cache_pool.capacity && i < SIM_MEMORY_CACHES;
         i++) {
        const struct cache *c = &m->caches[i];
        spn_cache_info info = {0};
        bool is_kept = spn_cache_get_info(sim->rt, c->handle, &info) == SPN_OK;

        /* Frames that lack meshes are decoded again. */
        is_kept = is_kept && info.keeps_all_frames && !c->is_masked &&
                  !c->has_lacking;
        if (is_kept && s->caches[i] == c->handle && is_quiet) {
            SIM_MUST(sim, SIM_STRUCTURE, info.decoded_count >= s->decoded[i]);
            if (s->decoded[i] == info.frame_count) {
                check_reads(sim, c);
                swarm_hit(&sim->swarm, SWARM_FROM_MEMORY);
            }
        }
        s->caches[i] = is_kept ? c->handle : 0;
        s->decoded[i] = info.decoded_count;
    }
}
