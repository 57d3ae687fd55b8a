/* sim_scene.c - a caller that opens, plays and closes caches and nodes at
 * random. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_scene.h"

#include "play/cache.h"
#include "play/node/node.h"
#include "play/node/update.h"
#include "sim/sim.h"
#include "sim/sim_damage.h"

#include <string.h>

#define READY_ENOUGH 3u
#define LARGE_CLIP 2u

/* -- drawing -- */

void sim_scene_init(struct sim *sim)
{
    uint32_t count = swarm_between(&sim->swarm, 1, SIM_NODES);

    sim_buffers_init(sim);
    sim_fills_init(sim);
    sim_masks_init(sim);
    sim_playback_init(sim);
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        static const spn_priority priorities[] = {0, SPN_PRIORITY_ABOVE_NORMAL,
                                                  SPN_PRIORITY_NORMAL,
                                                  SPN_PRIORITY_BELOW_NORMAL};
        struct sim_node *n = &sim->scene.nodes[i];

        n->clip = i < count ? swarm_below(&sim->swarm, MADE_CLIPS) : MADE_CLIPS;
        n->is_looping = swarm_below(&sim->swarm, 4) != 0;
        n->priority = priorities[swarm_below(&sim->swarm, 4)];
    }
}

static uint32_t nodes_of(const struct sim *sim, uint32_t clip)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < SIM_NODES; i++)
        count += sim->scene.nodes[i].clip == clip;
    return count;
}

uint64_t sim_scene_heap_bytes(const struct sim *sim)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < MADE_CLIPS; i++)
        if (nodes_of(sim, i) > 0)
            bytes += sim->disc->clips[i].heap_bytes[nodes_of(sim, i)];
    return bytes;
}

/* -- caches -- */

bool sim_scene_is_legal(const struct sim *sim, uint32_t clip, spn_status status)
{
    switch (status) {
    case SPN_ERR_MEMORY:
        /* The cache got no page, although nothing else held one. */
        return sim->is_poor || sim->blocks.has_taken ||
               sim->swarm.hits[SWARM_NO_MEMORY] > 0;
    case SPN_ERR_TABLE_FULL:
        return sim->is_poor;
    case SPN_ERR_IO:
        return sim_drive_has_failed(sim);
    case SPN_ERR_TIMEOUT:
        return sim_drive_times_out(sim);
    case SPN_ERR_NOT_FOUND:
        /* Its pak may not be mounted. */
        return sim->swarm.hits[SWARM_OPEN_ERROR] > 0 || clip == MADE_CLIPS - 1;
    case SPN_ERR_SHORT_READ:
        return sim->swarm.hits[SWARM_SHORT_READ] > 0;
    case SPN_ERR_RANGE:
    case SPN_ERR_FORMAT:
    case SPN_ERR_VERSION:
    case SPN_ERR_CHECKSUM:
    case SPN_ERR_CODEC:
        return sim->drive.taint_count > 0;
    default:
        return false;
    }
}

static void open_cache(struct sim *sim, uint32_t clip)
{
    spn_cache *cache = &sim->scene.caches[clip];
    spn_status status =
        spn_cache_open(sim->rt, sim->disc->clips[clip].path, cache);

    sim_note(sim, "cache opened", clip, *cache, status);
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
    if (status == SPN_OK)
        sim_buffers_open(sim, clip, *cache);
}

void sim_scene_close_cache(struct sim *sim, uint32_t clip)
{
    spn_cache *cache = &sim->scene.caches[clip];

    /* The handle is closed, so its status cannot be read any more. */
    if (spn_cache_get_status(sim->rt, *cache, NULL) != SPN_OK)
        for (uint32_t i = 0; i < SIM_NODES; i++)
            if (sim->scene.nodes[i].clip == clip)
                sim->scene.nodes[i].is_orphan = true;
    SIM_MUST(sim, SIM_STATUS, spn_cache_close(sim->rt, *cache) == SPN_OK);
    sim_note(sim, "cache closed", clip, *cache, 0);
    sim->scene.old_caches[clip] = *cache;
    *cache = 0;
}

void sim_scene_destroy_node(struct sim *sim, struct sim_node *n)
{
    SIM_MUST(sim, SIM_STATUS, spn_node_destroy(sim->rt, n->node) == SPN_OK);
    n->old_node = n->node;
    n->node = 0;
    n->ready_count = 0;
}

