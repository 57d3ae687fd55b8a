/* test_jobs.c
 *
 * Goal: every accepted job runs once, in order, with its own worker's scratch
 *   memory. idle is true only when no job is left.
 * Method: first steps on one thread, where all is exact; then threads as
 *   workers, and jobs that submit jobs. Jobs only record their calls.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/jobs.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <string.h>

#define WORKERS 4u
#define SCRATCH 256u

alignas(64) static uint8_t memory[65536];

static void make(struct jobs *jobs, uint32_t capacity, uint32_t workers)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};

    spn__jobs_init(jobs, &carve, capacity, workers, SCRATCH);
    CHECK(!carve.is_over);
}

struct record {
    struct jobs *jobs;
    uint32_t count;
    uint32_t arguments[64];
    const struct job_worker *workers[64];
    bool idle_inside;
};

static void note(void *context, uint32_t argument, struct job_worker *worker)
{
    struct record *record = context;

    record->workers[record->count] = worker;
    record->arguments[record->count++] = argument;
    record->idle_inside |= spn__jobs_are_idle(record->jobs);
}

static void jobs_run_in_order_each_once(void)
{
    struct jobs jobs;
    struct record record = {0};

    make(&jobs, 8, 1);
    record.jobs = &jobs;
    CHECK(!spn__jobs_step(&jobs, 0));
    for (uint32_t i = 0; i < 8; i++)
        CHECK(spn__jobs_submit(&jobs, note, &record, 100 + i));
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ_U(record.count, i);
        CHECK(spn__jobs_check(&jobs));
        CHECK(spn__jobs_step(&jobs, 0));
        CHECK_EQ_U(record.arguments[i], 100 + i);
    }
    CHECK(!spn__jobs_step(&jobs, 0));
    CHECK_EQ_U(record.count, 8);
}

/* Urgent jobs overtake the others; each kind keeps its order. */
static void urgent_jobs_run_first(void)
{
    static const uint32_t order[] = {10, 11, 12, 0, 1};
    struct jobs jobs;
    struct record record = {0};

    make(&jobs, 2, 1);
    record.jobs = &jobs;
    CHECK(!spn__jobs_has_next(&jobs));
    CHECK(spn__jobs_submit(&jobs, note, &record, 0));
    CHECK(spn__jobs_submit_urgent(&jobs, note, &record, 10));
    CHECK(spn__jobs_submit(&jobs, note, &record, 1));
    /* A full table does not keep urgent jobs out. */
    CHECK(!spn__jobs_submit(&jobs, note, &record, 2));
    CHECK(spn__jobs_submit_urgent(&jobs, note, &record, 11));
    CHECK(spn__jobs_submit_urgent(&jobs, note, &record, 12));
    CHECK_EQ_U(spn__jobs_count(&jobs), 5);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(spn__jobs_has_next(&jobs));
        CHECK(spn__jobs_step(&jobs, 0));
        CHECK_EQ_U(record.arguments[i], order[i]);
    }
    CHECK(!spn__jobs_step(&jobs, 0));
    CHECK(!record.idle_inside && spn__jobs_are_idle(&jobs));
}

static void jobs_refuse_when_the_table_is_full_and_recover(void)
{
    struct jobs jobs;
    struct record record = {0};

    make(&jobs, 4, 1);
    record.jobs = &jobs;
    for (int round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 4; i++)
            CHECK(spn__jobs_submit(&jobs, note, &record, i));
        CHECK(!spn__jobs_submit(&jobs, note, &record, 99));
        CHECK(!spn__jobs_are_idle(&jobs));
        CHECK(spn__jobs_step(&jobs, 0));
        CHECK(spn__jobs_submit(&jobs, note, &record, 4));
        CHECK(!spn__jobs_submit(&jobs, note, &record, 99));
        while (spn__jobs_step(&jobs, 0))
            ;
        CHECK(spn__jobs_are_idle(&jobs));
        CHECK_EQ_U(record.count, 5);
        for (uint32_t i = 0; i < 5; i++)
            CHECK_EQ_U(record.arguments[i], i);
        record.count = 0;
    }
}

