/* sim_fills.c - start fills, and check them later. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_fills.h"

#include "sim/made_clips.h"
#include "sim/sim.h"

#include <string.h>

void sim_fills_init(struct sim *sim)
{
    struct sim_fills *fills = &sim->fills;

    for (uint32_t i = 0; i < SIM_FILLS; i++)
        fills->fills[i].fill = 0;
    fills->count = 0;
    fills->random.state = sim->options.seed ^ 0x66696c6c73212121u;
}

void sim_fills_start(struct sim *sim, const struct sim_node *n,
                     const struct sim_shown *shown)
{
    static const spn_vertex_layout layout = {
        .stride = MADE_STRIDE, .position = {0, SPN_FORMAT_QUANTIZED}};
    struct sim_fills *fills = &sim->fills;
    const uint32_t i = test_random_below(&fills->random, 4 * SIM_FILLS);
    struct sim_fill *f;
    spn_status status;

    if (i >= SIM_FILLS || fills->fills[i].fill != 0)
        return;
    f = &fills->fills[i];
    memset(f->vertices, 0,
           (size_t)sim->disc->clips[n->clip].vertices * MADE_STRIDE);
    status = spn_fill_start(sim->rt, n->node, shown->mesh, &layout, f->vertices,
                            sizeof f->vertices, &f->fill);
    SIM_MUST(sim, SIM_STATUS, status == shown->status);
    if (status != SPN_OK) {
        f->fill = 0;
        return;
    }
    SIM_MUST(sim, SIM_STATUS,
             spn_fill_get_result(sim->rt, f->fill, &f->result) == SPN_OK);
    sim_picture_compare(sim, &f->result, &shown->result);
    f->clip = n->clip;
    f->mesh = shown->mesh;
}

static void check(struct sim *sim, struct sim_fill *f)
{
    const struct made_clip *clip = &sim->disc->clips[f->clip];

    f->fill = 0;
    if (!f->result.is_visible)
        return;
    sim->fills.count++;
    swarm_hit(&sim->swarm, SWARM_FILL_JOB);
    if (sim->options.canary == CANARY_FILL_JOB)
        f->vertices[0] ^= 1;
    if (made_clips_hash(f->vertices, clip->vertices) !=
        clip->hashes[f->result.floor_frame * clip->mesh_count + f->mesh])
        sim_fail(sim, SIM_PICTURE, "fill of clip %s, frame %u, mesh %u",
                 clip->path, f->result.floor_frame, f->mesh);
}

void sim_fills_frame(struct sim *sim, bool is_end)
{
    struct sim_fills *fills = &sim->fills;

    for (uint32_t i = 0; i < SIM_FILLS; i++) {
        struct sim_fill *f = &fills->fills[i];
        const uint32_t draw = test_random_below(&fills->random, 16);
        spn_status status;

        if (f->fill == 0 || (draw >= 4 && !is_end))
            continue;
        /* A look; or a wait, which writes what no worker has taken. The
         * simulator's workers run only while this thread does not, so there
         * are no parts that another thread writes. */
        status = spn_fill_wait(sim->rt, f->fill,
                               draw == 0 || is_end ? UINT64_MAX : 0);
        SIM_MUST(sim, SIM_STATUS,
                 status == SPN_OK ||
                     (status == SPN_ERR_TIMEOUT && draw != 0 && !is_end));
        if (status == SPN_OK)
            check(sim, f);
    }
}
