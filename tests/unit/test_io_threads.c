/* test_io_threads.c
 *
 * Goal: with a real io thread, a worker, and several threads that start,
 *   abort, poll and wait, every read still completes exactly once with good
 *   bytes, every wait ends, and no access races (under the thread sanitizer).
 * Method: POSIX table and files, by the key and by the scheduler. Several
 *   threads start many reads in a small table while the main thread completes
 *   them. Shutdown comes while reads are in flight.
 */
/* SPDX-License-Identifier: MIT */
#include "base/atomic.h"
#include "harness.h"
#include "host/host.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "support/start_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STARTERS 3u
#define SLOTS 8u /* number of slots of each starter */
#define READS_EACH 1500u
#define FILE_BYTES 300000u
#define READ_BYTES_MAX 20000u

enum { FREE, PENDING };

/* A read of a starter. The starter owns it until it is pending, then the
 * callbacks own it until it is free. */
struct slot {
    struct atomic_u32 state;
    spn_read handle;
    uint64_t offset;
    uint64_t bytes;
    bool has_async;
    uint32_t async_count;
    uint8_t buffer[READ_BYTES_MAX];
};

struct starter {
    struct slot slots[SLOTS];
    struct test_random random;
    uint64_t thread;
    uint32_t started;
    uint32_t awaited;
    uint32_t refused; /* SPN_FULL */
    uint32_t shut;    /* SPN_ERR_SHUTDOWN */
    const char *wrong;
};

static spn_platform platform;
static void *platform_memory;
static void *block;
static struct io *io;
static struct jobs jobs;
static struct heap heap;
static spn_file file;
static char path[512];
static uint64_t io_event;
static uint64_t job_event;
static uint64_t main_event;
static uint64_t waiter_events[3];
static uint64_t io_thread_handle;
static uint64_t job_thread_handle;
static struct starter starters[STARTERS];
static struct atomic_u32 is_over;
static struct atomic_u32 starters_left;
static uint32_t completed;      /* main thread */
static uint32_t completed_ok;   /* main thread */
static const char *wrong_done;  /* main thread */
static uint64_t bytes_seen;     /* main thread */
static uint64_t coalesced_seen; /* main thread */
/* order of the disk: deadlines or the sort key */
static bool has_deadline_order;

static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(offset * 2654435761u >> 13);
}

/* -- threads -- */

static void run_io(void *unused)
{
    (void)unused;
    while (!atomic_load_acquire(&is_over)) {
        uint64_t due_us;

        if (!spn__io_step(io, &due_us))
            platform.event_wait(platform.user, io_event, due_us);
        platform.event_signal(platform.user, main_event);
    }
}

static void run_jobs(void *unused)
{
    (void)unused;
    while (!atomic_load_acquire(&is_over)) {
        if (!spn__jobs_step(&jobs, 0))
            platform.event_wait(platform.user, job_event, UINT64_MAX);
        platform.event_signal(platform.user, main_event);
    }
}

static void notify_jobs(void *unused)
{
    (void)unused;
    platform.event_signal(platform.user, job_event);
}

/* -- callbacks -- */

static void on_async(const spn_read_result *result)
{
    struct slot *slot = result->user;

    slot->async_count++;
    if (spn__io_poll(io, result->read) != SPN_OK)
        slot->async_count = 1000;
}

static bool is_good(const struct slot *slot, const spn_read_result *result)
{
    if (slot->async_count != (slot->has_async ? 1u : 0u))
        return false;
    if (result->status != SPN_OK)
        return result->status == SPN_ERR_ABORTED ||
               result->status == SPN_ERR_SHUTDOWN;
    for (uint64_t i = 0; i < slot->bytes; i++)
        if (slot->buffer[i] != byte_at(slot->offset + i))
            return false;
    return result->bytes == slot->bytes;
}

static void on_done(const spn_read_result *result)
{
    struct slot *slot = result->user;

    if (!is_good(slot, result))
        wrong_done = spn_status_name(result->status);
    completed++;
    completed_ok += result->status == SPN_OK;
    /* Pairs with the load in start_one. */
    atomic_store_release(&slot->state, FREE);
}

/* -- starters -- */

/* Wait for the read, without or with a time-out. The main thread may complete
 * it at any time. The starter keeps the slot during the wait. */
static void wait_for(struct starter *starter, const struct slot *slot)
{
    uint64_t due_us = UINT64_MAX;
    spn_read_result result;
    spn_status status;

    if (test_random_below(&starter->random, 2))
        due_us = platform.now_us(platform.user) +
                 test_random_below(&starter->random, 300);
    status = spn__io_wait(io, slot->handle, due_us, &result);
    if (status == SPN_ERR_HANDLE ||
        (status == SPN_ERR_TIMEOUT && due_us != UINT64_MAX))
        return;
    if (status != SPN_OK || result.read != slot->handle ||
        result.user != slot) {
        starter->wrong = "wait";
        return;
    }
    starter->awaited++;
    if (result.status != SPN_OK)
        return;
    for (uint64_t i = 0; i < slot->bytes; i++)
        if (slot->buffer[i] != byte_at(slot->offset + i))
            starter->wrong = "bytes";
}