static void jobs_are_not_idle_while_one_is_queued_or_running(void)
{
    struct jobs jobs;
    struct record record = {0};

    make(&jobs, 4, 1);
    record.jobs = &jobs;
    CHECK(spn__jobs_are_idle(&jobs));
    CHECK(spn__jobs_submit(&jobs, note, &record, 0));
    CHECK(!spn__jobs_are_idle(&jobs));
    CHECK(spn__jobs_step(&jobs, 0));
    CHECK(!record.idle_inside);
    CHECK(spn__jobs_are_idle(&jobs));
}

static void jobs_give_each_worker_its_own_scratch(void)
{
    struct jobs jobs;
    struct record record = {0};

    make(&jobs, 4, WORKERS);
    record.jobs = &jobs;
    for (uint32_t i = 0; i < WORKERS; i++) {
        CHECK(spn__jobs_submit(&jobs, note, &record, i));
        CHECK(spn__jobs_step(&jobs, i));
        CHECK(record.workers[i] == &jobs.workers[i]);
        CHECK_EQ_U(jobs.workers[i].index, i);
        CHECK_EQ_U(jobs.workers[i].scratch_bytes, SCRATCH);
        CHECK_EQ_U((uintptr_t)jobs.workers[i].scratch % 64, 0);
        memset(jobs.workers[i].scratch, (int)i + 1, SCRATCH);
    }
    for (uint32_t i = 0; i < WORKERS; i++)
        for (uint32_t k = 0; k < SCRATCH; k++)
            CHECK_EQ_U(jobs.workers[i].scratch[k], i + 1);
}

/* A job with argument n submits n - 1 and n - 2 more, down to 0. */
struct tree {
    struct jobs *jobs;
    struct atomic_u32 runs;
    struct atomic_u32 refused;
    struct atomic_u32 notices;
};

static void branch(void *context, uint32_t argument, struct job_worker *worker)
{
    struct tree *tree = context;

    (void)worker;
    atomic_add_relaxed(&tree->runs, 1);
    for (uint32_t i = 1; i <= 2; i++)
        if (argument >= i &&
            !spn__jobs_submit(tree->jobs, branch, tree, argument - i))
            atomic_add_relaxed(&tree->refused, 1);
}

static uint32_t branch_runs(uint32_t argument)
{
    uint32_t runs[32] = {1, 2};

    for (uint32_t i = 2; i <= argument; i++)
        runs[i] = 1 + runs[i - 1] + runs[i - 2];
    return runs[argument];
}

static void count_notice(void *user)
{
    struct tree *tree = user;

    atomic_add_relaxed(&tree->notices, 1);
}

static void jobs_may_submit_jobs(void)
{
    struct jobs jobs;
    struct tree tree = {.jobs = &jobs};

    make(&jobs, 1024, 1);
    jobs.notify = count_notice;
    jobs.notify_user = &tree;
    CHECK(spn__jobs_submit(&jobs, branch, &tree, 9));
    while (!spn__jobs_are_idle(&jobs))
        CHECK(spn__jobs_step(&jobs, 0));
    CHECK_EQ_U(atomic_load_relaxed(&tree.runs), branch_runs(9));
    CHECK_EQ_U(atomic_load_relaxed(&tree.notices), branch_runs(9));
    CHECK_EQ_U(atomic_load_relaxed(&tree.refused), 0);
}

static void jobs_notify_no_worker_of_a_refusal(void)
{
    struct jobs jobs;
    struct tree tree = {.jobs = &jobs};

    make(&jobs, 2, 1);
    jobs.notify = count_notice;
    jobs.notify_user = &tree;
    CHECK(spn__jobs_submit(&jobs, branch, &tree, 0));
    CHECK(spn__jobs_submit(&jobs, branch, &tree, 0));
    CHECK(!spn__jobs_submit(&jobs, branch, &tree, 0));
    CHECK_EQ_U(atomic_load_relaxed(&tree.notices), 2);
}

#define ITEMS 20000u

struct job_set {
    struct jobs jobs;
    struct atomic_u32 is_closed;
    struct atomic_u32 accepted;
    uint32_t items[ITEMS]; /* not atomic: one job writes each */
};

static struct job_set job_set;

struct thread_of_jobs {
    pthread_t thread;
    uint32_t index;
    uint32_t bad_scratch;
};

