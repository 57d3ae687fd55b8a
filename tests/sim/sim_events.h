/* sim_events.h - a caller that listens to events of caches and nodes.
 *
 * In half of the seeds. Each event is checked against what the caller has done
 * and what can be polled (spindle/geom_event.h says when it comes), and no
 * event may be missing. Some events make the caller destroy nodes, close
 * caches, stop, set views, or stop to listen. The draws have a generator of
 * their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_EVENTS_H
#define TESTS_SIM_SIM_EVENTS_H

#include "harness.h"
#include "sim/sim_unload.h"
#include "sim/sim_views.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;

/* How a node moves. */
struct sim_motion {
    int64_t time_us; /* as set */
    int64_t first_us;
    int64_t last_us;
    spn_range_mode mode;
    int32_t set_permille; /* 0: the runtime infers rate and direction */
};

/* A node at the end of the last update. */
struct sim_last_node {
    spn_node node; /* 0: none */
    spn_node_state state;
    struct sim_motion motion;
    bool is_touched;        /* the caller has stopped or started it, changed its
                           * range or jumped since */
    bool is_touched_inside; /* the same, by a reaction to an event */
    bool is_degraded;       /* its last event of this kind */
    bool was_precached; /* such an event has come, or it was not listened to */
    bool may_have_failed; /* it was not listened to then */
    spn_status failed;    /* of its last failure */
};

/* A cache at the end of the last update. */
struct sim_last_cache {
    spn_cache cache;
    bool is_open;
    bool is_loaded;
    bool has_failed;      /* since it was loaded last */
    bool may_have_failed; /* since then, before it was listened to */
};

struct sim_events {
    struct test_random random;
    bool is_on;
    bool is_listening;
    bool is_inside;    /* in a call of the function */
    uint64_t last_key; /* place of the last event in the order of an update */
    bool has_reacted;  /* to an event of this update */
    bool is_lost;      /* the planted bug has occurred */
    uint32_t kinds_of_caches[SIM_CACHES]; /* of this update; one bit each */
    uint32_t kinds_of_nodes[SIM_VIEWS];
    /* Updates that a cache has been loaded for before this one, at most 2. A
     * passage of an end while it was not is reported late. */
    uint32_t loaded_for[SIM_CACHES];
    struct sim_last_cache caches[SIM_CACHES];
    struct sim_last_node nodes[SIM_VIEWS];
};

void sim_events_init(struct sim *sim);
/* After spn_init. */
void sim_events_begin(struct sim *sim);
/* The caller interrupts the motion of a node. */
void sim_events_touch(struct sim *sim, uint32_t slot);
/* Immediately before spn_update; after it, and after sim_unload_end_update. */
void sim_events_begin_update(struct sim *sim);
void sim_events_end_update(struct sim *sim);

#endif
