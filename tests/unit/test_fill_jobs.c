/* test_fill_jobs.c
 *
 * Goal: a fill that runs as jobs writes what spn_node_fill would have written
 *   when it was started, whatever happens to its node meanwhile, and is over
 *   exactly when a wait says so.
 * Method: small caches on a virtual clock. The test decides when the jobs of
 *   the runtime run, one of them on a thread that waits in the middle; or there
 *   are no workers. test_fill_threads.c has more threads.
 */
/* SPDX-License-Identifier: MIT */
#include "base/jobs.h"
#include "harness.h"
#include "play/node/fill_job.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_truth.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIDE = 40,
    MESHES = 3,
    VERTICES = 9000,
    FRAMES = 61,
    FRAME_US = 33333
};

static struct stage stage;

static const spn_vertex_layout layout = {
    .stride = STRIDE,
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3},
    .velocity = {24, SPN_FORMAT_F32X3},
    .normal = {36, SPN_FORMAT_SNORM8X4}};

struct memory {
    uint8_t *bytes;
    size_t size;
};

static struct memory memory_new(void)
{
    struct memory m = {malloc(VERTICES * STRIDE), VERTICES * STRIDE};

    memset(m.bytes, 0xcd, m.size);
    return m;
}

static void open_clip(const struct tiny_options *o, uint64_t heap_bytes,
                      bool has_late_jobs)
{
    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = (uint32_t)heap_bytes;
    if (has_late_jobs)
        stage_open_late(&stage);
    else
        stage_open(&stage);
}

/* Open a cache of meshes with two parts each. */
static void open_stage(bool has_late_jobs)
{
    const struct tiny_options o = {.frame_count = FRAMES,
                                   .mesh_count = MESHES,
                                   .vertices = VERTICES,
                                   .hidden_first = 3,
                                   .hidden_limit = 4};

    open_clip(&o, 24 << 20, has_late_jobs);
}

static void show(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    for (int i = 0; i < 1000 && !stage_state(&stage, node).is_ready; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        stage_run_jobs(&stage);
    }
    CHECK(stage_state(&stage, node).is_ready);
}

static spn_fill start(spn_node node, uint32_t mesh, const struct memory *m)
{
    spn_fill fill = 0;

    CHECK_EQ(
        spn_fill_start(stage.rt, node, mesh, &layout, m->bytes, m->size, &fill),
        SPN_OK);
    CHECK(fill != 0);
    return fill;
}

static void fill_now(spn_node node, uint32_t mesh, const struct memory *m,
                     spn_fill_result *out)
{
    CHECK_EQ(
        spn_node_fill(stage.rt, node, mesh, &layout, m->bytes, m->size, out),
        SPN_OK);
}

/* Open a cache as open_stage does, and have a node show a time. */
static spn_node open_shown(bool has_late_jobs, int64_t time_us)
{
    spn_node node;

    open_stage(has_late_jobs);
    node = stage_node(&stage, true);
    show(node, time_us);
    return node;
}

/* A mesh that is filled twice: at once, and by jobs. */
struct twin {
    struct memory now;
    struct memory later;
    spn_fill_result result; /* of `now` */
    spn_fill fill;          /* of `later` */
};

static struct twin twin_start(spn_node node, uint32_t mesh)
{
    struct twin t = {.now = memory_new(), .later = memory_new()};

    fill_now(node, mesh, &t.now, &t.result);
    t.fill = start(node, mesh, &t.later);
    return t;
}

/* The fill is over. */
static void twin_check(const struct twin *t)
{
    CHECK_MEM(t->now.bytes, t->later.bytes, t->now.size);
    free(t->now.bytes);
    free(t->later.bytes);
}

static void close_stage(void)
{
    stage_close(&stage);
}

/* Several fills at a time, between two frames, with previous positions and
 * velocities: six frames are read. */
static void jobs_write_the_bytes_of_a_fill(void)
{
    spn_node node;

    open_stage(true);
    node = stage_node(&stage, true);
    for (uint32_t f = 0; f < 12; f++) {
        struct twin twins[MESHES];

        test_context("frame %u", f);
        show(node, f * FRAME_US + 11111);
        for (uint32_t m = 0; m < MESHES; m++)
            twins[m] = twin_start(node, m);
        stage_run_jobs(&stage);
        for (uint32_t m = 0; m < MESHES; m++) {
            const struct twin *t = &twins[m];
            spn_fill_result result;

            CHECK_EQ(spn_fill_get_result(stage.rt, t->fill, &result), SPN_OK);
            CHECK_EQ_U(result.floor_frame, t->result.floor_frame);
            CHECK_EQ_U(result.ceil_frame, t->result.ceil_frame);
            CHECK(result.alpha == t->result.alpha);
            CHECK_EQ_U(result.is_visible, 1);
            CHECK_EQ(spn_fill_wait(stage.rt, t->fill, 0), SPN_OK);
            CHECK_EQ(spn_fill_wait(stage.rt, t->fill, 0), SPN_ERR_HANDLE);
            CHECK_EQ(spn_fill_get_result(stage.rt, t->fill, &result),
                     SPN_ERR_HANDLE);
            twin_check(t);
        }
    }
    close_stage();
}

