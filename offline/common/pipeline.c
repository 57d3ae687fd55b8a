/* pipeline.c - one lock, and a list of stages to look for work in.
 *
 * Every thread of the pool runs the same loop: look for work from the last
 * stage to the first, do it without the lock, note what it gave. Turns are
 * long (a frame, a stream), so the lock is never busy. Threads sleep only
 * while another one has something to finish, so a sleep always ends.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/pipeline.h"

#include "common/arena.h"

#include <assert.h>
#include <pthread.h>

struct stage {
    const struct pipeline_stage *is;
    uint32_t *left;      /* a ring: turns of item i that have not returned are
                          * in i % window */
    uint32_t begun;      /* items */
    uint32_t handed_on;  /* items */
    uint32_t next_turn;  /* of the item that began last ... */
    uint32_t turn_count; /* ... below this */
    bool is_handing_on;
};

struct pipeline {
    pthread_mutex_t lock;
    pthread_cond_t has_changed;
    void *user;
    /* under the lock */
    struct stage stages[PIPELINE_STAGES_MAX];
    uint32_t stage_count;
    uint32_t running; /* turns and hand-ons */
    bool has_failed;
};

struct work {
    struct stage *stage;
    uint32_t item;
    uint32_t turn;
    bool is_hand_on;
};

static uint32_t item_limit(const struct pipeline *p, const struct stage *stage)
{
    uint32_t handed_on[PIPELINE_STAGES_MAX];
    uint32_t limit = stage->is->item_count;
    uint32_t allowed;

    if (limit - stage->handed_on > stage->is->window)
        limit = stage->handed_on + stage->is->window;
    if (!stage->is->limit)
        return limit;
    for (uint32_t i = 0; i < p->stage_count; i++)
        handed_on[i] = p->stages[i].handed_on;
    allowed = stage->is->limit(p->user, handed_on);
    return allowed < limit ? allowed : limit;
}

/* Begin items until one has a turn to take. */
static bool has_turn(const struct pipeline *p, struct stage *stage)
{
    uint32_t limit;

    if (stage->next_turn < stage->turn_count)
        return true;
    limit = item_limit(p, stage);
    while (stage->begun < limit) {
        uint32_t item = stage->begun++;

        stage->next_turn = 0;
        stage->turn_count =
            stage->is->turns ? stage->is->turns(p->user, item) : 1;
        stage->left[item % stage->is->window] = stage->turn_count;
        if (stage->turn_count > 0)
            return true;
    }
    return false;
}

static bool can_hand_on(const struct stage *stage)
{
    return !stage->is_handing_on && stage->handed_on < stage->begun &&
           stage->left[stage->handed_on % stage->is->window] == 0;
}

static bool find_in(const struct pipeline *p, struct stage *stage,
                    struct work *work)
{
    /* Before the hand-on: an item without turns must begin to be one. */
    bool is_turn = has_turn(p, stage);

    *work = (struct work){.stage = stage};
    if (can_hand_on(stage)) {
        work->item = stage->handed_on;
        work->is_hand_on = true;
        stage->is_handing_on = true;
        return true;
    }
    if (is_turn) {
        work->item = stage->begun - 1;
        work->turn = stage->next_turn++;
    }
    return is_turn;
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
        if (p->stages[i].handed_on < p->stages[i].is->item_count)
            return p->has_failed;
    return true;
}

/* The lock is held on the way in and out, and released meanwhile. */
static void do_work(struct pipeline *p, const struct work *work,
                    uint32_t worker)
{
    struct stage *stage = work->stage;
    bool is_good;

    p->running++;
    pthread_mutex_unlock(&p->lock);
    if (work->is_hand_on)
        is_good = stage->is->hand_on(p->user, work->item, worker);
    else
        is_good = stage->is->turn(p->user, work->item, work->turn, worker);
    pthread_mutex_lock(&p->lock);
    p->running--;
    if (!is_good)
        p->has_failed = true;
    if (work->is_hand_on) {
        stage->is_handing_on = false;
        stage->handed_on++;
    } else if (--stage->left[work->item % stage->is->window] > 0 && is_good) {
        return; /* nothing new for anybody */
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
        /* Limits that allow nothing while nothing runs would sleep for
         * ever. */
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
        p.stages[i].is = &stages[i];
        p.stages[i].left = ARENA_NEW(&arena, uint32_t, stages[i].window);
    }
    workers_run(workers, workers_count(workers), run_worker, &p);
    pthread_cond_destroy(&p.has_changed);
    pthread_mutex_destroy(&p.lock);
    arena_free(&arena);
    return !p.has_failed;
}
