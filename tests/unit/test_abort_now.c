/* test_abort_now.c
 *
 * Goal: after spn_read_abort_now returns, no callback of the read runs, each
 *   of its callbacks has run once, and nothing writes to its buffer, so that
 *   its owner may be freed. This holds in every stage of the read. Other reads
 *   are not affected.
 * Method: a disc with a virtual clock, with the abort after every number of
 *   steps. Real threads with workers, without workers, and with an engine that
 *   runs jobs late. Owners and buffers are freed at once, so that sanitizers
 *   see a late access.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/atomic.h"
#include "host/host.h"
#include "read/engine.h"
#include "read/stage/io_finish.h"
#include "runtime.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 20000u
#define READS 3u

struct owner {
    spn_read read;
    uint32_t async_count;
    uint32_t done_count;
    spn_status async_status;
    spn_status done_status;
    uint8_t buffer[BYTES];
};

static struct stage stage;
static uint8_t content[BYTES];

static void on_async(const spn_read_result *result)
{
    struct owner *owner = result->user;

    owner->async_count++;
    owner->async_status = result->status;
}

static void on_done(const spn_read_result *result)
{
    struct owner *owner = result->user;

    owner->done_count++;
    owner->done_status = result->status;
}

static spn_read_desc describe(struct owner *owner)
{
    return (spn_read_desc){.path = "b",
                           .buffer = owner->buffer,
                           .buffer_bytes = BYTES,
                           .priority = SPN_PRIORITY_NORMAL,
                           .on_async = on_async,
                           .on_done = on_done,
                           .user = owner};
}

static struct owner *start(spn_runtime *rt, const char *path)
{
    struct owner *owner = calloc(1, sizeof *owner);
    spn_read_desc desc = describe(owner);

    desc.path = path;
    CHECK_EQ(spn_read_start(rt, &desc, &owner->read), SPN_OK);
    return owner;
}

/* Abort the owner's read and free the owner. */
static spn_status abort_and_free(spn_runtime *rt, struct owner *owner)
{
    spn_status status = spn_read_abort_now(rt, owner->read);

    CHECK_EQ(owner->async_count, 1);
    CHECK_EQ(owner->done_count, 1);
    CHECK_EQ(owner->async_status, owner->done_status);
    CHECK(owner->done_status == SPN_OK ||
          owner->done_status == SPN_ERR_ABORTED);
    CHECK_EQ(spn_read_poll(rt, owner->read), SPN_ERR_HANDLE);
    free(owner);
    return status;
}

/* -- virtual time -- */

static void start_stage(void)
{
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "b", content, BYTES);
    stage.disc.command_us = 1000;
    stage.config.piece_bytes = 8192;
    stage_start(&stage);
}

static void finish_others(struct owner *const *owners, uint32_t ended)
{
    for (int i = 0; i < 50; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t i = 0; i < READS; i++) {
        if (i == ended)
            continue;
        CHECK_EQ(owners[i]->async_count, 1);
        CHECK_EQ(owners[i]->done_count, 1);
        CHECK_EQ(owners[i]->done_status, SPN_OK);
        free(owners[i]);
    }
}

/* True if the read was pending when it was aborted. */
static bool end_one_after(uint32_t steps, uint32_t ended)
{
    struct owner *owners[READS];
    bool was_in_time;

    test_context("%u steps, read %u", steps, ended);
    start_stage();
    for (uint32_t i = 0; i < READS; i++)
        owners[i] = start(stage.rt, "b");
    for (uint32_t i = 0; i < steps; i++) {
        uint64_t due_us;

        if (spn__runtime_step(stage.rt, &due_us) == 0)
            slow_platform_advance(&stage.disc);
    }
    was_in_time = spn_read_poll(stage.rt, owners[ended]->read) == SPN_PENDING;
    CHECK_EQ(abort_and_free(stage.rt, owners[ended]), SPN_OK);
    /* No other read has completed. */
    for (uint32_t i = 0; i < READS; i++)
        if (i != ended)
            CHECK_EQ(owners[i]->done_count, 0);
    CHECK(spn_check(stage.rt));
    finish_others(owners, ended);
    stage_close(&stage);
    return was_in_time;
}

static void abort_now_ends_a_read_in_every_stage(void)
{
    uint32_t in_time = 0;
    uint32_t too_late = 0;

    for (uint32_t steps = 0; steps < 40; steps++)
        for (uint32_t ended = 0; ended < READS; ended++) {
            bool was_in_time = end_one_after(steps, ended);

            in_time += was_in_time;
            too_late += !was_in_time;
        }
    CHECK(in_time > 20);
    CHECK(too_late > 20);
}

static spn_status inner_status;
static struct owner *inner;

static void end_itself(const spn_read_result *result)
{
    on_done(result);
    inner_status = spn_read_abort_now(stage.rt, result->read);
}

