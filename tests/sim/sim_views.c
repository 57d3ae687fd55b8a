/* sim_views.c - set views, and compute what follows from them. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_views.h"

#include "sim/sim.h"

#include <string.h>

#define LIMIT 100
/* Stand-ins of a node: its slot and one of these. */
#define FIRST 1u
#define LAST 2u
#define OTHER 3u

void sim_views_init(struct sim *sim)
{
    struct sim_views *v = &sim->views;

    memset(v, 0, sizeof *v);
    v->is_on = sim_is_in_seed(sim, UINT64_C(0x76696577730000d5), CANARY_UNLOAD,
                              &v->random);
    v->may_unload = true;
    v->unload_ms = 5000;
}

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->views.random, limit);
}

/* -- the rules of the manual -- */

/* It goes beyond a limit at 9/8 of it, and comes back at the limit itself. */
static bool is_beyond(float distance, float limit, bool was_beyond)
{
    const int32_t d = (int32_t)distance;
    const int32_t l = (int32_t)limit;

    return l > 0 && d > l && (was_beyond || 8 * d > 9 * l);
}

static void set(struct sim *sim, uint32_t slot, spn_node node,
                const spn_view *view)
{
    struct sim_view *v = &sim->views.now[slot];
    const uint64_t least_us = sim->clock.shown_us;
    bool was_away;

    SIM_MUST(sim, SIM_STATUS, spn_node_set_view(sim->rt, node, view) == SPN_OK);
    if (!view || v->node != node)
        *v = (struct sim_view){0};
    if (!view)
        return;
    was_away = v->is_away;
    v->node = node;
    v->set = *view;
    v->is_far = is_beyond(view->distance, view->stream_distance, v->is_far);
    v->has_stand_in =
        is_beyond(view->distance, view->stand_in_distance, v->has_stand_in);
    v->is_away = v->is_far || !view->is_visible;
    if (v->is_away && !was_away) {
        v->since_least_us = least_us;
        v->since_most_us = sim->clock.shown_us;
    }
}

static const struct sim_view *find(const struct sim_view *views, uint32_t slot,
                                   spn_node node)
{
    return views[slot].node == node ? &views[slot] : NULL;
}

enum sim_truth sim_views_is_gone(const struct sim *sim, uint32_t slot,
                                 spn_node node)
{
    const struct sim_views *views = &sim->views;
    const struct sim_view *v = find(views->found, slot, node);
    const uint64_t after_us = views->unload_ms * UINT64_C(1000);

    if (!v || !v->is_away || after_us == 0)
        return SIM_NO;
    if (views->least_us >= v->since_most_us + after_us)
        return SIM_YES;
    return views->most_us >= v->since_least_us + after_us ? SIM_MAYBE : SIM_NO;
}

enum sim_truth sim_views_forbids(const struct sim *sim, uint32_t slot,
                                 spn_node node)
{
    const struct sim_view *v = find(sim->views.found, slot, node);

    return v && v->is_far ? SIM_YES : sim_views_is_gone(sim, slot, node);
}

bool sim_views_starts(const struct sim *sim, uint32_t slot, spn_node node)
{
    const struct sim_view *v = find(sim->views.found, slot, node);

    return v && v->set.stream_distance > 0 && !v->is_away;
}

/* -- changes -- */

static uintptr_t draw_stand_in(struct sim *sim, uint32_t slot, uint32_t which)
{
    return below(sim, 3) == 0 ? 0 : slot * 4 + which;
}

