/* sim_buffers.c - an engine that lends buffers for decoded frames. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_buffers.h"

#include "sim/made_clips.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

void sim_buffers_init(struct sim *sim)
{
    struct sim_buffers *b = &sim->buffers;

    memset(b, 0, sizeof *b);
    b->random.state = sim->options.seed ^ 0x6275666665727321u;
    for (uint32_t i = 0; i < MADE_CLIPS; i++) {
        b->pools[i].sim = sim;
        b->pools[i].clip = i;
    }
}

void sim_buffers_free(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_CLIPS; i++)
        for (uint32_t k = 0; k < SIM_BUFFERS; k++)
            free(sim->buffers.pools[i].buffers[k].vertices);
}

static size_t bytes_of(const struct made_clip *clip)
{
    return (size_t)clip->vertices * clip->mesh_count * MADE_STRIDE;
}

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    struct sim_pool *p = user;
    struct sim_buffer *free_one = NULL;

    (void)cache;
    SIM_MUST(p->sim, SIM_CONTRACT,
             frame < p->sim->disc->clips[p->clip].frame_count);
    for (uint32_t i = 0; i < SIM_BUFFERS; i++) {
        if (!p->buffers[i].vertices)
            free_one = &p->buffers[i];
        else
            SIM_MUST(p->sim, SIM_CONTRACT, p->buffers[i].frame != frame);
    }
    SIM_MUST(p->sim, SIM_CONTRACT, free_one != NULL);
    if (test_random_below(&p->sim->buffers.random, 16) == 0) {
        swarm_hit(&p->sim->swarm, SWARM_NO_BUFFER);
        return NULL;
    }
    free_one->vertices = calloc(1, bytes_of(&p->sim->disc->clips[p->clip]));
    free_one->frame = frame;
    p->sim->buffers.count++;
    return free_one->vertices;
}

static struct sim_buffer *find(struct sim_pool *p, const void *vertices)
{
    for (uint32_t i = 0; i < SIM_BUFFERS; i++)
        if (p->buffers[i].vertices == vertices)
            return &p->buffers[i];
    return NULL;
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    struct sim_pool *p = user;
    struct sim_buffer *b = find(p, vertices);

    (void)cache;
    if (!vertices || !b || b->frame != frame)
        sim_fail(p->sim, SIM_CONTRACT, "a buffer that is not out, frame %u",
                 frame);
    b->vertices = NULL;
    p->sim->buffers.count--;
    free(vertices);
}

void sim_buffers_open(struct sim *sim, uint32_t clip, spn_cache cache)
{
    const spn_frame_buffers buffers = {
        .layout = {.stride = MADE_STRIDE,
                   .position = {0, SPN_FORMAT_QUANTIZED}},
        .acquire = acquire,
        .release = release,
        .user = &sim->buffers.pools[clip]};
    const bool has_some = test_random_below(&sim->buffers.random, 2) == 0;
    const spn_status status =
        spn_cache_set_frame_buffers(sim->rt, cache, has_some ? &buffers : NULL);

    /* Nodes may still play it. */
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_STATE);
}

/* The buffer, which is out, has the values of its frame. */
static void check_buffer(struct sim *sim, const struct sim_node *n,
                         uint32_t mesh, uint32_t frame, uint8_t *vertices)
{
    const struct made_clip *made = &sim->disc->clips[n->clip];
    const size_t at = (size_t)mesh * made->vertices * MADE_STRIDE;
    const struct sim_buffer *b = find(&sim->buffers.pools[n->clip], vertices);

    if (!b || b->frame != frame)
        sim_fail(sim, SIM_CONTRACT, "clip %s: a buffer that is not out",
                 made->path);
    if (sim->options.canary == CANARY_BUFFER)
        vertices[at] ^= 1;
    if (made_clips_hash(vertices + at, made->vertices) !=
        made->hashes[frame * made->mesh_count + mesh])
        sim_fail(sim, SIM_PICTURE, "buffer of clip %s, frame %u, mesh %u",
                 made->path, frame, mesh);
    swarm_hit(&sim->swarm, SWARM_BUFFER);
}

void sim_buffers_check(struct sim *sim, const struct sim_node *n,
                       const struct sim_shown *shown)
{
    spn_frame_pair pair;
    const spn_status status =
        spn_node_get_frames(sim->rt, n->node, shown->mesh, &pair);
    spn_fill_result result;

    SIM_MUST(sim, SIM_STATUS, status == shown->status);
    if (status != SPN_OK)
        return;
    result = (spn_fill_result){.floor_frame = pair.floor_frame,
                               .ceil_frame = pair.ceil_frame,
                               .alpha = pair.alpha,
                               .is_visible = pair.is_visible,
                               .is_late = pair.is_late};
    sim_picture_compare(sim, &result, &shown->result);
    SIM_MUST(sim, SIM_PICTURE, pair.is_visible || (!pair.floor && !pair.ceil));
    if (pair.floor)
        check_buffer(sim, n, shown->mesh, pair.floor_frame, pair.floor);
    if (pair.ceil)
        check_buffer(sim, n, shown->mesh, pair.ceil_frame, pair.ceil);
}
