/* sim_unload.h - which caches are loaded, and which must or must not be.
 *
 * A cache may only be unloaded in an update that finds all of its nodes away
 * for long enough. While it is unloaded, its tables are there and its static
 * data is not.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_UNLOAD_H
#define TESTS_SIM_SIM_UNLOAD_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* The caches of the scene, and those with shared meshes. */
#define SIM_CACHES (MADE_CLIPS + MADE_SHARED_CACHES)

struct sim;

struct sim_loaded {
    spn_cache cache; /* 0: not open */
    spn_status status;
    bool is_loaded;
    bool is_unknown; /* it is open and not loaded, and no node says why */
    spn_status load_status; /* while it is open and not loaded */
};

struct sim_unload {
    struct sim_loaded caches[SIM_CACHES]; /* after the last update */
    /* What the last update found. */
    spn_cache found[SIM_CACHES];
    uint32_t nodes[SIM_CACHES];
};

/* The caller's handle of a cache. */
spn_cache sim_cache_handle(const struct sim *sim, uint32_t cache);
struct sim_loaded sim_unload_look(struct sim *sim, uint32_t cache);
void sim_unload_begin_update(struct sim *sim);
void sim_unload_end_update(struct sim *sim);
/* True if all caches with nodes are unloaded; then checks the heap. */
bool sim_unload_is_all_unloaded(struct sim *sim);

#endif
