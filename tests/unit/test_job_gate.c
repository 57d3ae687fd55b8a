/* test_job_gate.c
 *
 * Goal: an engine that obeys the contract of job_submit may run its jobs as
 *   late as it likes. After the shutdown such a job finds no work and does not
 *   access the block, which may be freed.
 * Method: engines that hold jobs back, all of them or at random, and run them
 *   after the block was filled with a pattern or freed: on the thread that shut
 *   down, and on other threads.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/atomic.h"
#include "host/host.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN 0x5a
#define READS 32u

static struct stage stage;
static uint32_t submits; /* of `stage` */

static void count_submit(void *user)
{
    (void)user;
    submits++;
}

/* While the runtime does not know how fast its workers are, it launches four
 * frames. Each is one job, which would submit those of its parts. */
enum { WITHHELD = 4 };

/* Start a runtime whose engine withholds the jobs of frames. */
static void start_withheld(void)
{
    struct tiny_options o = {.frame_count = 31, .mesh_count = 2};
    spn_node node;

    submits = 0;
    stage_init(&stage, tiny_build(&o));
    stage.config.job_submit = count_submit;
    stage.config.worker_count = 3;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING) {
        stage_tick(&stage, STAGE_TICK_US);
        while (spn_job_step(&stage.gate, 0))
            submits--;
    }
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_OK);
    CHECK_EQ_U(submits, 0);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(submits, WITHHELD);
}

static void late_steps_touch_nothing_of_the_block(void)
{
    size_t bytes;
    const uint8_t *memory;

    start_withheld();
    bytes = spn_memory_needed(&stage.config);
    memory = stage.memory;
    spn_shutdown(stage.rt);
    stage.rt = NULL;
    /* A shutdown runs the remaining jobs itself. */
    CHECK_EQ_U(submits, WITHHELD);
    memset(stage.memory, PATTERN, bytes);
    for (uint32_t i = 0; i < WITHHELD; i++)
        CHECK_EQ(spn_job_step(&stage.gate, i % 3), 0);
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != PATTERN)
            CHECK_EQ_U(i, bytes);
    stage_close(&stage);
}

static void late_steps_may_run_in_the_next_runtime(void)
{
    start_withheld();
    spn_shutdown(stage.rt);
    stage.rt = NULL;
    CHECK_EQ(stage.gate.state, 0);
    stage_close(&stage);
    start_withheld();
    /* The steps of the first runtime serve the second too, because jobs have no
     * owner. */
    for (uint32_t i = 0; i < WITHHELD; i++)
        CHECK_EQ(spn_job_step(&stage.gate, 1), 1);
    CHECK(spn_check(stage.rt));
    stage_close(&stage);
}

static void a_gate_is_of_one_runtime_and_outside_of_its_block(void)
{
    spn_runtime *other = NULL;
    spn_config config;
    size_t bytes;
    uint8_t *memory;

    start_withheld();
    config = stage.config;
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &other), SPN_ERR_STATE);
    CHECK(other == NULL);
    /* the gate still belongs to the first runtime */
    CHECK(spn_job_step(&stage.gate, 0));
    spn_shutdown(stage.rt);
    stage.rt = NULL;
    config.job_gate = (void *)(memory + bytes - sizeof *config.job_gate);
    memset(memory, 0, bytes);
    CHECK_EQ(spn_init(&config, memory, bytes, &other), SPN_ERR_ARG);
    config.job_gate = (void *)memory;
    CHECK_EQ(spn_init(&config, memory, bytes, &other), SPN_ERR_ARG);
    config.job_gate = &stage.gate;
    CHECK_EQ(spn_init(&config, memory, bytes, &other), SPN_OK);
    spn_shutdown(other);
    CHECK_EQ(spn_job_step(&stage.gate, 0), 0);
    free(memory);
    stage_close(&stage);
}

/* A step of the previous runtime that runs while the next one fails to start
 * could still be inside when the caller frees the block. */
static spn_job_gate early_gate;
static uint32_t starts;

static spn_status refuse_thread(void *user, const spn_thread_desc *desc,
                                uint64_t *thread)
{
    (void)user;
    (void)desc;
    (void)thread;
    starts++;
    CHECK_EQ(early_gate.state, 0);
    return SPN_ERR_PLATFORM;
}

static void a_gate_is_closed_until_the_start_has_succeeded(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 1 << 20,
                         .job_submit = count_submit,
                         .job_gate = &early_gate};
    spn_runtime *rt;
    size_t bytes;
    void *memory;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    platform.thread_start = refuse_thread;
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_ERR_PLATFORM);
    CHECK_EQ_U(starts, 1);
    CHECK_EQ(spn_job_step(&early_gate, 0), 0);
    free(memory);
    free(state);
}

/* -- threads -- */

/* Two threads run steps at random. The remaining steps run after the block was
 * freed. */
struct engine {
    spn_job_gate gate;
    spn_runtime *rt;
    struct atomic_u32 unrun;
    struct atomic_u32 is_over;
    struct atomic_u32 next_index;
};

static void count_unrun_step(void *user)
{
    atomic_add_acq_rel(&((struct engine *)user)->unrun, 1);
}

