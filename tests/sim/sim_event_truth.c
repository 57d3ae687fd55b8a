/* sim_event_truth.c - compare polled states, and find the events between
 * them. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_event_truth.h"

#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

/* A longer step is a jump. */
#define JUMP_US 500000

/* The decode-ahead time, and some frames more. */
#define AHEAD_US 1000000

#define BIT(kind) (1u << (kind))

/* -- caches -- */

static struct sim_last_cache last_cache(const struct sim_last_cache *before,
                                        const struct sim_loaded *now)
{
    struct sim_last_cache h = {
        .cache = now->cache,
        .is_open = now->status == SPN_OK,
        .is_loaded = now->is_loaded,
        .has_failed = now->cache != 0 &&
                      (now->status < SPN_OK || now->load_status < SPN_OK)};

    if (before->cache != h.cache || h.is_loaded)
        return h;
    h.has_failed = h.has_failed || before->has_failed;
    h.may_have_failed = before->may_have_failed;
    return h;
}

void sim_event_take_cache(struct sim *sim, uint32_t number)
{
    static const struct sim_last_cache none;
    const struct sim_loaded now = sim_unload_look(sim, number);

    sim->events.caches[number] = last_cache(&none, &now);
    /* A failure before that one keeps a later one from being reported. */
    sim->events.caches[number].may_have_failed = !now.is_loaded;
}

static uint32_t kinds_between(const struct sim_last_cache *before,
                              const struct sim_last_cache *now)
{
    static const struct sim_last_cache none;
    uint32_t kinds = 0;

    if (before->cache != now->cache)
        before = &none;
    if (now->is_open && !before->is_open)
        kinds |= BIT(SPN_GEOM_OPENED);
    else if (now->is_loaded && !before->is_loaded)
        kinds |= BIT(SPN_GEOM_LOADED);
    if (before->is_loaded && !now->is_loaded)
        kinds |= BIT(SPN_GEOM_UNLOADED);
    if (now->has_failed && !before->has_failed)
        kinds |= BIT(SPN_GEOM_FAILED);
    return kinds;
}

/* One that was closed in this update may have had events before. */
void sim_event_end_cache(struct sim *sim, uint32_t number)
{
    struct sim_events *e = &sim->events;
    const struct sim_last_cache before = e->caches[number];
    struct sim_last_cache now =
        last_cache(&before, &sim->unload.caches[number]);
    const uint32_t found = e->kinds_of_caches[number];
    uint32_t expected;

    /* Without a node no event reports that it could not be loaded again. */
    if (sim->unload.caches[number].is_unknown || now.may_have_failed)
        now.has_failed = now.has_failed || (found & BIT(SPN_GEOM_FAILED));
    expected = kinds_between(&before, &now);
    if (now.may_have_failed && !(found & BIT(SPN_GEOM_FAILED)))
        expected &= ~BIT(SPN_GEOM_FAILED);
    e->caches[number] = now;
    if (now.cache != 0 && found != expected)
        sim_fail(sim, SIM_EVENT, "cache %u has the events %x, not %x", number,
                 found, expected);
}

/* -- nodes -- */

static uint32_t cache_of(const struct sim *sim, uint32_t slot)
{
    return slot < SIM_NODES ? sim->scene.nodes[slot].clip
                            : MADE_CLIPS + slot - SIM_NODES;
}

static struct sim_motion motion_of(const struct sim *sim, uint32_t slot)
{
    struct sim_motion m = {.mode = SPN_LOOP};
    struct sim_ends ends;

    if (slot >= SIM_NODES) {
        m.time_us = sim->shared.caches[slot - SIM_NODES].time_us;
        m.last_us = sim->disc->shared[slot - SIM_NODES].loop_us;
        return m;
    }
    ends = sim_playback_ends(sim, &sim->scene.nodes[slot]);
    m.time_us = sim->scene.nodes[slot].set_us;
    m.first_us = ends.first_us;
    m.last_us = ends.last_us;
    m.mode = ends.mode;
    m.set_permille = sim->playback.courses[slot].set_permille;
    return m;
}

/* Passages from the start of the range to its time. */
static int64_t legs_of(const struct sim_motion *m)
{
    const int64_t leg_us = m->last_us - m->first_us;
    const int64_t us = m->time_us - m->first_us;

    return us >= 0 ? us / leg_us : -((leg_us - 1 - us) / leg_us);
}

static bool is_same_range(const struct sim_motion *a,
                          const struct sim_motion *b)
{
    return a->first_us == b->first_us && a->last_us == b->last_us &&
           a->mode == b->mode;
}