/* A failed cache is closed, with the nodes that play it. */
static void look_at_cache(struct sim *sim, uint32_t clip)
{
    spn_fault fault = {0};
    spn_status status =
        spn_cache_get_status(sim->rt, sim->scene.caches[clip], &fault);

    if (status == SPN_OK || status == SPN_PENDING)
        return;
    if (!sim_scene_is_legal(sim, clip, status) || !fault.what)
        sim_fail(sim, SIM_STATUS, "cache of clip %u: %s, %s", clip,
                 spn_status_name(status),
                 fault.what ? fault.what : "no fault given");
    sim_note(sim, "cache failed", clip, 0, status);
    for (uint32_t i = 0; i < SIM_NODES; i++)
        if (sim->scene.nodes[i].node && sim->scene.nodes[i].clip == clip)
            sim_scene_destroy_node(sim, &sim->scene.nodes[i]);
    sim_scene_close_cache(sim, clip);
}

/* -- nodes -- */

/* Opening the cache again before it is gone would find the old one, with the
 * pak that it keeps. */
static bool is_old_one_there(const struct sim *sim, uint32_t clip)
{
    const struct manager *m = &sim->rt->manager;

    if (!sim->swarm.is_over || clip != MADE_CLIPS - 1)
        return false;
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (spn__pool_is_used(&m->cache_pool, i) &&
            strcmp(m->caches[i].path, sim->disc->clips[clip].path) == 0)
            return true;
    return false;
}

static void create_node(struct sim *sim, struct sim_node *n)
{
    const spn_node_desc desc = {.is_looping = n->is_looping,
                                .priority = n->priority,
                                .overload = SPN_OVERLOAD_DEGRADE};
    spn_status status;

    if (!sim->scene.caches[n->clip] && !is_old_one_there(sim, n->clip))
        open_cache(sim, n->clip);
    if (!sim->scene.caches[n->clip])
        return;
    status =
        spn_node_create(sim->rt, sim->scene.caches[n->clip], &desc, &n->node);
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
    n->time_us = 0;
    n->set_us = 0;
    n->is_stopped = false;
    n->is_started = false;
    n->is_orphan = false;
    n->ready_count = 0;
    sim_playback_open(sim, n);
}

static int64_t length_us(const struct sim *sim, const struct sim_node *n)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];

    return clip->frame_count * clip->frame_us;
}

static int64_t any_time(struct sim *sim, const struct sim_node *n)
{
    int64_t length = length_us(sim, n);
    int64_t time_us = swarm_below(&sim->swarm, (uint32_t)length);

    return swarm_below(&sim->swarm, 4) ? time_us : time_us - 3 * length;
}

static spn_status set_time(struct sim *sim, struct sim_node *n)
{
    int64_t time_us = n->time_us;

    n->set_us = time_us;
    n->is_started = true;
    if (sim->options.canary == CANARY_OTHER_TIME)
        time_us += 3 * sim->disc->clips[n->clip].frame_us;
    return spn_node_set_playback_time(sim->rt, n->node, time_us);
}

static void touch(struct sim *sim, const struct sim_node *n)
{
    sim_events_touch(sim, (uint32_t)(n - sim->scene.nodes));
}

void sim_scene_stop(struct sim *sim, struct sim_node *n)
{
    touch(sim, n);
    n->is_stopped = true;
    n->is_started = false;
    (void)spn_node_stop_streaming(sim->rt, n->node);
}

static void seek(struct sim *sim, struct sim_node *n)
{
    bool was_stopped = n->is_stopped;

    n->time_us = any_time(sim, n);
    sim_note(sim, "seek", n->node, 0, n->time_us);
    switch (swarm_below(&sim->swarm, 4)) {
    case 0:
        sim_scene_stop(sim, n);
        break;
    case 1:
        touch(sim, n);
        n->is_stopped = false;
        n->is_started = true;
        n->set_us = n->time_us;
        (void)spn_node_start_streaming(sim->rt, n->node, n->time_us);
        break;
    default:
        n->is_stopped = false;
        n->leaps_left =
            swarm_below(&sim->swarm, 4) == 0 ? swarm_below(&sim->swarm, 24) : 0;
        (void)set_time(sim, n);
    }
    /* Stopping a node that does not stream has no effect. */
    if (!was_stopped || !n->is_stopped)
        swarm_hit(&sim->swarm, SWARM_SEEK);
}

