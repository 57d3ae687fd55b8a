/* sim_playback.c - change ranges, rates and second positions of nodes. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_playback.h"

#include "sim/made_clips.h"
#include "sim/sim.h"

#include <string.h>

#define NORMAL 1000
/* How long a range that does not repeat shows its end. The picture after a jump
 * back need not be there at once. */
#define STAY_US 500000

void sim_playback_init(struct sim *sim)
{
    struct sim_playback *p = &sim->playback;

    memset(p, 0, sizeof *p);
    p->random.state = sim->options.seed ^ 0x706c617921212121u;
    p->is_on = test_random_below(&p->random, 2) == 0;
}

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->playback.random, limit);
}

static const struct sim_course *course_of(const struct sim *sim,
                                          const struct sim_node *n)
{
    return &sim->playback.courses[n - sim->scene.nodes];
}

static struct sim_course *course(struct sim *sim, const struct sim_node *n)
{
    return &sim->playback.courses[n - sim->scene.nodes];
}

void sim_playback_open(struct sim *sim, const struct sim_node *n)
{
    *course(sim, n) =
        (struct sim_course){.node = n->node,
                            .last_us = INT64_MAX,
                            .mode = n->is_looping ? SPN_LOOP : SPN_ONCE,
                            .rate_permille = NORMAL,
                            .second_us = SPN_NO_TIME};
}

/* -- what is wanted -- */

/* The range within the clip. True: it is the whole loop. */
static bool find_ends(const struct sim *sim, const struct sim_node *n,
                      int64_t *first_us, int64_t *last_us)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    const struct sim_course *c = course_of(sim, n);
    const int64_t end_us = clip->times_us[clip->frame_count - 1];

    *first_us = c->first_us < end_us ? c->first_us : end_us;
    *last_us = c->last_us < end_us ? c->last_us : end_us;
    if (c->mode != SPN_LOOP || c->first_us > 0 || c->last_us < clip->loop_us)
        return false;
    *last_us = clip->loop_us;
    return true;
}

struct sim_ends sim_playback_ends(const struct sim *sim,
                                  const struct sim_node *n)
{
    const struct sim_course *c = course_of(sim, n);
    struct sim_ends ends = {.mode = c->mode,
                            .set_first_us = c->first_us,
                            .set_last_us = c->last_us};

    (void)find_ends(sim, n, &ends.first_us, &ends.last_us);
    return ends;
}

/* The time of the clip that a playback time means. */
static int64_t clip_time(const struct sim *sim, const struct sim_node *n,
                         int64_t time_us)
{
    const struct sim_course *c = course_of(sim, n);
    int64_t first_us;
    int64_t last_us;
    int64_t leg_us;
    int64_t period_us;

    (void)find_ends(sim, n, &first_us, &last_us);
    leg_us = last_us - first_us;
    if (c->mode == SPN_ONCE || leg_us == 0)
        return time_us < first_us ? first_us
                                  : (time_us > last_us ? last_us : time_us);
    period_us = c->mode == SPN_LOOP ? leg_us : 2 * leg_us;
    time_us = ((time_us - first_us) % period_us + period_us) % period_us;
    return first_us + (time_us > leg_us ? period_us - time_us : time_us);
}

int64_t sim_playback_time(const struct sim *sim, const struct sim_node *n)
{
    return clip_time(sim, n, n->set_us);
}

bool sim_playback_repeats_all(const struct sim *sim, const struct sim_node *n)
{
    int64_t first_us;
    int64_t last_us;

    return find_ends(sim, n, &first_us, &last_us);
}

uint32_t sim_playback_wanted(const struct sim *sim, const struct sim_node *n)
{
    return made_clips_frame_at(&sim->disc->clips[n->clip],
                               sim_playback_time(sim, n));
}

int64_t sim_playback_step(const struct sim *sim, const struct sim_node *n,
                          uint64_t elapsed_us)
{
    return (int64_t)elapsed_us * course_of(sim, n)->rate_permille / NORMAL;
}

void sim_playback_repeat(const struct sim *sim, struct sim_node *n)
{
    const struct sim_course *c = course_of(sim, n);
    const bool is_backward = c->rate_permille < 0;
    int64_t first_us;
    int64_t last_us;

    (void)find_ends(sim, n, &first_us, &last_us);
    if (c->mode == SPN_ONCE &&
        (n->time_us < first_us - STAY_US || n->time_us > last_us + STAY_US))
        n->time_us = is_backward ? last_us : first_us;
}

/* -- changes -- */

static void set_range(struct sim *sim, const struct sim_node *n,
                      int64_t first_us, int64_t last_us, spn_range_mode mode)
{
    struct sim_course *c = course(sim, n);

    sim_events_touch(sim, (uint32_t)(n - sim->scene.nodes));
    c->first_us = first_us;
    c->last_us = last_us;
    c->mode = mode;
    sim_note(sim, "range", n->node, (uint64_t)mode, first_us);
    sim_note(sim, "  to", n->node, 0, last_us);
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_range(sim->rt, n->node, first_us, last_us, mode) ==
                 SPN_OK);
    swarm_hit(&sim->swarm, SWARM_RANGE);
}

/* Any part, also one that ends behind the clip; a short one; a single time; or
 * all of the clip. */
static void change_range(struct sim *sim, const struct sim_node *n)
{
    const uint32_t loop_us = (uint32_t)sim->disc->clips[n->clip].loop_us;
    const spn_range_mode mode = (spn_range_mode)below(sim, 3);
    const int64_t first_us = below(sim, loop_us);

    switch (below(sim, 6)) {
    case 0:
        set_range(sim, n, 0, INT64_MAX, mode);
        break;
    case 1:
        set_range(sim, n, first_us, first_us, mode);
        break;
    case 2:
        set_range(sim, n, first_us, first_us + below(sim, 200000), mode);
        break;
    default:
        set_range(sim, n, first_us, first_us + below(sim, loop_us), mode);
    }
}