static void start_one(struct starter *starter)
{
    struct slot *slot =
        &starter->slots[test_random_below(&starter->random, SLOTS)];
    spn_read_desc desc;
    spn_status status;

    if (atomic_load_acquire(&slot->state) != FREE)
        return;
    slot->bytes = 1 + test_random_below(&starter->random, READ_BYTES_MAX);
    slot->offset =
        test_random_below(&starter->random, FILE_BYTES - (uint32_t)slot->bytes);
    slot->has_async = test_random_below(&starter->random, 2);
    slot->async_count = 0;
    memset(&desc, 0, sizeof desc);
    if (test_random_below(&starter->random, 4))
        desc.file = file;
    else
        desc.path = path;
    desc.offset = slot->offset;
    desc.bytes = slot->bytes;
    desc.buffer = slot->buffer;
    desc.buffer_bytes = slot->bytes;
    desc.priority = test_random_below(&starter->random, 4)
                        ? SPN_PRIORITY_NORMAL
                        : SPN_PRIORITY_URGENT;
    desc.on_async = slot->has_async ? on_async : NULL;
    desc.on_done = on_done;
    desc.user = slot;
    /* This is set before the start, because the completion may come before the
     * call returns. */
    atomic_store_relaxed(&slot->state, PENDING);
    status = spn__io_read_start(io, &desc, &slot->handle);
    if (status == SPN_OK) {
        starter->started++;
        if (test_random_below(&starter->random, 4) == 0)
            wait_for(starter, slot);
        return;
    }
    atomic_store_relaxed(&slot->state, FREE);
    if (status == SPN_FULL)
        starter->refused++;
    else if (status == SPN_ERR_SHUTDOWN)
        starter->shut++;
    else
        starter->wrong = "start";
}

/* Abort and poll with handles that may be stale. There must be no crash and no
 * effect on other reads. */
static void abort_at_random(struct starter *starter)
{
    const struct slot *slot =
        &starter->slots[test_random_below(&starter->random, SLOTS)];
    spn_status status;

    if (!slot->handle)
        return;
    if (test_random_below(&starter->random, 2)) {
        status = spn__io_abort(io, slot->handle);
        if (status != SPN_OK && status != SPN_ERR_HANDLE)
            starter->wrong = "abort";
        return;
    }
    status = spn__io_poll(io, slot->handle);
    if (status != SPN_OK && status != SPN_PENDING && status != SPN_ERR_HANDLE)
        starter->wrong = "poll";
}

static void run_starter(void *argument)
{
    struct starter *starter = argument;

    while (starter->started < READS_EACH && starter->shut == 0) {
        start_one(starter);
        if (test_random_below(&starter->random, 8) == 0)
            abort_at_random(starter);
    }
    atomic_add_acq_rel(&starters_left, UINT32_MAX);
    platform.event_signal(platform.user, main_event);
}

/* -- set-up -- */

static void build(struct carve *carve)
{
    struct io_config config;

    memset(&config, 0, sizeof config);
    config.platform = &platform;
    config.jobs = &jobs;
    config.heap = &heap;
    config.read_count = 12; /* fewer than the starters need */
    config.file_count = 4;
    config.piece_bytes = 4096;
    config.wait_count = 3;
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_SORT_KEY;
    if (has_deadline_order) {
        config.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("x360_dvd12x");
        config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
        config.piece_bytes = 32768;
    }
    spn__jobs_init(&jobs, carve, 4, 1, 0);
    jobs.notify = notify_jobs;
    io = spn__io_init(carve, &config);
}

static void write_file(void)
{
    FILE *out;

    snprintf(path, sizeof path, "%s/data", test_temp());
    out = fopen(path, "wb");
    CHECK(out);
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        putc(byte_at(i), out);
    CHECK(fclose(out) == 0);
}

