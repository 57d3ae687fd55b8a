/* play_worker.c - run the jobs of a runtime in virtual time. */
/* SPDX-License-Identifier: MIT */
#include "player/play_worker.h"

#include "play/cache.h"
#include "play/node/update.h"
#include "runtime.h"

static void on_submit(void *user)
{
    struct play_worker *w = user;

    w->waiting_count++;
}

void play_worker_init(struct play_worker *worker, uint64_t frame_us,
                      spn_config *config)
{
    *worker =
        (struct play_worker){.frame_us = frame_us, .expected_us = frame_us};
    config->worker_count = 1;
    config->job_submit = on_submit;
    config->job_user = worker;
    config->job_gate = &worker->gate;
}

void play_worker_charge(struct play_worker *worker, const spn_event *event)
{
    const struct cache *c =
        spn__manager_cache(&worker->rt->manager, event->cache);

    if (c && c->header.tile_count > 0)
        worker->free_us += worker->frame_us / c->header.tile_count;
}

void play_worker_run(struct play_worker *worker, uint64_t now_us)
{
    while (worker->waiting_count > 0 &&
           worker->free_us + worker->expected_us <= now_us) {
        const uint64_t begin_us = worker->free_us;

        worker->waiting_count--;
        (void)spn_job_step(&worker->gate, 0);
        if (worker->free_us > begin_us)
            worker->expected_us = worker->free_us - begin_us;
    }
    /* A job that is submitted later does not begin before. */
    if (worker->waiting_count == 0 && worker->free_us < now_us)
        worker->free_us = now_us;
}