static bool take_unrun_step(struct engine *e)
{
    uint32_t unrun = atomic_load_acquire(&e->unrun);

    while (unrun > 0)
        if (atomic_compare_exchange_acq_rel(&e->unrun, &unrun, unrun - 1))
            return true;
    return false;
}

static void *engine_main(void *argument)
{
    struct engine *e = argument;
    uint32_t index = atomic_add_acq_rel(&e->next_index, 1);
    struct test_random random = {index + 1};

    while (!atomic_load_acquire(&e->is_over) ||
           atomic_load_acquire(&e->unrun)) {
        if (test_random_below(&random, 4) == 0 && take_unrun_step(e))
            (void)spn_job_step(&e->gate, index);
        else
            sched_yield();
    }
    return NULL;
}

static uint8_t sink[READS][4096];
static struct atomic_u32 async_calls;

static void on_async(const spn_read_result *result)
{
    (void)result;
    atomic_add_acq_rel(&async_calls, 1);
}

static void write_file(char *path, size_t capacity)
{
    static const uint8_t bytes[4096];
    FILE *file;

    snprintf(path, capacity, "%s/file", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes);
    CHECK_EQ(fclose(file), 0);
}

static void read_all(spn_runtime *rt, const char *path)
{
    for (uint32_t i = 0; i < READS; i++) {
        const spn_read_desc desc = {.path = path,
                                    .buffer = sink[i],
                                    .buffer_bytes = sizeof sink[i],
                                    .priority = SPN_PRIORITY_NORMAL,
                                    .on_async = on_async};
        spn_read read;

        CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    }
}

/* Free the block while the threads still run steps. */
static void run_once(struct engine *e, const char *path, uint32_t updates)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 1 << 20,
                         .worker_count = 2,
                         .job_submit = count_unrun_step,
                         .job_user = e,
                         .job_gate = &e->gate};
    size_t bytes;
    void *memory;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &e->rt), SPN_OK);
    atomic_store_release(&async_calls, 0);
    read_all(e->rt, path);
    while (updates-- > 0)
        spn_update(e->rt);
    spn_shutdown(e->rt);
    free(memory);
    free(state);
    CHECK_EQ_U(atomic_load_acquire(&async_calls), READS);
}

static void threads_of_an_engine_may_be_late(void)
{
    struct engine e = {0};
    pthread_t threads[2];
    char path[512];

    write_file(path, sizeof path);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, engine_main, &e), 0);
    for (uint32_t i = 0; i < 40; i++)
        run_once(&e, path, i % 8);
    /* The main thread also runs steps. */
    while (take_unrun_step(&e))
        CHECK_EQ(spn_job_step(&e.gate, 0), 0);
    atomic_store_release(&e.is_over, 1);
    for (uint32_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* -- a step during the shutdown -- */

static struct atomic_u32 has_begun;
/* owned by the step; by the main thread after the shutdown */
static uint32_t has_left;

/* Stay in the callback until shortly after the shutdown has begun. */
static void stay_until_shutdown(const spn_read_result *result)
{
    const spn_read_desc desc = {.file = 0x7fffffff,
                                .buffer = sink[0],
                                .buffer_bytes = 1,
                                .priority = SPN_PRIORITY_NORMAL};
    spn_read read;

    atomic_store_release(&has_begun, 1);
    /* The file does not exist. The start fails with SPN_ERR_SHUTDOWN once the
     * shutdown has begun. */
    while (spn_read_start(stage.rt, &desc, &read) != SPN_ERR_SHUTDOWN)
        sched_yield();
    for (int i = 0; i < 1000; i++)
        sched_yield();
    has_left = result->status == SPN_OK;
}

static void *step_once(void *has_run)
{
    *(int *)has_run = spn_job_step(&stage.gate, 0);
    return NULL;
}

static void shutdown_waits_for_a_step_that_is_inside(void)
{
    const spn_read_desc desc = {.path = "b",
                                .buffer = sink[0],
                                .buffer_bytes = 4096,
                                .priority = SPN_PRIORITY_NORMAL,
                                .on_async = stay_until_shutdown};
    pthread_t thread;
    spn_read read;
    int has_run = 0; /* owned by the thread until it has ended */

    submits = 0;
    has_left = 0;
    atomic_store_release(&has_begun, 0);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "b", sink[1], 4096);
    stage.config.job_submit = count_submit;
    stage_start(&stage);
    CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_OK);
    while (submits == 0)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(pthread_create(&thread, NULL, step_once, &has_run), 0);
    while (!atomic_load_acquire(&has_begun))
        sched_yield();
    spn_shutdown(stage.rt);
    CHECK_EQ(has_left, 1);
    pthread_join(thread, NULL);
    CHECK_EQ(has_run, 1);
    stage.rt = NULL;
    stage_close(&stage);
}

TEST_MAIN(TEST(late_steps_touch_nothing_of_the_block),
          TEST(late_steps_may_run_in_the_next_runtime),
          TEST(a_gate_is_of_one_runtime_and_outside_of_its_block),
          TEST(a_gate_is_closed_until_the_start_has_succeeded),
          TEST(threads_of_an_engine_may_be_late),
          TEST(shutdown_waits_for_a_step_that_is_inside))