static void work(void *context, uint32_t argument, struct job_worker *worker)
{
    struct job_set *s = context;

    /* No other worker uses a worker's scratch while its job runs. */
    memset(worker->scratch, (int)(argument & 255), worker->scratch_bytes);
    s->items[argument] +=
        worker->scratch[argument % worker->scratch_bytes] == (argument & 255)
            ? 1
            : 1000;
    /* Every even item submits the next odd one, or runs it itself. */
    if (argument % 2 == 0 && argument + 1 < ITEMS &&
        !spn__jobs_submit(&s->jobs, work, s, argument + 1))
        work(s, argument + 1, worker);
}

static void *serve(void *argument)
{
    const struct thread_of_jobs *me = argument;

    while (!atomic_load_acquire(&job_set.is_closed))
        if (!spn__jobs_step(&job_set.jobs, me->index))
            sched_yield();
    return NULL;
}

static void jobs_run_once_among_threads_and_idle_means_done(void)
{
    struct thread_of_jobs hands[WORKERS];

    memset(&job_set, 0, sizeof job_set);
    make(&job_set.jobs, 512, WORKERS);
    for (uint32_t i = 0; i < WORKERS; i++) {
        hands[i].index = i;
        CHECK_EQ(pthread_create(&hands[i].thread, NULL, serve, &hands[i]), 0);
    }
    for (uint32_t i = 0; i < ITEMS; i += 2)
        while (!spn__jobs_submit(&job_set.jobs, work, &job_set, i))
            sched_yield();
    while (!spn__jobs_are_idle(&job_set.jobs))
        sched_yield();
    /* The threads are not joined yet. The result of idle must be enough to see
     * the writes of the jobs. */
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ITEMS; i++)
        wrong += job_set.items[i] != 1;
    atomic_store_release(&job_set.is_closed, 1);
    for (uint32_t i = 0; i < WORKERS; i++)
        CHECK_EQ(pthread_join(hands[i].thread, NULL), 0);
    CHECK_EQ_U(wrong, 0);
    CHECK(!spn__jobs_step(&job_set.jobs, 0));
}

static void jobs_carve_the_counted_size(void)
{
    struct carve count = {.limit = SIZE_MAX};
    struct carve cut = {.base = memory, .limit = sizeof memory};
    struct jobs jobs;

    spn__jobs_init(&jobs, &count, 100, 3, 1000);
    spn__jobs_init(&jobs, &cut, 100, 3, 1000);
    CHECK_EQ_U(count.used, cut.used);
    CHECK(!cut.is_over);
}

static void check_finds_a_lost_job(void)
{
    struct jobs jobs;
    struct record record = {0};
    struct job_queue *q;

    make(&jobs, 4, 2);
    q = &jobs.queues[JOBS_NORMAL];
    record.jobs = &jobs;
    for (uint32_t i = 0; i < 3; i++)
        CHECK(spn__jobs_submit(&jobs, note, &record, i));
    CHECK(spn__jobs_step(&jobs, 0));
    CHECK(spn__jobs_check(&jobs));
    atomic_store_relaxed(&jobs.unfinished, 1);
    CHECK(!spn__jobs_check(&jobs));
    atomic_store_relaxed(&jobs.unfinished, 2);
    q->table[2].run = NULL;
    CHECK(!spn__jobs_check(&jobs));
    q->table[2].run = note;
    jobs.workers[1].index = 0;
    CHECK(!spn__jobs_check(&jobs));
    jobs.workers[1].index = 1;
    atomic_store_relaxed(&q->ready.cells[1].sequence, 9);
    CHECK(!spn__jobs_check(&jobs));
}

TEST_MAIN(TEST(jobs_run_in_order_each_once), TEST(urgent_jobs_run_first),
          TEST(jobs_refuse_when_the_table_is_full_and_recover),
          TEST(jobs_are_not_idle_while_one_is_queued_or_running),
          TEST(jobs_give_each_worker_its_own_scratch),
          TEST(jobs_may_submit_jobs), TEST(jobs_notify_no_worker_of_a_refusal),
          TEST(jobs_run_once_among_threads_and_idle_means_done),
          TEST(jobs_carve_the_counted_size), TEST(check_finds_a_lost_job))