static void use_stale(struct sim *sim, const struct sim_node *n)
{
    spn_cache cache =
        sim->scene.old_caches[swarm_below(&sim->swarm, MADE_CLIPS)];
    spn_node_state state;

    if (n->old_node || cache)
        swarm_hit(&sim->swarm, SWARM_STALE_HANDLE);
    if (n->old_node) {
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_destroy(sim->rt, n->old_node) == SPN_ERR_HANDLE);
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_get_state(sim->rt, n->old_node, &state) ==
                     SPN_ERR_HANDLE);
    }
    if (cache)
        SIM_MUST(sim, SIM_STATUS,
                 spn_cache_close(sim->rt, cache) == SPN_ERR_HANDLE);
}

static void frame_of_node(struct sim *sim, struct sim_node *n,
                          uint64_t elapsed_us)
{
    if (n->clip == MADE_CLIPS)
        return;
    if (!n->node) {
        if (swarm_below(&sim->swarm, 16) == 0)
            create_node(sim, n);
        return;
    }
    n->time_us += sim_playback_step(sim, n, elapsed_us);
    /* Scrubbing: another target every few updates. */
    if (n->leaps_left > 0 && !n->is_stopped &&
        swarm_below(&sim->swarm, 3) == 0) {
        n->leaps_left--;
        n->time_us = any_time(sim, n);
    }
    sim_masks_frame(sim, n);
    sim_views_frame(sim, (uint32_t)(n - sim->scene.nodes), n->node);
    if (swarm_draws(&sim->swarm, SWARM_SEEK))
        seek(sim, n);
    if (!n->is_stopped)
        SIM_MUST(sim, SIM_STATUS, set_time(sim, n) == SPN_OK);
    sim_playback_frame(sim, n);
    if (swarm_draws(&sim->swarm, SWARM_SEEK))
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_set_importance(
                     sim->rt, n->node, swarm_below(&sim->swarm, 4)) == SPN_OK);
    if (swarm_draws(&sim->swarm, SWARM_STALE_HANDLE))
        use_stale(sim, n);
    if (swarm_draws(&sim->swarm, SWARM_CLOSE)) {
        if (swarm_below(&sim->swarm, 2) == 0)
            sim_scene_destroy_node(sim, n);
        else if (sim->scene.caches[n->clip])
            sim_scene_close_cache(sim, n->clip);
        else
            return;
        swarm_hit(&sim->swarm, SWARM_CLOSE);
    }
}

static uint64_t elapsed(struct sim *sim)
{
    uint64_t now_us = sim_clock_now(sim);
    uint64_t us = now_us - sim->scene.shown_us;

    /* A caller that was held up continues where it stopped. */
    sim->scene.shown_us = now_us;
    return us < 200000 ? us : 200000;
}

void sim_scene_frame(struct sim *sim)
{
    uint64_t us = elapsed(sim);

    for (uint32_t i = 0; i < SIM_NODES; i++)
        frame_of_node(sim, &sim->scene.nodes[i], us);
}

/* -- shown frames -- */

/* What nodes leave out, and which meshes are decoded, when pictures are
 * chosen. */
void sim_scene_note(struct sim *sim)
{
    sim_masks_begin_note(sim);
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        struct sim_node *n = &sim->scene.nodes[i];
        spn_node_state state;

        if (!n->node)
            continue;
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_get_state(sim->rt, n->node, &state) == SPN_OK);
        sim_levels_note(sim, n, &state);
        sim_masks_note(sim, n, &state);
    }
    sim_masks_end_note(sim);
}

static void look_at_node(struct sim *sim, struct sim_node *n)
{
    const struct made_clip *clip = &sim->disc->clips[n->clip];
    spn_node_state state;
    struct sim_shown shown;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_state(sim->rt, n->node, &state) == SPN_OK);
    if (state.status < SPN_OK &&
        !sim_scene_is_legal(sim, n->clip, state.status))
        sim_fail(sim, SIM_STATUS, "node of clip %u: %s", n->clip,
                 spn_status_name(state.status));
    n->ready_count += state.is_ready;
    sim_playback_check(sim, n, &state);
    sim_views_check(sim, n, &state);
    sim_log_mix(&sim->log, state.frames_shown);
    sim_log_mix(&sim->log, state.bytes_read);
    shown = sim_picture_check(sim, n, &state,
                              swarm_below(&sim->swarm, clip->mesh_count));
    sim_buffers_check(sim, n, &shown);
    sim_fills_start(sim, n, &shown);
}