void sim_views_change(struct sim *sim, uint32_t slot, spn_node node)
{
    static const uint16_t distances[] = {0,   40,  50,  55,  60, 99,
                                         100, 101, 110, 113, 150};
    static const uint32_t levels[] = {0, 0, 1, 2, SPN_LEVELS_NONE};
    spn_view view = {0};
    bool is_none;

    /* Compilers evaluate the values of an initializer in different orders. */
    view.is_visible = below(sim, 3) != 0;
    view.distance = distances[below(sim, 11)];
    view.stream_distance = below(sim, 2) == 0 ? LIMIT : 0;
    view.stand_in_distance = below(sim, 2) == 0 ? LIMIT / 2 : 0;
    view.stand_in_first = draw_stand_in(sim, slot, FIRST);
    view.stand_in_last = draw_stand_in(sim, slot, LAST);
    view.stand_in_other = draw_stand_in(sim, slot, OTHER);
    view.importance = below(sim, 4);
    view.level_max = levels[below(sim, 5)];
    is_none = below(sim, 8) == 0;

    sim_note(sim, "view", node, (uint64_t)view.is_visible << 1 | is_none,
             (int64_t)view.distance);
    set(sim, slot, node, is_none ? NULL : &view);
    swarm_hit(&sim->swarm, SWARM_VIEW);
}

void sim_views_frame(struct sim *sim, uint32_t slot, spn_node node)
{
    if (sim->views.is_on && !sim->swarm.is_over && below(sim, 24) == 0)
        sim_views_change(sim, slot, node);
}

static void tune(struct sim *sim, const char *name, uint32_t value)
{
    char text[16];

    snprintf(text, sizeof text, "%u", value);
    sim_note(sim, name, value, 0, 0);
    SIM_MUST(sim, SIM_STATUS, spn_tuning_set(sim->rt, name, text) == SPN_OK);
}

static void set_unloading(struct sim *sim, bool may_unload, uint32_t after_ms)
{
    sim->views.may_unload = may_unload;
    sim->views.unload_ms = after_ms;
    tune(sim, "unload_hidden", may_unload);
    tune(sim, "unload_after_ms",
         sim->options.canary == CANARY_UNLOAD ? 1 : after_ms);
}

static void draw_unloading(struct sim *sim)
{
    static const uint32_t choices[] = {0, 1, 50, 100, 300, 5000};
    const uint32_t after_ms = choices[below(sim, 6)];
    const bool may_unload = below(sim, 6) != 0;

    set_unloading(sim, may_unload, after_ms);
}

void sim_views_begin_update(struct sim *sim)
{
    struct sim_views *v = &sim->views;

    if (v->is_on && !sim->swarm.is_over && below(sim, 64) == 0)
        draw_unloading(sim);
    memcpy(v->found, v->now, sizeof v->found);
    v->least_us = sim->clock.shown_us;
}

void sim_views_end_update(struct sim *sim)
{
    sim->views.most_us = sim->clock.shown_us;
}

/* -- what is drawn -- */

/* A stand-in that the rules allow: for the first time, the last one, both, or
 * another. */
static bool may_be(const spn_view *view, bool is_first, bool is_last,
                   uintptr_t stand_in)
{
    if (is_first && view->stand_in_first != 0)
        return stand_in == view->stand_in_first ||
               (is_last && stand_in == view->stand_in_last);
    if (is_last && view->stand_in_last != 0)
        return stand_in == view->stand_in_last;
    return stand_in == view->stand_in_other;
}

static bool fits(const struct sim_node *n, const spn_view *view,
                 spn_range_mode mode, int64_t first_us, int64_t last_us,
                 uintptr_t stand_in)
{
    const bool is_once = mode == SPN_ONCE;
    /* A range of one time shows that time. */
    const int64_t time_us = first_us == last_us ? first_us : n->set_us;

    return may_be(view, time_us == first_us || (is_once && time_us < first_us),
                  is_once && time_us >= last_us, stand_in);
}

/* Until the cache is open, its clip does not limit the range. */
static bool is_stand_in(const struct sim *sim, const struct sim_node *n,
                        const spn_view *view, uintptr_t stand_in)
{
    const struct sim_ends e = sim_playback_ends(sim, n);

    return fits(n, view, e.mode, e.first_us, e.last_us, stand_in) ||
           fits(n, view, e.mode, e.set_first_us, e.set_last_us, stand_in);
}