static void end_inside_a_step(const spn_read_result *result)
{
    on_async(result);
    inner_status = spn_read_abort_now(stage.rt, result->read);
}

/* Abort the inner read inside the callback of the outer one, which is already
 * completing. */
static void abort_the_inner(const spn_read_result *result)
{
    on_done(result);
    CHECK_EQ(spn_read_abort_now(stage.rt, inner->read), SPN_OK);
}

static void end_the_inner(const spn_read_result *result)
{
    struct owner *other = inner;

    on_done(result);
    inner = result->user;
    inner_status = abort_and_free(stage.rt, other);
}

static void tick_until_done(const struct owner *owner)
{
    for (int i = 0; i < 100 && owner->done_count == 0; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(owner->done_count, 1);
}

static void abort_now_may_be_called_in_callbacks(void)
{
    struct owner *owner = calloc(1, sizeof *owner);
    spn_read_desc desc = describe(owner);

    start_stage();
    desc.on_done = end_itself;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &owner->read), SPN_OK);
    tick_until_done(owner);
    CHECK_EQ(inner_status, SPN_OK);
    /* A step of the runtime cannot wait for itself. */
    desc.on_done = on_done;
    desc.on_async = end_inside_a_step;
    owner->done_count = 0;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &owner->read), SPN_OK);
    tick_until_done(owner);
    CHECK_EQ(inner_status, SPN_ERR_STATE);
    CHECK_EQ(owner->done_status, SPN_OK);
    /* One abort inside the callback of the other. */
    memset(owner, 0, sizeof *owner);
    inner = calloc(1, sizeof *inner);
    desc = describe(owner);
    desc.on_done = end_the_inner;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &owner->read), SPN_OK);
    desc = describe(inner);
    desc.on_done = abort_the_inner;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &inner->read), SPN_OK);
    tick_until_done(owner);
    CHECK_EQ(inner_status, SPN_OK);
    CHECK_EQ(spn_read_abort_now(stage.rt, owner->read), SPN_ERR_HANDLE);
    free(owner);
    stage_close(&stage);
}

static void abort_now_releases_held_resources(void)
{
    struct owner *owner = calloc(1, sizeof *owner);
    spn_read_desc desc = describe(owner);

    start_stage();
    desc.on_async = NULL;
    desc.on_done = NULL;
    for (uint32_t flags = 0; flags <= SPN_READ_HELD; flags += SPN_READ_HELD)
        for (int ticks = 0; ticks < 20; ticks += 19) {
            desc.flags = flags;
            CHECK_EQ(spn_read_start(stage.rt, &desc, &owner->read), SPN_OK);
            for (int i = 0; i < ticks; i++)
                stage_tick(&stage, STAGE_TICK_US);
            CHECK_EQ(spn_read_abort_now(stage.rt, owner->read), SPN_OK);
            CHECK_EQ(spn_read_abort_now(stage.rt, owner->read), SPN_ERR_HANDLE);
        }
    CHECK_EQ(spn_read_abort_now(NULL, owner->read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_abort_now(stage.rt, 0), SPN_ERR_HANDLE);
    free(owner);
    stage_close(&stage);
}

static void abort_now_gives_up_when_the_clock_stands(void)
{
    struct owner *owner;

    start_stage();
    stage.disc.table.read_cancel = NULL;
    stage_close(&stage);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "b", content, BYTES);
    stage.disc.command_us = 1000;
    stage.disc.table.read_cancel = NULL;
    stage_start(&stage);
    owner = start(stage.rt, "b");
    stage_tick(&stage, 1);
    CHECK_EQ(spn_read_abort_now(stage.rt, owner->read), SPN_ERR_TIMEOUT);
    CHECK_EQ(owner->done_count, 0);
    tick_until_done(owner);
    CHECK_EQ(owner->done_status, SPN_ERR_ABORTED);
    free(owner);
    stage_close(&stage);
}

/* A thread was suspended in the middle of a push, perhaps by this thread, which
 * has a higher priority. It continues only while this thread sleeps. */
static struct io halted;
static uint32_t claimed;
static uint32_t sleeps;

static void publish_meanwhile(void *user, uint64_t event, uint64_t due_us)
{
    (void)user;
    CHECK_EQ_U(event, 7);
    CHECK_EQ_U(due_us, UINT64_MAX);
    spn__word_queue_publish_push(&halted.done, claimed);
    sleeps++;
}

