/* sim_levels.c - frames of levels, and of a part of a level. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_levels.h"

#include "sim/sim.h"

#define EIGHTHS 8u
/* The decode-ahead time at the highest rate, and the longest gap between index
 * frames of a clip. */
#define NEAR_US 5000000

/* Single frames of a level are left out evenly: of eight in a row the first,
 * then the one in the middle, and so on. */
static uint32_t turn_of(uint32_t ordinal)
{
    return (ordinal & 1u) << 2 | (ordinal & 2u) | (ordinal & 4u) >> 2;
}

static bool keeps(const struct made_clip *clip, uint32_t frame, uint32_t cut)
{
    const uint32_t level = cut / EIGHTHS;

    if (clip->levels[frame] != level)
        return clip->levels[frame] > level;
    return turn_of(clip->ordinals[frame] % EIGHTHS) >= cut % EIGHTHS;
}

static uint32_t left_out_permille(const struct made_clip *clip, uint32_t cut)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < clip->frame_count; f++)
        count += !keeps(clip, f, cut);
    return count * 1000 / clip->frame_count;
}

static uint32_t reported_cut(struct sim *sim, const struct sim_node *n,
                             const spn_node_state *state)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    uint32_t cut = state->level * EIGHTHS;

    while (left_out_permille(clip, cut) < state->left_out_permille)
        cut++;
    if (cut >= (state->level + 1) * EIGHTHS ||
        left_out_permille(clip, cut) != state->left_out_permille)
        sim_fail(sim, SIM_STATUS, "clip %u: level %u leaves out %u of 1000",
                 n->clip, state->level, state->left_out_permille);
    SIM_MUST(sim, SIM_STATUS,
             (cut > 0) == (state->shortage != SPN_SHORTAGE_NONE));
    return cut;
}

void sim_levels_note(struct sim *sim, struct sim_node *n,
                     const spn_node_state *state)
{
    const uint32_t cut = reported_cut(sim, n, state);
    struct sim_cut *c = &n->cut;
    const int64_t moved_us = state->playback_us - c->playback_us;

    if (c->node != n->node)
        *c = (struct sim_cut){.node = n->node};
    c->near_us -= moved_us < 0 ? -moved_us : moved_us;
    if (cut < c->cut)
        c->near_us = NEAR_US;
    if (cut >= c->near_cut || c->near_us <= 0)
        c->near_cut = cut;
    c->cut = cut;
    c->playback_us = state->playback_us;
}

bool sim_levels_leave_out(const struct sim *sim, const struct sim_node *n,
                          uint32_t first, uint32_t limit)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];

    for (uint32_t f = first; f < limit; f++)
        if (keeps(clip, f, n->cut.near_cut))
            return false;
    return true;
}
