/* pipeline.c - threads take work from a list of stages under one lock.
 *
 * Every thread of the pool runs the same loop: find work, from the last stage
 * to the first; do it without the lock; record the result. Tasks are long (a
 * frame, a stream), so threads seldom wait for the lock. A thread sleeps only
 * while another thread runs a task, whose end wakes it.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/pipeline.h"

#include "common/arena.h"

#include <assert.h>
#include <pthread.h>

struct stage {
    const struct pipeline_stage *config;
    uint32_t *left;      /* a ring: tasks of item i that have not returned are
                          * in i % window */
    uint32_t begun;      /* items */
    uint32_t finished;   /* items */
    uint32_t next_task;  /* of the item that began last ... */
    uint32_t task_count; /* ... below this */
    bool is_finishing;
};

struct pipeline {
    pthread_mutex_t lock;
    pthread_cond_t has_changed;
    void *user;
    /* under the lock */
    struct stage stages[PIPELINE_STAGES_MAX];
    uint32_t stage_count;
    uint32_t running; /* tasks and finish calls */
    bool has_failed;
};

struct work {
    struct stage *stage;
    uint32_t item;
    uint32_t task;
    bool is_finish;
};

static uint32_t item_limit(const struct pipeline *p, const struct stage *stage)
{
    uint32_t finished[PIPELINE_STAGES_MAX];
    uint32_t limit = stage->config->item_count;
    uint32_t allowed;

    if (limit - stage->finished > stage->config->window)
        limit = stage->finished + stage->config->window;
    if (!stage->config->limit)
        return limit;
    for (uint32_t i = 0; i < p->stage_count; i++)
        finished[i] = p->stages[i].finished;
    allowed = stage->config->limit(p->user, finished);
    return allowed < limit ? allowed : limit;
}

/* Begin items until one has a task. Returns false when no item may begin. */
static bool has_task(const struct pipeline *p, struct stage *stage)
{
    uint32_t limit;

    if (stage->next_task < stage->task_count)
        return true;
    limit = item_limit(p, stage);
    while (stage->begun < limit) {
        uint32_t item = stage->begun++;

        stage->next_task = 0;
        stage->task_count = stage->config->task_count
                                ? stage->config->task_count(p->user, item)
                                : 1;
        stage->left[item % stage->config->window] = stage->task_count;
        if (stage->task_count > 0)
            return true;
    }
    return false;
}

static bool can_finish(const struct stage *stage)
{
    return !stage->is_finishing && stage->finished < stage->begun &&
           stage->left[stage->finished % stage->config->window] == 0;
}

static bool find_in(const struct pipeline *p, struct stage *stage,
                    struct work *work)
{
    /* First of all: an item without tasks can be finished once it has begun. */
    bool is_task = has_task(p, stage);

    *work = (struct work){.stage = stage};
    if (can_finish(stage)) {
        work->item = stage->finished;
        work->is_finish = true;
        stage->is_finishing = true;
        return true;
    }
    if (is_task) {
        work->item = stage->begun - 1;
        work->task = stage->next_task++;
    }
    return is_task;
}

static bool find_work(struct pipeline *p, struct work *work)
{
    for (uint32_t i = p->stage_count; i-- > 0;)
        if (find_in(p, &p->stages[i], work))
            return true;
    return false;
}

static bool is_over(const struct pipeline *p)
{
    for (uint32_t i = 0; i < p->stage_count; i++)
        if (p->stages[i].finished < p->stages[i].config->item_count)
            return p->has_failed;
    return true;
}

/* The caller must hold the lock. It is released meanwhile, and held again when
 * the function returns. */
static void do_work(struct pipeline *p, const struct work *work,
                    uint32_t worker)
{
    struct stage *stage = work->stage;
    bool is_good;

    p->running++;
    pthread_mutex_unlock(&p->lock);
    if (work->is_finish)
        is_good = stage->config->finish(p->user, work->item, worker);
    else
        is_good =
            stage->config->run_task(p->user, work->item, work->task, worker);
    pthread_mutex_lock(&p->lock);
    p->running--;
    if (!is_good)
        p->has_failed = true;
    if (work->is_finish) {
        stage->is_finishing = false;
        stage->finished++;
    } else if (--stage->left[work->item % stage->config->window] > 0 &&
               is_good) {
        return; /* no other thread can do anything new */
    }
    pthread_cond_broadcast(&p->has_changed);
}

static void run_worker(void *user, uint32_t index, uint32_t worker)
{
    struct pipeline *p = user;
    struct work work;

    (void)index;
    pthread_mutex_lock(&p->lock);
    while (!is_over(p)) {
        if (find_work(p, &work)) {
            do_work(p, &work, worker);
            continue;
        }
        /* If nothing runs, the limits can no longer change. */
        assert(p->running > 0);
        if (p->running == 0)
            p->has_failed = true;
        else
            pthread_cond_wait(&p->has_changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

bool pipeline_run(struct workers *workers, const struct pipeline_stage *stages,
                  uint32_t stage_count, void *user)
{
    struct pipeline p = {.user = user, .stage_count = stage_count};
    struct arena arena;

    assert(stage_count <= PIPELINE_STAGES_MAX);
    arena_init(&arena);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.has_changed, NULL);
    for (uint32_t i = 0; i < stage_count; i++) {
        p.stages[i].config = &stages[i];
        p.stages[i].left = ARENA_NEW(&arena, uint32_t, stages[i].window);
    }
    workers_run(workers, workers_count(workers), run_worker, &p);
    pthread_cond_destroy(&p.has_changed);
    pthread_mutex_destroy(&p.lock);
    arena_free(&arena);
    return !p.has_failed;
}