static void abort_now_sleeps_until_a_push_is_complete(void)
{
    static _Alignas(64) uint8_t memory[4096];
    struct carve carve = {.base = memory, .limit = sizeof memory};
    const spn_platform platform = {.event_wait = publish_meanwhile};

    halted = (struct io){.platform = &platform, .done_event = 7};
    sleeps = 0;
    spn__word_queue_init(&halted.done, &carve, 4);
    CHECK(spn__word_queue_claim_push(&halted.done, &claimed));
    spn__io_await_done(&halted, false);
    CHECK_EQ_U(sleeps, 1);
    /* There is no read to wait for. */
    spn__io_await_done(&halted, false);
    CHECK_EQ_U(sleeps, 1);
}

/* -- threads -- */

static void submit_never(void *user)
{
    (void)user;
}

static void end_many(spn_runtime *rt, const char *path)
{
    struct test_random random = {7};

    for (uint32_t i = 0; i < 300; i++) {
        struct owner *owner = start(rt, path);
        struct owner *other = i % 4 == 0 ? start(rt, path) : NULL;

        for (uint32_t k = test_random_below(&random, 60); k > 0; k--)
            sched_yield();
        CHECK_EQ(abort_and_free(rt, owner), SPN_OK);
        if (other)
            (void)abort_and_free(rt, other);
        if (i % 8 == 0)
            spn_update(rt);
    }
}

/* -- inside a shutdown -- */

/* The worker threads have ended, so the waiting thread must do their work. */

static spn_platform host; /* platform under the disc; its reads are held up */
static struct atomic_u32 is_at_device;
static struct atomic_u32 is_blocked;
static struct owner *last;
static spn_runtime *ending;

static spn_status submit_and_signal(void *user, spn_platform_file file,
                                    uint64_t offset, const spn_extent *extents,
                                    uint32_t extent_count, uint32_t tag)
{
    atomic_store_release(&is_at_device, 1);
    return host.read_submit(user, file, offset, extents, extent_count, tag);
}

static spn_status poll_when_let(void *user, spn_platform_completion *out,
                                uint64_t *due_us)
{
    if (!atomic_load_acquire(&is_blocked))
        return host.read_poll(user, out, due_us);
    *due_us = host.now_us(user) + 500;
    return SPN_PENDING;
}

/* The device still has the read whose owner is freed here. */
static void end_the_last(const spn_read_result *result)
{
    on_done(result);
    CHECK_EQ(result->status, SPN_ERR_SHUTDOWN);
    atomic_store_release(&is_blocked, 0);
    CHECK_EQ(spn_read_abort_now(ending, last->read), SPN_OK);
    CHECK_EQ(last->async_count, 1);
    CHECK_EQ(last->done_count, 1);
    free(last);
    last = NULL;
}

static void shut_down_with_two(const char *path)
{
    struct owner *owner = calloc(1, sizeof *owner);
    spn_read_desc desc = describe(owner);
    spn_read waiting;

    atomic_store_release(&is_at_device, 0);
    atomic_store_release(&is_blocked, 1);
    last = start(ending, path);
    while (!atomic_load_acquire(&is_at_device))
        sched_yield();
    desc.path = path;
    desc.on_done = end_the_last;
    CHECK_EQ(spn_read_start(ending, &desc, &waiting), SPN_OK);
    spn_shutdown(ending);
    CHECK(last == NULL);
    CHECK_EQ(owner->async_count, 1);
    CHECK_EQ(owner->done_count, 1);
    free(owner);
}

static void write_file(char *path, size_t capacity)
{
    FILE *file;

    snprintf(path, capacity, "%s/file", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fwrite(content, 1, BYTES, file) == BYTES);
    CHECK_EQ(fclose(file), 0);
}

static void run_on_threads(uint32_t worker_count, spn_job_gate *gate)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 1 << 20,
                         .worker_count = worker_count,
                         .job_submit = gate ? submit_never : NULL,
                         .job_gate = gate};
    char path[512];
    size_t bytes;
    void *memory;

    write_file(path, sizeof path);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    host = platform;
    platform.read_submit = submit_and_signal;
    platform.read_poll = poll_when_let;
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &ending), SPN_OK);
    end_many(ending, path);
    shut_down_with_two(path);
    free(memory);
    free(state);
}

static void abort_now_ends_reads_while_workers_run(void)
{
    run_on_threads(2, NULL);
}

static void abort_now_runs_jobs_that_no_worker_runs(void)
{
    spn_job_gate gate = {NULL, 0};

    run_on_threads(SPN_NO_WORKERS, NULL);
    run_on_threads(2, &gate);
}

TEST_MAIN(TEST(abort_now_ends_a_read_in_every_stage),
          TEST(abort_now_may_be_called_in_callbacks),
          TEST(abort_now_releases_held_resources),
          TEST(abort_now_gives_up_when_the_clock_stands),
          TEST(abort_now_sleeps_until_a_push_is_complete),
          TEST(abort_now_ends_reads_while_workers_run),
          TEST(abort_now_runs_jobs_that_no_worker_runs))