/* The runtime may know the rate, or infer it; the rate that is set need not be
 * true. */
static void change_rate(struct sim *sim, const struct sim_node *n)
{
    static const int32_t rates[] = {NORMAL, -NORMAL, 2500, -2500, 0};
    struct sim_course *c = course(sim, n);
    const bool was_backward = c->rate_permille < 0;
    const uint32_t drawn = below(sim, 8);
    int32_t set = 0;

    c->rate_permille =
        drawn < 5 ? rates[drawn]
                  : (int32_t)below(sim, 2 * SPN_RATE_MAX + 1) - SPN_RATE_MAX;
    switch (below(sim, 4)) {
    case 0:
        break;
    case 1:
        set = (int32_t)below(sim, 2 * SPN_RATE_MAX + 1) - SPN_RATE_MAX;
        break;
    default:
        set = c->rate_permille;
    }
    c->set_permille = set;
    sim_note(sim, "rate: set, of times", n->node, (uint64_t)set,
             c->rate_permille);
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_rate(sim->rt, n->node, set) == SPN_OK);
    swarm_hit(&sim->swarm, SWARM_RATE);
    if (c->rate_permille < 0 && !was_backward)
        swarm_hit(&sim->swarm, SWARM_REVERSE);
}

static void set_second(struct sim *sim, const struct sim_node *n,
                       int64_t time_us)
{
    const spn_status status =
        spn_node_set_streaming_time(sim->rt, n->node, time_us);

    sim_note(sim, "second position", n->node, (uint64_t)status, time_us);
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK ||
                 (status == SPN_ERR_TABLE_FULL && time_us != SPN_NO_TIME));
    course(sim, n)->second_us = status == SPN_OK ? time_us : SPN_NO_TIME;
    if (status == SPN_OK && time_us != SPN_NO_TIME)
        swarm_hit(&sim->swarm, SWARM_SECOND);
}

static void change_second(struct sim *sim, const struct sim_node *n)
{
    const uint32_t loop_us = (uint32_t)sim->disc->clips[n->clip].loop_us;
    const int64_t time_us = below(sim, loop_us);

    set_second(sim, n,
               below(sim, 4) == 0   ? SPN_NO_TIME
               : below(sim, 4) == 0 ? time_us - 2 * (int64_t)loop_us
                                    : time_us);
}

/* Go to the second position. If it is ready, its picture is there at once. */
static void cut(struct sim *sim, struct sim_node *n)
{
    spn_node_state state;
    bool is_there;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_state(sim->rt, n->node, &state) == SPN_OK);
    if (state.streaming_us == SPN_NO_TIME)
        return;
    is_there = state.is_streaming_ready && state.is_streaming &&
               state.shown_frame != UINT32_MAX;
    sim_note(sim, "cut", n->node, is_there, course(sim, n)->second_us);
    n->time_us = course(sim, n)->second_us;
    n->set_us = n->time_us;
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_playback_time(sim->rt, n->node, n->time_us) ==
                 SPN_OK);
    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_state(sim->rt, n->node, &state) == SPN_OK);
    SIM_MUST(sim, SIM_PICTURE, !is_there || state.is_ready);
    SIM_MUST(sim, SIM_STATUS,
             state.streaming_us == SPN_NO_TIME || state.status != SPN_OK ||
                 state.shown_frame == UINT32_MAX);
    if (is_there)
        swarm_hit(&sim->swarm, SWARM_CUT);
}

void sim_playback_frame(struct sim *sim, struct sim_node *n)
{
    if (!sim->playback.is_on || sim->swarm.is_over)
        return;
    if (below(sim, 48) == 0)
        change_range(sim, n);
    if (below(sim, 48) == 0)
        change_rate(sim, n);
    if (below(sim, 32) == 0)
        change_second(sim, n);
    if (!n->is_stopped && course(sim, n)->second_us != SPN_NO_TIME &&
        below(sim, 16) == 0)
        cut(sim, n);
}

void sim_playback_check(struct sim *sim, const struct sim_node *n,
                        const spn_node_state *state)
{
    struct sim_course *c = course(sim, n);

    if (clip_time(sim, n, state->playback_us) != clip_time(sim, n, n->set_us))
        sim_fail(sim, SIM_PICTURE, "clip %u plays %lld us for %lld us", n->clip,
                 (long long)state->playback_us, (long long)n->set_us);
    if (state->streaming_us == SPN_NO_TIME) {
        c->second_us = SPN_NO_TIME;
        return;
    }
    if (c->second_us == SPN_NO_TIME || clip_time(sim, n, state->streaming_us) !=
                                           clip_time(sim, n, c->second_us))
        sim_fail(sim, SIM_PICTURE, "clip %u streams from %lld us for %lld us",
                 n->clip, (long long)state->streaming_us,
                 (long long)c->second_us);
}

void sim_playback_end_faults(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        const struct sim_node *n = &sim->scene.nodes[i];
        struct sim_course *c = course(sim, n);
        int64_t first_us;
        int64_t last_us;

        if (n->node == 0 || !sim->playback.is_on)
            continue;
        c->rate_permille = c->rate_permille < 0 ? -NORMAL : NORMAL;
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_set_rate(sim->rt, n->node, 0) == SPN_OK);
        c->set_permille = 0;
        set_second(sim, n, SPN_NO_TIME);
        (void)find_ends(sim, n, &first_us, &last_us);
        if (last_us - first_us < sim->disc->clips[n->clip].frame_us)
            set_range(sim, n, 0, INT64_MAX, c->mode);
    }
}
