/* sim_scene.h - the caller's caches and nodes, and what they show. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_SCENE_H
#define TESTS_SIM_SIM_SCENE_H

#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_NODES MADE_NODES_MAX

struct sim;

struct sim_node {
    spn_node node; /* 0: none */
    spn_node old_node;
    uint32_t clip; /* fixed by the seed */
    spn_priority priority;
    bool is_looping;
    bool is_stopped; /* streaming */
    bool is_orphan;  /* its cache was closed before it was there */
    int64_t time_us;
    int64_t set_us;       /* what the runtime was told last */
    uint64_t ready_count; /* looks at which it was ready */
};

struct sim_scene {
    spn_cache caches[MADE_CLIPS]; /* 0: not open */
    spn_cache old_caches[MADE_CLIPS];
    struct sim_node nodes[SIM_NODES];
    uint64_t shown_us; /* clock of the last frame */
    uint64_t frames;   /* that were looked at */
    uint32_t round;
};

void sim_scene_init(struct sim *sim);
/* The heap for all that it plays at a time. */
uint64_t sim_scene_heap_bytes(const struct sim *sim);
/* Before and after an update. */
void sim_scene_frame(struct sim *sim);
void sim_scene_look(struct sim *sim);
void sim_scene_heal(struct sim *sim);
/* Faults are over: open, create and play all. True: all play, on time. */
bool sim_scene_recover(struct sim *sim);
/* The state of each node into the log: for who wonders why. */
void sim_scene_tell(struct sim *sim);
void sim_scene_close(struct sim *sim);

#endif
