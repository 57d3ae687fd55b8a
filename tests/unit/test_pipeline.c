/* test_pipeline.c
 *
 * Goal: items pass in order for any timing of threads, never more than the ring
 *   holds, and a failure ends the run.
 * Method: two stages over a ring of known size, with 1 to 7 threads. Every task
 *   records its state under a lock of the test. Where threads must overlap they
 *   wait for each other, so that a barrier would hang.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/pipeline.h"
#include "harness.h"

#include <pthread.h>
#include <string.h>

#define FIRST_ITEMS 60u
#define PER_SECOND 4u /* items of the first stage to one of the second */
#define SECOND_ITEMS (FIRST_ITEMS / PER_SECOND)
#define PLACES 9u
#define TASKS_MAX 6u

enum { NEVER = 1000000 };

struct state {
    pthread_mutex_t lock;
    pthread_cond_t has_changed;
    uint32_t tasks_of_first[FIRST_ITEMS];
    uint32_t tasks_of_second[SECOND_ITEMS][TASKS_MAX];
    uint32_t finished[2];
    uint32_t begun;        /* in the first stage */
    uint32_t most_at_once; /* begun and not yet freed by the second stage */
    bool is_out_of_order;
    bool is_early;
    bool is_bad_worker;
    uint32_t worker_count;
    /* the task that fails */
    uint32_t bad_task_of_first;
    uint32_t bad_task_of_second;
    uint32_t bad_finish_of_second;
    bool has_failed;
};

static void note_worker(struct state *s, uint32_t worker)
{
    if (worker >= s->worker_count)
        s->is_bad_worker = true;
}

static bool fail_at(struct state *s, uint32_t item, uint32_t bad)
{
    if (item != bad)
        return true;
    s->has_failed = true;
    return false;
}

static bool first_task(void *user, uint32_t item, uint32_t task,
                       uint32_t worker)
{
    struct state *s = user;
    uint32_t at_once;
    bool is_good;

    pthread_mutex_lock(&s->lock);
    note_worker(s, worker);
    s->tasks_of_first[item] += 1 + task;
    s->begun++;
    at_once = s->begun - s->finished[1] * PER_SECOND;
    if (at_once > s->most_at_once)
        s->most_at_once = at_once;
    is_good = fail_at(s, item, s->bad_task_of_first);
    pthread_mutex_unlock(&s->lock);
    return is_good;
}

static bool finish_first(void *user, uint32_t item, uint32_t worker)
{
    struct state *s = user;

    pthread_mutex_lock(&s->lock);
    note_worker(s, worker);
    if (item != s->finished[0] || s->tasks_of_first[item] != 1)
        s->is_out_of_order = true;
    s->finished[0] = item + 1;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static uint32_t first_limit(void *user, const uint32_t *finished)
{
    (void)user;
    return finished[1] * PER_SECOND + PLACES;
}

/* 0 to 5 of them. */
static uint32_t second_task_count(void *user, uint32_t item)
{
    (void)user;
    return item % TASKS_MAX;
}

static bool second_task(void *user, uint32_t item, uint32_t task,
                        uint32_t worker)
{
    struct state *s = user;
    bool is_good;

    pthread_mutex_lock(&s->lock);
    note_worker(s, worker);
    s->tasks_of_second[item][task]++;
    if (s->finished[0] < (item + 1) * PER_SECOND)
        s->is_early = true;
    is_good = fail_at(s, item, s->bad_task_of_second);
    pthread_mutex_unlock(&s->lock);
    return is_good;
}

static bool finish_second(void *user, uint32_t item, uint32_t worker)
{
    struct state *s = user;
    bool is_good;

    pthread_mutex_lock(&s->lock);
    note_worker(s, worker);
    if (item != s->finished[1])
        s->is_out_of_order = true;
    for (uint32_t task = 0; task < item % TASKS_MAX; task++)
        if (s->tasks_of_second[item][task] != 1)
            s->is_out_of_order = true;
    s->finished[1] = item + 1;
    is_good = fail_at(s, item, s->bad_finish_of_second);
    pthread_mutex_unlock(&s->lock);
    return is_good;
}

static uint32_t second_limit(void *user, const uint32_t *finished)
{
    (void)user;
    return finished[0] / PER_SECOND;
}

static const struct pipeline_stage two_stages[2] = {
    {FIRST_ITEMS, 5, NULL, first_task, finish_first, first_limit},
    {SECOND_ITEMS, 2, second_task_count, second_task, finish_second,
     second_limit},
};

static void begin(struct state *s)
{
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->has_changed, NULL);
    s->bad_task_of_first = NEVER;
    s->bad_task_of_second = NEVER;
    s->bad_finish_of_second = NEVER;
}

static bool run(struct state *s, uint32_t jobs,
                const struct pipeline_stage *stages, uint32_t count)
{
    struct workers *workers = workers_create(jobs);
    bool is_good;

    test_context("%u jobs", jobs);
    s->worker_count = workers_count(workers);
    is_good = pipeline_run(workers, stages, count, s);
    workers_destroy(workers);
    return is_good;
}

