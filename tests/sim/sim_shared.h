/* sim_shared.h - a caller that opens and closes caches with equal static
 * meshes, plays them, and copies the meshes.
 *
 * In half of the seeds. The draws have a generator of their own. All copies of
 * a mesh have one id, which follows from its content, and the true vertices and
 * indices. Its references are counted by the caches that are open.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_SHARED_H
#define TESTS_SIM_SIM_SHARED_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_shared_cache {
    spn_cache cache; /* 0: not open */
    uint32_t references;
    spn_node node; /* plays it; 0: none */
    int64_t time_us;
    bool is_loaded; /* after the last update */
};

struct sim_shared {
    struct test_random random;
    bool is_on;
    uint32_t round;
    struct sim_shared_cache caches[MADE_SHARED_CACHES];
};

void sim_shared_init(struct sim *sim);
/* Add to heap and tables what the caches need. */
void sim_shared_add_sizes(const struct sim *sim, spn_config *config);
/* Before an update: open, close, play. */
void sim_shared_frame(struct sim *sim);
/* After an update: check the meshes. */
void sim_shared_check(struct sim *sim);
/* Faults are over: open and play all. True: all are loaded. */
bool sim_shared_recover(struct sim *sim);
void sim_shared_destroy_node(struct sim *sim, uint32_t cache);
/* Release one reference. */
void sim_shared_close_one(struct sim *sim, uint32_t cache);
void sim_shared_close(struct sim *sim);
/* A planted bug: a mesh gets a reference too many. False: there is none. */
bool sim_shared_leak(struct sim *sim);

#endif