static void check_drawing(struct sim *sim, const struct sim_node *n,
                          const struct sim_view *v, const spn_node_state *state)
{
    const bool is_decoded = state->shown_frame != UINT32_MAX;
    bool has_stand_in = v && (v->has_stand_in || !is_decoded);
    spn_drawing drawing;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_drawing(sim->rt, n->node, &drawing) == SPN_OK);
    SIM_MUST(sim, SIM_SCENE,
             (drawing.what == SPN_DRAW_STAND_IN) == (drawing.stand_in != 0));
    if (sim->tuning.is_off || (v && !v->set.is_visible)) {
        SIM_MUST(sim, SIM_SCENE, drawing.what == SPN_DRAW_NOTHING);
        return;
    }
    if (has_stand_in && !is_stand_in(sim, n, &v->set, drawing.stand_in))
        sim_fail(sim, SIM_SCENE, "clip %u at %lld us: stand-in %u", n->clip,
                 (long long)n->set_us, (unsigned)drawing.stand_in);
    if (has_stand_in && drawing.stand_in != 0) {
        swarm_hit(&sim->swarm, SWARM_STAND_IN);
        return;
    }
    SIM_MUST(sim, SIM_SCENE,
             drawing.what == (is_decoded ? SPN_DRAW_CACHE : SPN_DRAW_NOTHING));
}

/* -- whether it streams, and with which frames -- */

/* Where memory does not suffice, a node may have been refused. */
static void check_streaming(struct sim *sim, const struct sim_node *n,
                            uint32_t slot, const spn_node_state *state)
{
    const enum sim_truth is_forbidden = sim_views_forbids(sim, slot, n->node);
    const bool may_be_refused = sim->is_poor || sim->tuning.is_on ||
                                sim->swarm.level[SWARM_NO_MEMORY] != SWARM_OFF;

    if (state->is_streaming)
        SIM_MUST(sim, SIM_SCENE, n->is_started && is_forbidden != SIM_YES);
    else if (!may_be_refused)
        SIM_MUST(sim, SIM_SCENE, !n->is_started || is_forbidden != SIM_NO);
    if (is_forbidden == SIM_YES) {
        SIM_MUST(sim, SIM_SCENE, state->shown_frame == UINT32_MAX);
        if (n->is_started)
            swarm_hit(&sim->swarm, SWARM_HIDDEN);
    }
}

void sim_views_check(struct sim *sim, struct sim_node *n,
                     const spn_node_state *state)
{
    const uint32_t slot = (uint32_t)(n - sim->scene.nodes);
    const struct sim_view *v = find(sim->views.now, slot, n->node);
    const struct sim_view *found = find(sim->views.found, slot, n->node);

    if (!sim->views.is_on)
        return;
    check_drawing(sim, n, v, state);
    /* A reaction to an event may have changed the view since. */
    if (memcmp(&sim->views.now[slot], &sim->views.found[slot],
               sizeof sim->views.now[slot]) == 0)
        check_streaming(sim, n, slot, state);
    if (found && found->set.level_max != 0 && state->left_out_permille > 0) {
        const uint32_t most =
            found->set.level_max == SPN_LEVELS_NONE ? 0 : found->set.level_max;

        SIM_MUST(sim, SIM_SCENE, most > 0 && state->level <= most);
    }
}

/* -- the end of faults -- */

spn_node sim_views_node(const struct sim *sim, uint32_t slot)
{
    return slot < SIM_NODES ? sim->scene.nodes[slot].node
                            : sim->shared.caches[slot - SIM_NODES].node;
}

void sim_views_set_all(struct sim *sim, bool is_visible)
{
    const spn_view view = {.is_visible = is_visible};

    for (uint32_t i = 0; i < SIM_VIEWS; i++)
        if (sim_views_node(sim, i) != 0)
            set(sim, i, sim_views_node(sim, i), &view);
}

void sim_views_end_faults(struct sim *sim)
{
    if (!sim->views.is_on)
        return;
    set_unloading(sim, true, 100);
    sim_views_set_all(sim, true);
}