/* Jobs wait in the queue; the fill's overtake them. */
static void fills_run_before_decodes(void)
{
    struct twin twin;
    spn_node node;

    node = open_shown(true, 0);
    /* Frames ahead are launched, and their jobs wait. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 10 * FRAME_US), SPN_OK);
    for (int i = 0; i < 4; i++)
        stage_tick(&stage, STAGE_TICK_US);
    twin = twin_start(node, 0);
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_ERR_TIMEOUT);
    CHECK(spn_job_step(&stage.gate, 0));
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_OK);
    twin_check(&twin);
    stage_run_jobs(&stage);
    close_stage();
}

/* A worker that is slow: it has begun a fill, and waits. */
struct slow_worker {
    pthread_t thread;
    sem_t has_begun;
    sem_t may_write;
    struct atomic_u32 is_due; /* its next part is the one at which it waits */
};

static void on_fill_begin(void *user, const spn_event *event)
{
    struct slow_worker *w = user;

    (void)event;
    if (!atomic_exchange_acq_rel(&w->is_due, 0))
        return;
    sem_post(&w->has_begun);
    sem_wait(&w->may_write);
}

static void *run_one_job(void *unused)
{
    (void)unused;
    (void)spn_job_step(&stage.gate, 0);
    return NULL;
}

static void slow_worker_begin(struct slow_worker *w)
{
    sem_init(&w->has_begun, 0, 0);
    sem_init(&w->may_write, 0, 0);
    atomic_store_release(&w->is_due, 1);
    CHECK_EQ(pthread_create(&w->thread, NULL, run_one_job, NULL), 0);
    sem_wait(&w->has_begun);
}

static void slow_worker_end(struct slow_worker *w)
{
    sem_post(&w->may_write);
    pthread_join(w->thread, NULL);
    sem_destroy(&w->has_begun);
    sem_destroy(&w->may_write);
}

/* Decoded frames whose memory was freed. */
static uint32_t count_retired(void)
{
    const struct trace *trace = &stage.rt->trace;
    uint32_t count = 0;

    CHECK(trace->count <= trace->mask);
    for (uint32_t i = 0; i < trace->count; i++)
        count += trace->events[i].kind == TRACE_RETIRE;
    return count;
}

/* The frames of a fill that runs stay, although playback goes on, seeks, and
 * needs all memory for others. */
static void frames_stay_until_the_fill_is_over(void)
{
    const struct tiny_options o = {.frame_count = FRAMES, .vertices = VERTICES};
    static struct slow_worker worker;
    const spn_listener listener = {.user = &worker,
                                   .fill_begin = on_fill_begin};
    struct twin twin;
    spn_node node;
    uint64_t heap_bytes;

    open_clip(&o, 24 << 20, true);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, 1, &heap_bytes),
             SPN_OK);
    stage_close(&stage);
    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = (uint32_t)heap_bytes;
    stage.config.trace_count = 1 << 16;
    stage.config.listener = &listener;
    stage_open_late(&stage);
    node = stage_node(&stage, true);
    show(node, 5 * FRAME_US + 11111);
    twin = twin_start(node, 0);
    slow_worker_begin(&worker);
    for (int i = 0; i < 200; i++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, i * 777777),
                 SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        while (spn_job_step(&stage.gate, 1))
            continue;
    }
    /* Each of the jumps wants the memory of others. */
    CHECK(count_retired() > 200);
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_ERR_TIMEOUT);
    slow_worker_end(&worker);
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_OK);
    twin_check(&twin);
    /* Playback works as before. */
    show(node, 20 * FRAME_US);
    stage_check_frame(&stage, node, 0, 20);
    close_stage();
}

/* The shown frames were kept from an earlier loop, and no update has marked
 * them yet. The engine then takes all memory that can be freed. */