static void open_all(bool is_deadline_order)
{
    struct carve carve = {.limit = SIZE_MAX};

    has_deadline_order = is_deadline_order;
    write_file();
    platform_memory = malloc(host_platform_bytes());
    CHECK_EQ(
        host_platform_init(platform_memory, host_platform_bytes(), &platform),
        SPN_OK);
    CHECK_EQ(
        platform.event_create(platform.user, SPN_EVENT_FOR_WAITER, &io_event),
        SPN_OK);
    CHECK_EQ(
        platform.event_create(platform.user, SPN_EVENT_FOR_WAITER, &job_event),
        SPN_OK);
    CHECK_EQ(
        platform.event_create(platform.user, SPN_EVENT_FOR_WAITER, &main_event),
        SPN_OK);
    build(&carve);
    block = aligned_alloc(4096, (carve.used + 4095) & ~(size_t)4095);
    carve = (struct carve){.base = block, .limit = carve.used};
    build(&carve);
    CHECK(io);
    spn__io_set_event(io, io_event);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(platform.event_create(platform.user, SPN_EVENT_FOR_WAITER,
                                       &waiter_events[i]),
                 SPN_OK);
        spn__io_set_waiter_event(io, i, waiter_events[i]);
    }
    CHECK_EQ(spn__io_file_open(io, path, &file), SPN_OK);
    atomic_store_relaxed(&is_over, 0);
    atomic_store_relaxed(&starters_left, STARTERS);
    completed = 0;
    completed_ok = 0;
    wrong_done = NULL;
    bytes_seen = 0;
    coalesced_seen = 0;
    memset(starters, 0, sizeof starters);
    CHECK_EQ(start_thread(&platform, "io", run_io, NULL, &io_thread_handle),
             SPN_OK);
    CHECK_EQ(
        start_thread(&platform, "worker", run_jobs, NULL, &job_thread_handle),
        SPN_OK);
    for (uint32_t i = 0; i < STARTERS; i++) {
        starters[i].random.state = i + 1;
        CHECK_EQ(start_thread(&platform, "starter", run_starter, &starters[i],
                              &starters[i].thread),
                 SPN_OK);
    }
}

/* Query the statistics while the io thread runs. No number may be torn. */
static void query_stats(void)
{
    spn_medium_stats medium;
    spn_task_stats task;

    spn__io_get_medium_stats(io, SPN_MEDIUM_HARD_DISK, &medium);
    spn__io_get_task_stats(io, SPN_TASK_USER, &task);
    if (medium.total.bytes < bytes_seen || medium.total.busy_permille > 1000 ||
        medium.total.reads > completed + 12 || task.open > 12 ||
        task.pending_bytes > 12 * READ_BYTES_MAX)
        wrong_done = "stats";
    bytes_seen = medium.total.bytes;
    coalesced_seen = medium.total.coalesced;
}

static void finish_or_wait(void)
{
    query_stats();
    if (spn__io_finish(io, 4) == 0)
        platform.event_wait(platform.user, main_event, UINT64_MAX);
}

static void close_all(void)
{
    uint32_t started = 0;
    spn_io_stats stats;

    for (uint32_t i = 0; i < STARTERS; i++)
        platform.thread_join(platform.user, starters[i].thread);
    spn__io_shutdown(io);
    while (!spn__io_is_idle(io))
        if (spn__io_finish(io, 4) == 0 && !spn__io_is_idle(io))
            platform.event_wait(platform.user, main_event, UINT64_MAX);
    atomic_store_release(&is_over, 1);
    platform.event_signal(platform.user, io_event);
    platform.event_signal(platform.user, job_event);
    platform.thread_join(platform.user, io_thread_handle);
    platform.thread_join(platform.user, job_thread_handle);
    for (uint32_t i = 0; i < STARTERS; i++) {
        CHECK(!starters[i].wrong);
        started += starters[i].started;
        for (uint32_t k = 0; k < SLOTS; k++)
            CHECK_EQ(atomic_load_acquire(&starters[i].slots[k].state), FREE);
    }
    spn__io_get_stats(io, &stats);
    CHECK_EQ(completed, started);
    CHECK_EQ(stats.pending, 0);
    CHECK(stats.pending_peak <= 12);
    CHECK_EQ_U(stats.requests_done, completed_ok);
    CHECK_EQ_U(stats.requests_done + stats.requests_aborted, started);
    CHECK_EQ_U(stats.requests_failed, 0);
    CHECK(!wrong_done);
    platform.event_destroy(platform.user, io_event);
    platform.event_destroy(platform.user, job_event);
    platform.event_destroy(platform.user, main_event);
    for (uint32_t i = 0; i < 3; i++)
        platform.event_destroy(platform.user, waiter_events[i]);
    free(block);
    free(platform_memory);
}

static void end_every_read(bool is_deadline_order)
{
    open_all(is_deadline_order);
    while (atomic_load_acquire(&starters_left) > 0)
        finish_or_wait();
    close_all();
    CHECK(completed_ok > 0);
    for (uint32_t i = 0; i < STARTERS; i++) {
        CHECK_EQ(starters[i].started, READS_EACH);
        CHECK(starters[i].awaited > 0);
    }
    CHECK(is_deadline_order == (coalesced_seen > 0));
}

static void io_threads_end_every_read_exactly_once(void)
{
    end_every_read(false);
    end_every_read(true);
}

/* The starters stop when their reads are refused with SPN_ERR_SHUTDOWN. */
static void io_threads_shut_down_while_reads_are_started(void)
{
    for (uint32_t round = 1; round <= 10; round++) {
        open_all(round % 2);
        while (completed < round * 20)
            finish_or_wait();
        spn__io_shutdown(io);
        while (atomic_load_acquire(&starters_left) > 0)
            finish_or_wait();
        for (uint32_t i = 0; i < STARTERS; i++)
            CHECK(starters[i].shut > 0);
        close_all();
    }
}

TEST_MAIN(TEST(io_threads_end_every_read_exactly_once),
          TEST(io_threads_shut_down_while_reads_are_started))
