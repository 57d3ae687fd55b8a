/* sim_scene.h - the caller's caches and nodes, and the frames that they
 * show. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_SCENE_H
#define TESTS_SIM_SIM_SCENE_H

#include "sim/made_disc.h"
#include "sim/sim_levels.h"

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
    bool is_stopped;     /* streaming is stopped */
    bool is_started;     /* it was started, and not stopped since */
    uint32_t leaps_left; /* of the scrubbing under way */
    bool is_orphan;      /* its cache was closed before it was ready */
    int64_t time_us;
    int64_t set_us;       /* the playback time set last */
    uint64_t ready_count; /* frames in which it was ready */
    struct sim_cut cut;
};

struct sim_scene {
    spn_cache caches[MADE_CLIPS]; /* 0: not open */
    spn_cache old_caches[MADE_CLIPS];
    struct sim_node nodes[SIM_NODES];
    uint64_t shown_us; /* clock of the last frame */
    uint64_t frames;   /* checked frames */
    uint32_t round;
};

void sim_scene_init(struct sim *sim);
/* The heap needed for everything that the caller plays at a time. */
uint64_t sim_scene_heap_bytes(const struct sim *sim);
/* Call before and after an update. */
void sim_scene_frame(struct sim *sim);
/* Call immediately before an update. */
void sim_scene_note(struct sim *sim);
void sim_scene_check_frames(struct sim *sim);
void sim_scene_end_faults(struct sim *sim);
/* From now on nodes have to become ready again. */
void sim_scene_forget_ready(struct sim *sim);
/* Faults are over: open, create and play everything. True: all play on time. */
bool sim_scene_recover(struct sim *sim);
/* Destroy nodes with damaged frames in caches that play from memory: a loop
 * does not try these frames again, and a new node does. */
void sim_scene_begin_again(struct sim *sim);
/* Whether a cache may fail with this status. */
bool sim_scene_is_legal(const struct sim *sim, uint32_t cache,
                        spn_status status);
void sim_scene_destroy_node(struct sim *sim, struct sim_node *n);
void sim_scene_stop(struct sim *sim, struct sim_node *n);
void sim_scene_close_cache(struct sim *sim, uint32_t clip);
/* Log the state of each node, to analyse failures. */
void sim_scene_log(struct sim *sim);
void sim_scene_close(struct sim *sim);

#endif
