/* sim_pictures.c - check status, frames and vertices of fills. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_pictures.h"

#include "sim/made_clips.h"
#include "sim/sim.h"
#include "sim/sim_cpu.h"

#include <string.h>

/* A mesh that the node does not want, or that was not decoded for any node for
 * some time, need not be there. */
static bool may_lack(const struct sim *sim, const struct sim_node *n,
                     uint32_t mesh)
{
    return !sim_masks_wants(sim, n, mesh) ||
           sim_masks_may_lack(sim, n->clip, mesh);
}

static bool may_lack_another(const struct sim *sim, const struct sim_node *n,
                             uint32_t mesh)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];

    for (uint32_t m = 0; m < clip->mesh_count; m++)
        if (m != mesh && sim_masks_wants(sim, n, m) &&
            sim_masks_may_lack(sim, n->clip, m))
            return true;
    return false;
}

static void check_no_fill(struct sim *sim, const struct sim_node *n,
                          const spn_node_state *state, uint32_t mesh,
                          spn_status status)
{
    if (status != SPN_PENDING && status != state->status)
        sim_fail(sim, SIM_STATUS, "fill of clip %u: %s, its state is %s",
                 n->clip, spn_status_name(status),
                 spn_status_name(state->status));
    SIM_MUST(sim, SIM_STATUS,
             !state->is_ready || !sim_masks_wants(sim, n, mesh));
    SIM_MUST(sim, SIM_STATUS,
             status != SPN_PENDING || state->shown_frame == UINT32_MAX ||
                 may_lack(sim, n, mesh));
}

static void fail_frames(struct sim *sim, const struct sim_node *n,
                        const spn_fill_result *shown)
{
    sim_fail(sim, SIM_PICTURE, "clip %u at %lld us shows %u and %u for %u",
             n->clip, (long long)n->set_us, shown->floor_frame,
             shown->ceil_frame, sim_playback_wanted(sim, n));
}

/* The frames in time: the last one that is not left out, and the next. */
static void check_frames(struct sim *sim, const struct sim_node *n,
                         const spn_fill_result *shown)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    const uint32_t floor = shown->floor_frame;
    const uint32_t wanted = sim_playback_wanted(sim, n);
    uint32_t ceil = shown->ceil_frame;

    if (floor > wanted || !sim_levels_leave_out(sim, n, floor + 1, wanted + 1))
        fail_frames(sim, n, shown);
    if (n->cut.near_cut > 0)
        swarm_hit(&sim->swarm, SWARM_LEVEL);
    if (ceil == floor)
        return;
    /* The last frame of a whole clip goes over into the first. */
    if (ceil == 0 && sim_playback_repeats_all(sim, n))
        ceil = clip->frame_count;
    if (ceil <= wanted || !sim_levels_leave_out(sim, n, wanted + 1, ceil))
        fail_frames(sim, n, shown);
}

/* Position of the node's time between the two frames, within 1/1000. */
static void check_alpha(struct sim *sim, const struct sim_node *n,
                        const spn_fill_result *shown)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    const int64_t floor_us = clip->times_us[shown->floor_frame];
    const int64_t ceil_us = shown->ceil_frame > shown->floor_frame
                                ? clip->times_us[shown->ceil_frame]
                                : clip->loop_us;
    const int64_t wanted =
        (sim_playback_time(sim, n) - floor_us) * 1000 / (ceil_us - floor_us);
    const int64_t alpha = (int64_t)(shown->alpha * 1000.0f);

    if (alpha < wanted - 1 || alpha > wanted + 1)
        sim_fail(sim, SIM_PICTURE, "clip %u at %lld us: alpha %lld for %lld",
                 n->clip, (long long)n->set_us, (long long)alpha,
                 (long long)wanted);
}

static void check_fill(struct sim *sim, const struct sim_node *n,
                       const spn_node_state *state, uint32_t mesh,
                       const spn_fill_result *shown)
{
    SIM_MUST(sim, SIM_PICTURE, shown->floor_frame == state->shown_frame);
    /* A node is not ready if any mesh that it wants is late. */
    SIM_MUST(sim, SIM_PICTURE,
             !state->is_ready || !shown->is_late ||
                 !sim_masks_wants(sim, n, mesh));
    SIM_MUST(sim, SIM_PICTURE,
             state->is_ready || shown->is_late ||
                 may_lack_another(sim, n, mesh));
    if (shown->is_late)
        return;
    check_frames(sim, n, shown);
    if (shown->ceil_frame != shown->floor_frame)
        check_alpha(sim, n, shown);
}

static void check_vertices(struct sim *sim, const struct sim_node *n,
                           uint32_t mesh, uint32_t frame, const void *vertices)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    const uint64_t hash = made_clips_hash(vertices, clip->vertices);

    sim_log_mix(&sim->log, hash);
    if (hash != clip->hashes[frame * clip->mesh_count + mesh])
        sim_fail(sim, SIM_PICTURE, "clip %s, frame %u, mesh %u", clip->path,
                 frame, mesh);
}

struct sim_shown sim_picture_check(struct sim *sim, const struct sim_node *n,
                                   const spn_node_state *state, uint32_t mesh)
{
    static const spn_vertex_layout layout = {
        .stride = MADE_STRIDE, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[MADE_VERTEX_BYTES_MAX];
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    struct sim_shown shown = {.mesh = mesh};

    memset(vertices, 0, (size_t)clip->vertices * MADE_STRIDE);
    shown.status = spn_node_fill(sim->rt, n->node, mesh, &layout, vertices,
                                 sizeof vertices, &shown.result);
    if (sim->options.canary == CANARY_FILL)
        shown.status = SPN_ERR_STATE;
    if (shown.status != SPN_OK) {
        check_no_fill(sim, n, state, mesh, shown.status);
        return shown;
    }
    check_fill(sim, n, state, mesh, &shown.result);
    if (!shown.result.is_visible)
        return shown;
    SIM_MUST(sim, SIM_PICTURE, shown.result.floor_frame < clip->frame_count);
    sim->scene.frames++;
    sim_log_mix(&sim->log, shown.result.floor_frame);
    if (sim->options.canary == CANARY_VARIANT && sim_cpu_mask != SIM_CPU_ALL)
        vertices[0] ^= 1;
    check_vertices(sim, n, mesh, shown.result.floor_frame, vertices);
    return shown;
}

void sim_picture_compare(struct sim *sim, const spn_fill_result *a,
                         const spn_fill_result *b)
{
    SIM_MUST(sim, SIM_PICTURE, a->is_visible == b->is_visible);
    SIM_MUST(sim, SIM_PICTURE, a->is_late == b->is_late);
    SIM_MUST(sim, SIM_PICTURE, a->floor_frame == b->floor_frame);
    SIM_MUST(sim, SIM_PICTURE, a->ceil_frame == b->ceil_frame);
    SIM_MUST(sim, SIM_PICTURE, a->alpha >= b->alpha && a->alpha <= b->alpha);
}
