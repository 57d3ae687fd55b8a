/* test_anim_threads.c
 *
 * Goal: between two updates any threads sample plays, also the same one, while
 *   workers decode segments; there are no races, and each pose that is sampled
 *   has the bits of the scalar reference. Plays begin, jump and end meanwhile.
 * Method: threads of an engine run the jobs without pause. Three threads sample
 *   between two barriers. Meant for the thread sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"

#include "base/atomic.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <string.h>

enum {
    WORKERS = 2,
    SAMPLERS = 3,
    CLIPS = 3,
    PLAYS = 4,
    JOINTS = 9,
    ROUNDS = 150,
    ROUNDS_MAX = 1000000
};

static struct pose_stage stage;
static spn_anim_skeleton skeleton;
static spn_anim_play plays[PLAYS];
static uint32_t clip_of[PLAYS];
static int64_t times[PLAYS];
static pthread_barrier_t begin; /* threads may sample */
static pthread_barrier_t end;   /* none samples any more */
static bool is_over;            /* set before `begin` */
static struct atomic_u32 workers_end;

struct sampler {
    struct pose_reference references[CLIPS];
    alignas(32) float values[10 * 16];
    uint32_t sampled;
    uint32_t wrong;
};

static void submit(void *user)
{
    (void)user;
}

static void *work(void *number)
{
    while (!atomic_load_acquire(&workers_end))
        if (!spn_job_step(&stage.stage.gate, *(const uint32_t *)number))
            sched_yield();
    return NULL;
}

static bool is_same(const struct pose_reference *r, const spn_anim_pose *pose)
{
    for (uint32_t j = 0; j < JOINTS; j++)
        for (uint32_t k = 0; k < 4; k++)
            if (memcmp(&pose->values[k * pose->stride + j],
                       &r->pose[j].rotation[k], sizeof(float)) != 0)
                return false;
    return true;
}

static void sample(struct sampler *s, uint32_t play)
{
    struct pose_reference *r = &s->references[clip_of[play]];
    spn_anim_pose pose;
    spn_status status = spn_anim_skeleton_make_pose(
        stage.stage.rt, skeleton, s->values, sizeof s->values, &pose);

    if (status == SPN_OK)
        status = spn_anim_play_sample(stage.stage.rt, plays[play], times[play],
                                      skeleton, &pose, NULL, 0);
    if (status == SPN_PENDING)
        return;
    pose_reference_at(r, true, times[play]);
    s->sampled++;
    s->wrong += status != SPN_OK || !is_same(r, &pose);
}

static void *sample_all(void *context)
{
    struct sampler *s = context;

    for (;;) {
        pthread_barrier_wait(&begin);
        if (is_over)
            return NULL;
        for (uint32_t i = 0; i < PLAYS; i++)
            sample(s, i);
        pthread_barrier_wait(&end);
    }
}

static void start(uint32_t play, uint32_t clip)
{
    clip_of[play] = clip;
    times[play] = 0;
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, clip),
                                 &plays[play]),
             SPN_OK);
}

static void change(struct test_random *random)
{
    const uint32_t i = test_random_below(random, PLAYS);

    for (uint32_t k = 0; k < PLAYS; k++)
        times[k] += 16667;
    if (test_random_below(random, 4) == 0)
        times[i] = test_random_below(random, 3000000);
    if (test_random_below(random, 8) == 0) {
        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[i]), SPN_OK);
        start(i, test_random_below(random, CLIPS));
    }
    for (uint32_t k = 0; k < PLAYS; k++)
        CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, plays[k], times[k]),
                 SPN_OK);
}

static bool have_sampled(const struct sampler samplers[SAMPLERS])
{
    for (int i = 0; i < SAMPLERS; i++)
        if (samplers[i].sampled < ROUNDS)
            return false;
    return true;
}

static void open_stage(void)
{
    const struct made_motion made = {
        .joints = JOINTS, .frames = 90, .swing = 1};

    pose_stage_init(&stage);
    for (uint32_t i = 0; i < CLIPS; i++)
        pose_stage_add(&stage, &made, SPN_ANIM_LOOPS);
    stage.stage.config.job_submit = submit;
    stage.stage.config.worker_count = WORKERS;
}

static void threads_sample_while_workers_decode(void)
{
    static struct sampler samplers[SAMPLERS];
    struct test_random random = {11};
    uint32_t numbers[WORKERS] = {0, 1};
    pthread_t workers[WORKERS];
    pthread_t threads[SAMPLERS];

    test_context("seed 11");
    open_stage();
    /* What must be there is there before time runs: how soon threads get a
     * processor does not matter. */
    stage.runs_jobs = true;
    pose_stage_open(&stage);
    /* Most is done by workers. */
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "anim_decode_now", "1"), SPN_OK);
    skeleton = pose_stage_skeleton(&stage, 0);
    for (uint32_t i = 0; i < CLIPS; i++) {
        CHECK_EQ(spn_anim_lock(stage.stage.rt, pose_stage_clip(&stage, i), 1),
                 SPN_OK);
        for (int k = 0; k < 20; k++)
            pose_stage_tick(&stage);
        CHECK(spn_anim_is_loaded(stage.stage.rt, pose_stage_clip(&stage, i)));
    }
    stage.runs_jobs = false;
    for (int i = 0; i < WORKERS; i++)
        CHECK_EQ(pthread_create(&workers[i], NULL, work, &numbers[i]), 0);
    CHECK_EQ(pthread_barrier_init(&begin, NULL, SAMPLERS + 1), 0);
    CHECK_EQ(pthread_barrier_init(&end, NULL, SAMPLERS + 1), 0);
    for (int i = 0; i < SAMPLERS; i++) {
        for (int k = 0; k < CLIPS; k++)
            pose_reference_open(&samplers[i].references[k], &stage.clips[k],
                                &stage.skeletons[k]);
        CHECK_EQ(pthread_create(&threads[i], NULL, sample_all, &samplers[i]),
                 0);
    }
    for (uint32_t i = 0; i < PLAYS; i++)
        start(i, i % CLIPS);
    /* Until workers have had a processor for long enough. */
    for (int round = 0;
         round < ROUNDS || (!have_sampled(samplers) && round < ROUNDS_MAX);
         round++) {
        change(&random);
        pose_stage_tick(&stage);
        pthread_barrier_wait(&begin);
        pthread_barrier_wait(&end);
    }
    is_over = true;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < SAMPLERS; i++) {
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
        CHECK(samplers[i].sampled >= ROUNDS);
        CHECK_EQ_U(samplers[i].wrong, 0);
        for (int k = 0; k < CLIPS; k++)
            pose_reference_close(&samplers[i].references[k]);
    }
    stage_close(&stage.stage);
    atomic_store_release(&workers_end, 1);
    for (int i = 0; i < WORKERS; i++)
        CHECK_EQ(pthread_join(workers[i], NULL), 0);
    diag_finish(&stage.diag);
    arena_free(&stage.arena);
}

TEST_MAIN(TEST(threads_sample_while_workers_decode))
