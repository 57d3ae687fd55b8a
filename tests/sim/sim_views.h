/* sim_views.h - a caller that sets views: hides nodes, moves them, and changes
 * when they are unloaded.
 *
 * In half of the seeds nodes get views (spindle/geom_view.h). The draws have a
 * generator of their own. A view's effects are computed from its values by the
 * rules of the manual. The time at which the runtime reads the clock is known
 * within bounds, so the answer may be that both are possible.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_VIEWS_H
#define TESTS_SIM_SIM_VIEWS_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* Slots of views: the nodes of the scene, and those of caches with shared
 * meshes. */
#define SIM_VIEWS (MADE_NODES_MAX + MADE_SHARED_CACHES)

struct sim;
struct sim_node;

enum sim_truth { SIM_NO, SIM_MAYBE, SIM_YES };

struct sim_view {
    spn_node node; /* whose view it is; 0: nobody's */
    spn_view set;
    bool is_far;       /* beyond stream_distance */
    bool has_stand_in; /* beyond stand_in_distance */
    bool is_away;
    /* While is_away: bounds of the time at which it began. */
    uint64_t since_least_us;
    uint64_t since_most_us;
};

struct sim_views {
    struct test_random random;
    bool is_on;
    bool may_unload;
    uint32_t unload_ms;
    struct sim_view now[SIM_VIEWS];
    /* The last update: the views that it found, and bounds of its time. */
    struct sim_view found[SIM_VIEWS];
    uint64_t least_us;
    uint64_t most_us;
};

void sim_views_init(struct sim *sim);
/* Before an update: change the view of a node, perhaps. */
void sim_views_frame(struct sim *sim, uint32_t slot, spn_node node);
/* Set any view. */
void sim_views_change(struct sim *sim, uint32_t slot, spn_node node);
/* Immediately before and after spn_update. */
void sim_views_begin_update(struct sim *sim);
void sim_views_end_update(struct sim *sim);

/* In the last update: whether the view kept the node from streaming; whether
 * the node had been away for so long that its cache may be unloaded. */
enum sim_truth sim_views_forbids(const struct sim *sim, uint32_t slot,
                                 spn_node node);
enum sim_truth sim_views_is_gone(const struct sim *sim, uint32_t slot,
                                 spn_node node);
/* In the last update: whether the view starts a node that was not started. */
bool sim_views_starts(const struct sim *sim, uint32_t slot, spn_node node);
/* After an update: what is drawn, whether it streams, what it leaves out. */
void sim_views_check(struct sim *sim, struct sim_node *n,
                     const spn_node_state *state);

/* Faults are over: all views are visible and near. */
void sim_views_end_faults(struct sim *sim);
/* The node of a slot; 0: none. */
spn_node sim_views_node(const struct sim *sim, uint32_t slot);
/* Hide or show all nodes. */
void sim_views_set_all(struct sim *sim, bool is_visible);

#endif
