/* paced_stage.c - a stage with a virtual worker. */
/* SPDX-License-Identifier: MIT */
#include "support/paced_stage.h"

#include "harness.h"
#include "play/node/node.h"
#include "runtime.h"

static void on_decoded(void *user, const spn_event *event)
{
    play_worker_charge(user, event);
}

void paced_tick(struct paced_stage *p)
{
    play_worker_run(&p->worker, p->stage.disc.clock_us + STAGE_TICK_US);
    stage_tick(&p->stage, STAGE_TICK_US);
    play_worker_run(&p->worker, p->stage.disc.clock_us);
}

void paced_open(struct paced_stage *p)
{
    struct stage *s = &p->stage;
    spn_cache_info info;

    play_worker_init(&p->worker, 0, &s->config);
    p->listener = (spn_listener){.user = &p->worker, .decode_end = on_decoded};
    s->config.listener = &p->listener;
    stage_start(s);
    p->worker.rt = s->rt;
    CHECK_EQ(spn_cache_open(s->rt, "a", &s->cache), SPN_OK);
    for (int i = 0;
         i < 1000 && spn_cache_get_status(s->rt, s->cache, NULL) == SPN_PENDING;
         i++)
        paced_tick(p);
    CHECK_EQ(spn_cache_get_status(s->rt, s->cache, NULL), SPN_OK);
    CHECK_EQ(spn_cache_get_info(s->rt, s->cache, &info), SPN_OK);
    p->frame_us = info.loop_us / info.frame_count;
}

void paced_open_tiny(struct paced_stage *p, const struct tiny_options *o)
{
    stage_init(&p->stage, tiny_build(o));
    paced_open(p);
}

void paced_open_classic(struct paced_stage *p)
{
    paced_open_tiny(p, &(struct tiny_options){.frame_count = PACED_FRAMES});
}

void paced_open_pyramid(struct paced_stage *p, uint32_t frame_count)
{
    const struct synthetic_options o = {.frame_count = frame_count,
                                        .vertices = 300,
                                        .mesh_count = 2,
                                        .step = 20};

    synthetic_lift(&o, 8, true, &p->memory);
    stage_init(&p->stage, NULL);
    slow_platform_add(&p->stage.disc, "a", p->memory.bytes, p->memory.size);
    paced_open(p);
}

void paced_close(struct paced_stage *p)
{
    stage_close(&p->stage);
    memory_sink_free(&p->memory);
    p->memory = (struct memory_sink){0};
}

void paced_set_capacity(struct paced_stage *p, uint32_t percent)
{
    p->worker.frame_us = (uint64_t)p->frame_us * 100 / percent;
}

void paced_set_time(struct paced_stage *p, spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(p->stage.rt, node, time_us), SPN_OK);
}

void paced_play(struct paced_stage *p, spn_node node, int from, int seconds)
{
    const int64_t end_us = (from + seconds) * PACED_SECOND_US;

    for (int64_t us = from * PACED_SECOND_US; us < end_us;
         us += STAGE_TICK_US) {
        paced_set_time(p, node, us);
        paced_tick(p);
    }
}

const struct cursor *paced_cursor(struct paced_stage *p, spn_node node)
{
    return &spn__manager_node(&p->stage.rt->manager, node)->cursor;
}

const struct cache *paced_cache(struct paced_stage *p)
{
    return spn__manager_cache(&p->stage.rt->manager, p->stage.cache);
}