static void end(struct state *s)
{
    pthread_cond_destroy(&s->has_changed);
    pthread_mutex_destroy(&s->lock);
}

static void pipeline_finishes_every_item_once_and_in_order(void)
{
    for (uint32_t jobs = 1; jobs <= 7; jobs++) {
        struct state s;

        begin(&s);
        CHECK(run(&s, jobs, two_stages, 2));
        CHECK_EQ_U(s.finished[0], FIRST_ITEMS);
        CHECK_EQ_U(s.finished[1], SECOND_ITEMS);
        for (uint32_t i = 0; i < FIRST_ITEMS; i++)
            CHECK_EQ_U(s.tasks_of_first[i], 1);
        CHECK(!s.is_out_of_order);
        CHECK(!s.is_early);
        CHECK(!s.is_bad_worker);
        end(&s);
    }
}

static void pipeline_stays_within_its_reservation(void)
{
    for (uint32_t jobs = 1; jobs <= 7; jobs++) {
        struct state s;

        begin(&s);
        CHECK(run(&s, jobs, two_stages, 2));
        CHECK(s.most_at_once <= PLACES);
        /* At least one group, or the second stage could never begin. */
        CHECK(s.most_at_once >= PER_SECOND);
        end(&s);
    }
}

static void pipeline_with_one_thread_runs_the_latest_stage_first(void)
{
    struct state s;

    begin(&s);
    CHECK(run(&s, 1, two_stages, 2));
    CHECK_EQ_U(s.most_at_once, PER_SECOND);
    end(&s);
}

/* No item passes the failed one, however late other threads notice the
 * failure. */
static void pipeline_ends_at_the_first_failure(void)
{
    for (uint32_t jobs = 1; jobs <= 7; jobs++)
        for (int kind = 0; kind < 3; kind++) {
            struct state s;

            begin(&s);
            if (kind == 0)
                s.bad_task_of_first = 17;
            else if (kind == 1)
                s.bad_task_of_second = 4;
            else
                s.bad_finish_of_second = 3;
            CHECK(!run(&s, jobs, two_stages, 2));
            CHECK(s.has_failed);
            CHECK(s.finished[1] <= 4);
            CHECK(s.begun <= 4 * PER_SECOND + PLACES);
            if (kind == 0)
                CHECK(s.finished[0] <= 17);
            end(&s);
        }
}

static void pipeline_reports_a_failure_of_the_very_last_finish(void)
{
    struct state s;

    begin(&s);
    s.bad_finish_of_second = SECOND_ITEMS - 1;
    CHECK(!run(&s, 3, two_stages, 2));
    end(&s);
}

/* -- overlap -- */

static bool wait_until(struct state *s, const uint32_t *count, uint32_t value)
{
    while (*count < value)
        pthread_cond_wait(&s->has_changed, &s->lock);
    return true;
}

/* Item 0 returns only after a task of item 1 in the same stage has begun. */
static bool entangled_task(void *user, uint32_t item, uint32_t task,
                           uint32_t worker)
{
    struct state *s = user;

    (void)task;
    (void)worker;
    pthread_mutex_lock(&s->lock);
    s->tasks_of_first[item]++;
    pthread_cond_broadcast(&s->has_changed);
    if (item == 0)
        wait_until(s, &s->tasks_of_first[1], 1);
    pthread_mutex_unlock(&s->lock);
    return true;
}

/* The finish call of item 0 returns only after a later item's task has
 * begun. */
static bool finish_entangled(void *user, uint32_t item, uint32_t worker)
{
    struct state *s = user;

    (void)worker;
    pthread_mutex_lock(&s->lock);
    if (item == 0)
        wait_until(s, &s->tasks_of_first[2], 1);
    s->finished[0]++;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static void pipeline_has_several_items_in_flight(void)
{
    static const struct pipeline_stage stage = {
        4, 3, NULL, entangled_task, finish_entangled, NULL};
    struct workers *workers = workers_create(2);
    struct state s;
    bool is_alone = workers_count(workers) < 2;

    workers_destroy(workers);
    if (is_alone)
        test_skip("this machine starts no threads");
    begin(&s);
    CHECK(run(&s, 2, &stage, 1));
    CHECK_EQ_U(s.finished[0], 4);
    end(&s);
}

static void pipeline_without_items_is_done(void)
{
    static const struct pipeline_stage stage = {
        0, 1, NULL, entangled_task, finish_entangled, NULL};
    struct state s;

    begin(&s);
    CHECK(run(&s, 2, &stage, 1));
    CHECK(run(&s, 2, &stage, 0));
    end(&s);
}

TEST_MAIN(TEST(pipeline_finishes_every_item_once_and_in_order),
          TEST(pipeline_stays_within_its_reservation),
          TEST(pipeline_with_one_thread_runs_the_latest_stage_first),
          TEST(pipeline_ends_at_the_first_failure),
          TEST(pipeline_reports_a_failure_of_the_very_last_finish),
          TEST(pipeline_has_several_items_in_flight),
          TEST(pipeline_without_items_is_done))