static bool has_looped(const struct sim_motion *before,
                       const struct sim_motion *now)
{
    const int64_t step_us = now->time_us - before->time_us;

    return is_same_range(before, now) && now->mode != SPN_ONCE &&
           now->last_us > now->first_us && step_us <= JUMP_US &&
           step_us >= -JUMP_US && legs_of(before) != legs_of(now);
}

/* Whether it is at the end of a range that does not repeat. Without a known
 * direction either end may be meant. */
static bool may_have_ended(const struct sim_motion *m)
{
    const bool is_last = m->time_us >= m->last_us;
    const bool is_first = m->time_us <= m->first_us;

    if (m->first_us == m->last_us)
        return true;
    if (m->mode != SPN_ONCE)
        return false;
    return (is_last && m->set_permille >= 0) ||
           (is_first && m->set_permille <= 0);
}

static bool is_degraded(const spn_node_state *s)
{
    return s->is_streaming &&
           (s->left_out_permille > 0 || s->shortage != SPN_SHORTAGE_NONE ||
            s->admission != SPN_ADMITTED || s->status == SPN_NO_MEMORY_NOW);
}

static spn_node_state look(struct sim *sim, spn_node node)
{
    spn_node_state state;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_state(sim->rt, node, &state) == SPN_OK);
    return state;
}

void sim_event_take_node(struct sim *sim, uint32_t slot)
{
    const spn_node node = sim_views_node(sim, slot);
    struct sim_last_node *l = &sim->events.nodes[slot];

    *l = (struct sim_last_node){.node = node};
    if (node == 0)
        return;
    l->state = look(sim, node);
    l->motion = motion_of(sim, slot);
    l->is_touched = true;
    l->is_degraded = is_degraded(&l->state);
    l->was_precached = true;
    l->failed = l->state.status;
    l->may_have_failed = true;
}

static bool has_lost_frames(const spn_debug *d, const char *path)
{
    for (uint32_t i = 0; i < d->cache_count; i++)
        if (strcmp(d->caches[i].path, path) == 0 && d->caches[i].lost_count > 0)
            return true;
    return false;
}

/* All frames of the decode-ahead time are decoded, except for those that are
 * lost or left out. */
static void check_precached(struct sim *sim, spn_node node)
{
    const uint64_t bytes = spn_debug_bytes_needed(sim->rt);
    void *memory = malloc((size_t)bytes);
    const spn_debug_node *n;
    spn_debug debug;

    SIM_MUST(sim, SIM_STATUS,
             spn_debug_snapshot(sim->rt, memory, bytes, &debug) == SPN_OK);
    for (n = debug.nodes; n->node != node || n->is_second; n++)
        ;
    if (n->state.left_out_permille == 0 && n->decoded.count < n->wanted.count &&
        !has_lost_frames(&debug, n->path))
        sim_fail(sim, SIM_EVENT, "precached: %u of %u frames", n->decoded.count,
                 n->wanted.count);
    free(memory);
}

static void check_failure(struct sim *sim, uint32_t slot, spn_status status,
                          const spn_node_state *state)
{
    const uint32_t cache = cache_of(sim, slot);

    SIM_MUST(sim, SIM_EVENT, sim_scene_is_legal(sim, cache, status));
    SIM_MUST(sim, SIM_EVENT,
             state->status == status || state->status == SPN_NO_MEMORY_NOW ||
                 state->status == SPN_NO_TIME_NOW);
}

/* The record of a node; a new one for another node. */
static struct sim_last_node *record_of(struct sim *sim, uint32_t slot)
{
    struct sim_last_node *l = &sim->events.nodes[slot];
    const spn_node node = sim_views_node(sim, slot);

    if (l->node != node)
        *l = (struct sim_last_node){.node = node, .is_touched = true};
    return l;
}

/* A node that did not stream, or whose cache was not loaded, finds later that
 * it has passed an end. */
static bool is_late_report(const struct sim *sim, const struct sim_last_node *l,
                           uint32_t slot)
{
    return !l->state.is_streaming ||
           sim->events.loaded_for[cache_of(sim, slot)] < 2;
}