/* The planted bug: a picture is called the wanted one, whatever it shows. */
static void claim_wanted(struct sim *sim, const struct sim_node *n)
{
    spn__manager_node(&sim->rt->manager, n->node)->shown.is_exact = true;
}

/* A view has started a node that was not stopped. */
static void note_starts(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        struct sim_node *n = &sim->scene.nodes[i];

        if (n->node && !n->is_stopped && sim_views_starts(sim, i, n->node))
            n->is_started = true;
    }
}

void sim_scene_check_frames(struct sim *sim)
{
    struct sim_node *n = &sim->scene.nodes[sim->scene.round++ % SIM_NODES];

    for (uint32_t i = 0; i < MADE_CLIPS; i++)
        if (sim->scene.caches[i])
            look_at_cache(sim, i);
    note_starts(sim);
    if (n->node && sim->options.canary == CANARY_LEVEL)
        claim_wanted(sim, n);
    if (n->node)
        look_at_node(sim, n);
}

/* -- end -- */

void sim_scene_log(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        const struct sim_node *n = &sim->scene.nodes[i];
        spn_node_state state;

        if (!n->node || spn_node_get_state(sim->rt, n->node, &state) != SPN_OK)
            continue;
        sim_note(sim, "node: clip, ready looks", n->clip, n->ready_count,
                 state.status);
        sim_note(sim, "  admission, seeks, time", state.admission, state.seeks,
                 n->time_us);
        sim_note(sim, "  buffered, precached", (uint64_t)state.buffered_us,
                 (uint64_t)state.precached_us, state.shown_frame);
    }
}

void sim_scene_end_faults(struct sim *sim)
{
    sim_masks_end_faults(sim);
    sim_playback_end_faults(sim);
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        struct sim_node *n = &sim->scene.nodes[i];

        n->ready_count = 0;
        /* It may keep an unmounted pak, with all its memory. */
        if (n->node && n->clip == MADE_CLIPS - 1)
            sim_scene_destroy_node(sim, n);
    }
    if (sim->scene.caches[MADE_CLIPS - 1])
        sim_scene_close_cache(sim, MADE_CLIPS - 1);
}

void sim_scene_forget_ready(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++)
        sim->scene.nodes[i].ready_count = 0;
}

void sim_scene_begin_again(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        struct sim_node *n = &sim->scene.nodes[i];
        spn_node_state state;

        if (n->node && spn_node_get_state(sim->rt, n->node, &state) == SPN_OK &&
            state.status < SPN_OK &&
            spn__manager_node(&sim->rt->manager, n->node)->cache->keeps_frames)
            sim_scene_destroy_node(sim, n);
    }
}

bool sim_scene_recover(struct sim *sim)
{
    uint64_t us = elapsed(sim);
    bool all_play = true;

    for (uint32_t i = 0; i < SIM_NODES; i++) {
        struct sim_node *n = &sim->scene.nodes[i];

        if (n->clip == MADE_CLIPS)
            continue;
        if (n->node && n->is_orphan)
            sim_scene_destroy_node(sim, n);
        if (!n->node)
            create_node(sim, n);
        if (!n->node) {
            all_play = all_play && sim->is_poor;
            continue;
        }
        n->time_us += sim_playback_step(sim, n, us);
        /* At its end a clip shows its last frame; when that frame is lost, none
         * replaces it. */
        sim_playback_repeat(sim, n);
        n->is_stopped = false;
        (void)set_time(sim, n);
        all_play = all_play && (n->ready_count >= READY_ENOUGH || sim->is_poor);
    }
    return all_play;
}

void sim_scene_close(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_NODES; i++)
        if (sim->scene.nodes[i].node)
            sim_scene_destroy_node(sim, &sim->scene.nodes[i]);
    for (uint32_t i = 0; i < MADE_CLIPS; i++)
        if (sim->scene.caches[i])
            sim_scene_close_cache(sim, i);
}