static void kept_frames_stay_until_the_fill_is_over(void)
{
    struct twin twin;
    spn_node node;
    spn_heap_stats before;
    spn_heap_stats after;
    uint32_t block_count = 0;

    node = open_shown(true, 2 * FRAME_US);
    for (int k = 0; k < 60; k++)
        show(node, 2 * FRAME_US + k * 16667);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 2 * FRAME_US), SPN_OK);
    twin = twin_start(node, 0);
    CHECK_EQ_U(twin.result.is_late, 0);
    spn_heap_get_stats(stage.rt, &before);
    for (uint64_t bytes = 1 << 20; bytes >= 4096; bytes /= 2) {
        spn_block block;

        while (spn_block_alloc(stage.rt, bytes, (uint32_t)bytes, &block) ==
               SPN_OK) {
            spn_extent extent;

            CHECK_EQ(spn_block_get_extents(stage.rt, block, &extent, 1), 1);
            memset(extent.data, 0xee, extent.bytes);
            block_count++;
        }
    }
    spn_heap_get_stats(stage.rt, &after);
    CHECK(block_count > 0);
    CHECK(after.decoded_bytes < before.decoded_bytes);
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_ERR_TIMEOUT);
    CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, UINT64_MAX), SPN_OK);
    twin_check(&twin);
    stage_run_jobs(&stage);
    close_stage();
}

/* Nothing waits for a fill, and nothing ends it: not a stop, not the end of the
 * node, not that of the cache. Then all memory is free. */
static void nodes_and_caches_end_before_their_fills(void)
{
    for (int how = 0; how < 3; how++) {
        struct twin twin;
        spn_node node;

        test_context("how %d", how);
        node = open_shown(true, 5 * FRAME_US + 11111);
        twin = twin_start(node, 1);
        if (how == 0)
            CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
        else
            CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        if (how == 2)
            CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
        for (int i = 0; i < 20; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_ERR_TIMEOUT);
        CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, UINT64_MAX), SPN_OK);
        twin_check(&twin);
        stage_run_jobs(&stage);
        for (int i = 0; i < 20; i++) {
            stage_tick(&stage, STAGE_TICK_US);
            stage_run_jobs(&stage);
        }
        CHECK(how == 2 || stage_is_empty(&stage));
        close_stage();
    }
}

/* A shutdown runs what was started. */
static void a_shutdown_runs_the_fills(void)
{
    const spn_node node = open_shown(true, 5 * FRAME_US + 11111);
    const struct twin twin = twin_start(node, 1);

    close_stage();
    twin_check(&twin);
}

/* Without workers an update or a wait writes. */
static void fills_need_no_workers(void)
{
    for (int waits = 0; waits < 2; waits++) {
        struct twin twin;
        spn_node node;

        node = open_shown(false, 5 * FRAME_US + 11111);
        twin = twin_start(node, 1);
        CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, 0), SPN_ERR_TIMEOUT);
        if (!waits)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_fill_wait(stage.rt, twin.fill, waits ? 1000 : 0), SPN_OK);
        twin_check(&twin);
        close_stage();
    }
}

/* A hidden mesh: its fill is over at once, and writes nothing. */
static void a_hidden_mesh_is_not_written(void)
{
    struct memory later = memory_new();
    spn_fill_result result;
    spn_node node;
    spn_fill fill;
    uint32_t frame = 0;

    open_stage(true);
    while (!tiny_is_hidden(&stage.tiny->options, frame, 0))
        frame++;
    CHECK(frame < FRAMES);
    node = stage_node(&stage, true);
    show(node, frame * FRAME_US);
    fill = start(node, 0, &later);
    CHECK_EQ(spn_fill_get_result(stage.rt, fill, &result), SPN_OK);
    CHECK_EQ_U(result.is_visible, 0);
    CHECK_EQ(spn_fill_wait(stage.rt, fill, 0), SPN_OK);
    for (size_t i = 0; i < later.size; i++)
        CHECK_EQ(later.bytes[i], 0xcd);
    free(later.bytes);
    close_stage();
}

/* A worker stops between the two steps that end a fill: its frames are not
 * read any more, and its entry does not say yet that it is over. Updates free
 * the frames. The test makes that state from the one after both steps. */
static void an_update_uses_no_frames_of_a_fill_that_ends(void)
{
    struct memory later = memory_new();
    struct fill_job *f;
    spn_node node;
    spn_fill fill;

    open_stage(true);
    node = stage_node(&stage, true);
    show(node, 5 * FRAME_US + 11111);
    fill = start(node, 1, &later);
    stage_run_jobs(&stage);
    f = &stage.rt->manager.fill_jobs[0];
    CHECK_EQ_U(atomic_and_acq_rel(&f->state, ~FILL_IS_OVER) & FILL_IS_OVER,
               FILL_IS_OVER);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    for (int i = 0; i < 20; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        stage_run_jobs(&stage);
    }
    CHECK(stage_is_empty(&stage));
    (void)atomic_or_acq_rel(&f->state, FILL_IS_OVER);
    CHECK_EQ(spn_fill_wait(stage.rt, fill, 0), SPN_OK);
    free(later.bytes);
    close_stage();
}