static void check_node(struct sim *sim, uint32_t slot,
                       const struct sim_last_node *l,
                       const spn_geom_event *event)
{
    const struct sim_motion now = motion_of(sim, slot);
    const spn_node_state state = look(sim, event->node);

    SIM_MUST(sim, SIM_EVENT, event->playback_us == state.playback_us);
    switch (event->kind) {
    case SPN_GEOM_NODE_FAILED:
        check_failure(sim, slot, event->status, &state);
        break;
    case SPN_GEOM_PRECACHED:
        SIM_MUST(sim, SIM_EVENT, state.is_streaming && state.is_ready);
        check_precached(sim, event->node);
        break;
    case SPN_GEOM_LOOPED:
        SIM_MUST(sim, SIM_EVENT,
                 has_looped(&l->motion, &now) ||
                     (now.mode != SPN_ONCE && is_late_report(sim, l, slot)));
        break;
    case SPN_GEOM_ENDED:
        SIM_MUST(sim, SIM_EVENT, may_have_ended(&now));
        break;
    case SPN_GEOM_DEGRADED:
        SIM_MUST(sim, SIM_EVENT, !l->is_degraded && is_degraded(&state));
        break;
    case SPN_GEOM_RECOVERED:
        SIM_MUST(sim, SIM_EVENT, l->is_degraded && !is_degraded(&state));
        break;
    default:
        sim_fail(sim, SIM_EVENT, "event %d of a node", (int)event->kind);
    }
}

void sim_event_check_node(struct sim *sim, uint32_t slot,
                          const spn_geom_event *event)
{
    struct sim_last_node *l = record_of(sim, slot);

    /* After a reaction its state is not that of the event. */
    if (!l->is_touched_inside)
        check_node(sim, slot, l, event);
    if (event->kind == SPN_GEOM_NODE_FAILED) {
        l->failed = event->status;
        l->may_have_failed = false;
    }
    if (event->kind == SPN_GEOM_PRECACHED)
        l->was_precached = true;
    if (event->kind == SPN_GEOM_DEGRADED || event->kind == SPN_GEOM_RECOVERED)
        l->is_degraded = event->kind == SPN_GEOM_DEGRADED;
}

/* What is decoded suffices for the decode-ahead time. */
static bool is_precached(const spn_node_state *s)
{
    return s->status == SPN_OK && s->is_ready && s->left_out_permille == 0 &&
           s->precached_us > AHEAD_US;
}

/* What must have been reported in this update. */
static uint32_t missing_kinds(const struct sim_last_node *l,
                              const spn_node_state *state,
                              const struct sim_motion *now, bool is_loaded,
                              bool is_orphan)
{
    const bool plays_on = !l->is_touched && l->state.is_ready &&
                          state->is_ready && l->state.left_out_permille == 0 &&
                          state->left_out_permille == 0 &&
                          is_same_range(&l->motion, now);
    uint32_t kinds = 0;

    if (state->status < SPN_OK && is_loaded && !is_orphan &&
        l->failed != state->status && !l->may_have_failed)
        kinds |= BIT(SPN_GEOM_NODE_FAILED);
    if (plays_on && has_looped(&l->motion, now))
        kinds |= BIT(SPN_GEOM_LOOPED);
    if (plays_on && now->set_permille != 0 &&
        now->set_permille == l->motion.set_permille && may_have_ended(now) &&
        !may_have_ended(&l->motion))
        kinds |= BIT(SPN_GEOM_ENDED);
    if (is_degraded(state) && is_loaded && !l->is_degraded)
        kinds |= BIT(SPN_GEOM_DEGRADED);
    if (!is_degraded(state) && l->is_degraded)
        kinds |= BIT(SPN_GEOM_RECOVERED);
    return kinds;
}

void sim_event_end_node(struct sim *sim, uint32_t slot)
{
    struct sim_last_node *l = record_of(sim, slot);
    struct sim_motion now;
    const uint32_t cache = cache_of(sim, slot);
    spn_node_state state;
    uint32_t missing;
    bool is_orphan;

    if (l->node == 0)
        return;
    now = motion_of(sim, slot);
    state = look(sim, l->node);
    is_orphan = slot < SIM_NODES && sim->scene.nodes[slot].is_orphan;
    missing = missing_kinds(l, &state, &now,
                            sim->unload.caches[cache].is_loaded, is_orphan) &
              ~sim->events.kinds_of_nodes[slot];
    /* What a reaction has freed may help other nodes at once. */
    if (sim->events.has_reacted)
        missing &= ~(BIT(SPN_GEOM_DEGRADED) | BIT(SPN_GEOM_RECOVERED));
    if (missing != 0 && !l->is_touched_inside)
        sim_fail(sim, SIM_EVENT, "node %08x lacks the events %x", l->node,
                 missing);
    /* At higher rates more is wanted; of frames that come back, less. */
    SIM_MUST(sim, SIM_EVENT,
             slot >= SIM_NODES || sim->scene.nodes[slot].cut.near_cut > 0 ||
                 sim->playback.is_on || l->is_touched || l->was_precached ||
                 !is_precached(&l->state) || !is_precached(&state));
    l->state = state;
    l->motion = now;
    l->is_touched = l->is_touched_inside;
    l->is_touched_inside = false;
}