/* However many fills wait for a worker, an update adds one job for them. */
static void an_update_submits_one_job_for_all_fills(void)
{
    struct memory m = memory_new();
    spn_fill fills[8];
    spn_node node;
    uint32_t before;

    open_stage(true);
    node = stage_node(&stage, true);
    show(node, 0);
    for (int i = 0; i < 60; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        stage_run_jobs(&stage);
    }
    for (int i = 0; i < 8; i++)
        fills[i] = start(node, 0, &m);
    before = spn__jobs_count(&stage.rt->jobs);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(spn__jobs_count(&stage.rt->jobs), before + 1);
    stage_run_jobs(&stage);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(spn__jobs_count(&stage.rt->jobs), 0);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(spn_fill_wait(stage.rt, fills[i], 0), SPN_OK);
    free(m.bytes);
    close_stage();
}

static void bad_calls_are_refused(void)
{
    struct memory m = memory_new();
    spn_fill_result result;
    spn_fill fills[65];
    spn_fill fill;
    spn_vertex_layout bad = layout;
    spn_node node;

    open_stage(true);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_fill_start(stage.rt, node, 0, &layout, m.bytes, m.size, &fill),
             SPN_PENDING);
    show(node, 0);
    CHECK_EQ(spn_fill_start(NULL, node, 0, &layout, m.bytes, m.size, &fill),
             SPN_ERR_ARG);
    CHECK_EQ(spn_fill_start(stage.rt, 0, 0, &layout, m.bytes, m.size, &fill),
             SPN_ERR_HANDLE);
    CHECK_EQ(
        spn_fill_start(stage.rt, node, MESHES, &layout, m.bytes, m.size, &fill),
        SPN_ERR_ARG);
    CHECK_EQ(spn_fill_start(stage.rt, node, 0, NULL, m.bytes, m.size, &fill),
             SPN_ERR_ARG);
    CHECK_EQ(spn_fill_start(stage.rt, node, 0, &layout, NULL, m.size, &fill),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_fill_start(stage.rt, node, 0, &layout, m.bytes, m.size - 1, &fill),
        SPN_ERR_ARG);
    CHECK_EQ(spn_fill_start(stage.rt, node, 0, &layout, m.bytes, m.size, NULL),
             SPN_ERR_ARG);
    bad.stride = 0;
    CHECK_EQ(spn_fill_start(stage.rt, node, 0, &bad, m.bytes, m.size, &fill),
             SPN_ERR_ARG);
    CHECK_EQ(spn_fill_wait(NULL, 1, 0), SPN_ERR_ARG);
    CHECK_EQ(spn_fill_wait(stage.rt, 0, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_fill_wait(stage.rt, 0x10000 + 65, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_fill_get_result(NULL, 1, &result), SPN_ERR_ARG);
    CHECK_EQ(spn_fill_get_result(stage.rt, 1, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_fill_get_result(stage.rt, 0, &result), SPN_ERR_HANDLE);
    /* The table has 64 entries, which are free again after their waits. */
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 64; i++)
            fills[i] = start(node, 0, &m);
        CHECK_EQ(spn_fill_start(stage.rt, node, 0, &layout, m.bytes, m.size,
                                &fills[64]),
                 SPN_ERR_TABLE_FULL);
        for (uint32_t i = 0; i < 64; i++) {
            CHECK_EQ(spn_fill_wait(stage.rt, fills[i], UINT64_MAX), SPN_OK);
            CHECK_EQ(spn_fill_wait(stage.rt, fills[i], 0), SPN_ERR_HANDLE);
        }
    }
    free(m.bytes);
    stage_run_jobs(&stage);
    close_stage();
}

TEST_MAIN(TEST(jobs_write_the_bytes_of_a_fill), TEST(fills_run_before_decodes),
          TEST(frames_stay_until_the_fill_is_over),
          TEST(kept_frames_stay_until_the_fill_is_over),
          TEST(nodes_and_caches_end_before_their_fills),
          TEST(a_shutdown_runs_the_fills), TEST(fills_need_no_workers),
          TEST(a_hidden_mesh_is_not_written),
          TEST(an_update_uses_no_frames_of_a_fill_that_ends),
          TEST(an_update_submits_one_job_for_all_fills),
          TEST(bad_calls_are_refused))
