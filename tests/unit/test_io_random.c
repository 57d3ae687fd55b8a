/* test_io_random.c
 *
 * Goal: reads are started alone or in batches, aborted, paused, refused
 *   memory, closed, failed and shut down, in any order and on any medium, by
 *   the key or by the scheduler. Each read completes exactly once, with good
 *   bytes or with a status that its history explains. Afterwards nothing
 *   accesses its memory, the counters agree, and no file is open.
 * Method: random scripts from seeds against the engine on a slow, failing
 *   disc. Memory is poisoned at the completion and checked at the end.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "support/io_rig.h"

#include <string.h>

#define SEEDS 400u
#define STEPS 400u
#define SLOTS 24u
#define READ_BYTES_MAX 20000u
#define POISON 0x5a

/* A read and its history. */
struct entry {
    spn_read read;
    uint32_t file;
    uint64_t offset;
    uint64_t bytes;
    uint8_t *buffer;
    bool is_started;
    bool is_aborted;
    bool has_async;
    bool has_storage;
    bool is_refused; /* the storage callback refused it */
    uint32_t async_count;
    uint32_t done_count;
    spn_status status;
};

static struct rig rig;
static struct entry entries[SLOTS];
static uint8_t buffers[SLOTS][READ_BYTES_MAX + 4096];
static struct test_random random;
static spn_file files[4];
static uint32_t started;
static bool is_shut;
static uint32_t first_byte; /* first offset of reads in a file */
static uint32_t spread;     /* size of the range of offsets */
static uint32_t favourite;  /* the file of most reads */
static uint64_t coalesced_reads;
static bool is_calm; /* storage callbacks never refuse */

static uint32_t below(uint32_t limit)
{
    return test_random_below(&random, limit);
}

static void note_async(const spn_read_result *result)
{
    struct entry *entry = result->user;

    CHECK_EQ(++entry->async_count, 1);
    CHECK_EQ(entry->done_count, 0);
    if (below(8) == 0)
        CHECK_EQ(spn__io_abort(rig.io, result->read), SPN_OK);
}

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct entry *entry = want->user;
    uint32_t dice = is_calm ? 0 : below(10);

    CHECK(entry->has_storage && !entry->buffer);
    CHECK_EQ(entry->async_count + entry->done_count, 0);
    CHECK_EQ_U(want->bytes, entry->bytes);
    if (dice > 5)
        return SPN_NO_MEMORY_NOW;
    entry->is_refused = dice == 5;
    if (entry->is_refused)
        return SPN_ERR_MEMORY;
    *buffer = entry->buffer = buffers[entry - entries] + below(4096);
    return SPN_OK;
}

static bool is_explained(const struct entry *entry, spn_status status)
{
    if (status == SPN_ERR_ABORTED)
        return entry->is_aborted;
    if (status == SPN_ERR_SHUTDOWN)
        return is_shut;
    if (status == SPN_ERR_MEMORY)
        return entry->is_refused;
    if (status == SPN_ERR_RANGE)
        return entry->offset > RIG_FILE_BYTES ||
               entry->bytes > RIG_FILE_BYTES - entry->offset;
    return status == SPN_OK || status == SPN_ERR_IO ||
           status == SPN_ERR_SHORT_READ || status == SPN_ERR_NOT_FOUND;
}

static void note_done(const spn_read_result *result)
{
    struct entry *entry = result->user;

    CHECK_EQ(++entry->done_count, 1);
    CHECK_EQ(entry->async_count, entry->has_async ? 1 : 0);
    CHECK_EQ_U(result->read, entry->read);
    CHECK(result->buffer == entry->buffer);
    CHECK(is_explained(entry, result->status));
    CHECK(result->bytes <= entry->bytes);
    CHECK(result->status != SPN_OK || result->bytes == entry->bytes);
    /* For every status, the bytes reported as valid are correct. */
    for (uint64_t i = 0; i < result->bytes; i++)
        if (entry->buffer[i] != rig_byte(entry->file, entry->offset + i))
            test_fail(__FILE__, __LINE__, "byte %u", (unsigned)i);
    if (entry->buffer)
        memset(entry->buffer, POISON, (size_t)entry->bytes);
}

static void check_poison(const struct entry *entry)
{
    if (!entry->done_count || !entry->buffer)
        return;
    for (uint64_t i = 0; i < entry->bytes; i++)
        CHECK_EQ(entry->buffer[i], POISON);
}

/* Fill entry `i` and the description of its read. */
static void describe(uint32_t i, spn_read_desc *desc)
{
    static const char *const paths[] = {"a", "b", "c", "none"};
    uint32_t file = below(3) ? favourite : below(4);
    struct entry *entry = &entries[i];

    check_poison(entry);
    memset(entry, 0, sizeof *entry);
    entry->file = file;
    entry->offset = first_byte + below(spread);
    entry->bytes = 1 + below(below(2) ? READ_BYTES_MAX : 100);
    entry->has_storage = below(3) == 0;
    entry->has_async = below(2);
    memset(desc, 0, sizeof *desc);
    if (below(5) == 0)
        desc->path = paths[file];
    else
        desc->file = files[file];
    if (!desc->file)
        desc->path = paths[file];
    desc->offset = entry->offset;
    desc->bytes = entry->bytes;
    if (entry->has_storage) {
        desc->on_storage = give;
        desc->flags = below(8) ? 0 : SPN_READ_OVER_BUDGET;
    } else {
        entry->buffer = buffers[i] + below(2) * below(4096);
        desc->buffer = entry->buffer;
        desc->buffer_bytes = entry->bytes;
    }
    desc->priority = (spn_priority)below(6);
    if (desc->priority == SPN_PRIORITY_PREEMPTED)
        desc->priority = SPN_PRIORITY_URGENT;
    desc->task = (spn_task)below(SPN_TASK_COUNT);
    if (below(2))
        desc->deadline_us = rig.slow.clock_us + below(1u << below(24));
    desc->on_async = entry->has_async ? note_async : NULL;
    desc->on_done = note_done;
    desc->user = entry;
}

static bool is_free(uint32_t i)
{
    return !entries[i].is_started || entries[i].done_count;
}

/* Start one read, or a batch of all free entries from a random one on. */
static void start_some(void)
{
    spn_read_desc descs[SLOTS];
    spn_read handles[SLOTS];
    uint32_t first = below(SLOTS);
    uint32_t limit = 1 + (below(4) ? 0 : below(6));
    uint32_t count = 0;
    spn_status status;

    while (count < limit && first + count < SLOTS && is_free(first + count) &&
           count < rig.io->read_count) {
        describe(first + count, &descs[count]);
        count++;
    }
    if (count == 0)
        return;
    status = spn__io_read_start_batch(rig.io, descs, count, handles);
    if (is_shut)
        CHECK_EQ(status, SPN_ERR_SHUTDOWN);
    else
        CHECK(status == SPN_OK || status == SPN_FULL);
    for (uint32_t i = 0; i < count; i++) {
        entries[first + i].is_started = status == SPN_OK;
        entries[first + i].read = handles[i];
    }
    started += status == SPN_OK ? count : 0;
}

/* Wait for a read with a time-out of zero. */
static void poll_one(void)
{
    struct entry *entry = &entries[below(SLOTS)];
    spn_read_result result;
    spn_status status;

    if (!entry->is_started)
        return;
    status = spn__io_result(rig.io, entry->read, &result);
    if (entry->done_count) {
        CHECK_EQ(status, SPN_ERR_HANDLE);
        return;
    }
    CHECK_EQ(status, spn__io_poll(rig.io, entry->read));
    CHECK(status == SPN_PENDING || is_explained(entry, result.status));
}

static void pause_or_resume(void)
{
    spn_task task = (spn_task)(1 + below(SPN_TASK_COUNT - 1));

    spn__io_pause(rig.io, task, below(3) == 0);
}

static void abort_one(void)
{
    struct entry *entry = &entries[below(SLOTS)];
    spn_status status;

    if (!entry->is_started)
        return;
    status = spn__io_abort(rig.io, entry->read);
    CHECK_EQ(status, entry->done_count ? SPN_ERR_HANDLE : SPN_OK);
    entry->is_aborted = true;
}

static void swap_file(uint32_t i)
{
    static const char *const paths[] = {"a", "b", "c", "none"};

    if (files[i])
        CHECK_EQ(spn__io_file_close(rig.io, files[i]), SPN_OK);
    files[i] = 0;
    if (!is_shut && below(2))
        (void)(spn__io_file_open(rig.io, paths[i], &files[i]) == SPN_OK);
}

static void break_disc(void)
{
    static const enum slow_kind kinds[] = {SLOW_ERROR, SLOW_REFUSE, SLOW_SHORT,
                                           SLOW_STALL, SLOW_OPEN_ERROR};
    struct slow_fault fault = {
        .kind = kinds[below(5)], .times = 1 + below(4), .value = below(6000)};

    if (rig.slow.fault_count == SLOW_FAULTS_MAX)
        slow_platform_clear_faults(&rig.slow);
    slow_platform_fault(&rig.slow, &fault);
}

static void do_something(void)
{
    uint64_t due_us;

    switch (below(14)) {
    case 0:
    case 1:
    case 2:
        start_some();
        break;
    case 3:
        if (below(2))
            abort_one();
        break;
    case 4:
    case 5:
    case 6:
        spn__io_step(rig.io, &due_us);
        break;
    case 7:
        spn__jobs_step(&rig.jobs, 0);
        break;
    case 8:
        spn__io_finish(rig.io, below(3));
        break;
    case 9:
        rig.slow.clock_us += below(300);
        break;
    case 10:
        if (below(4) == 0)
            swap_file(below(4));
        else if (below(60) == 0)
            rig.slow.clock_us += (uint64_t)below(1u << 31) << 12;
        break;
    case 11:
        if (below(8) == 0)
            break_disc();
        break;
    case 12:
        poll_one();
        break;
    case 13:
        if (below(3) == 0)
            pause_or_resume();
        else
            spn__io_retry_storage(rig.io, below(4) == 0);
        break;
    }
}

static void check_end(void)
{
    spn_io_stats stats;
    uint32_t pending = 0;

    for (uint32_t i = 0; i < SLOTS; i++) {
        check_poison(&entries[i]);
        if (entries[i].is_started)
            pending += !entries[i].done_count;
    }
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ(stats.pending, pending);
    CHECK_EQ_U(stats.requests_done + stats.requests_failed +
                   stats.requests_aborted,
               started - pending);
}

/* Count the coalesced reads since the statistics were reset, which this test
 * never does. */
static void count_coalesced(void)
{
    coalesced_reads = 0;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        spn_medium_stats stats;

        spn__io_get_medium_stats(rig.io, (spn_medium)i, &stats);
        coalesced_reads += stats.total.coalesced;
    }
}

static void check_nothing_is_left(void)
{
    spn_io_stats all;

    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++) {
        spn_task_stats stats;

        spn__io_get_task_stats(rig.io, (spn_task)task, &stats);
        CHECK_EQ(stats.open, 0);
        CHECK_EQ_U(stats.pending_bytes, 0);
        CHECK_EQ_U(stats.done + stats.failed + stats.aborted,
                   stats.total.reads);
        CHECK_EQ_U(stats.completion.count, stats.total.reads);
    }
    spn__io_get_stats(rig.io, &all);
    CHECK_EQ_U(all.pending_bytes, 0);
    CHECK_EQ_U(all.completion.count, started);
}

/* When types are resumed and storage is granted, everything ends. */
static void run_to_the_end(void)
{
    is_calm = true;
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        spn__io_pause(rig.io, (spn_task)task, false);
    spn__io_retry_storage(rig.io, false);
    rig_run(&rig);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    check_nothing_is_left();
    count_coalesced();
}

/* Drive profiles need not match the disc. */
static void choose_orders(struct rig_config *config)
{
    static const char *const drives[] = {"x360_dvd12x", "ps1_cd2x", "ps3_bd2x"};

    /* Neighbouring reads, some of them at the end of the file. */
    if (below(4)) {
        favourite = 2;
        config->file_count = 4;
        spread = 1 + below(100000);
        first_byte = below(RIG_FILE_BYTES + 1000 - spread);
    }
    for (uint32_t i = 0; i < SPN_MEDIUM_MEMORY; i++) {
        config->media[i].drive = spn_drive_profile_find(drives[below(3)]);
        config->media[i].order =
            below(8) ? SPN_ORDER_DEADLINE : SPN_ORDER_SORT_KEY;
    }
}

static uint64_t run_script(uint32_t seed, bool is_deadline_order)
{
    static const uint32_t aligns[] = {1, 1, 512, 4096};
    struct rig_config config;

    random.state = seed;
    memset(entries, 0, sizeof entries);
    memset(files, 0, sizeof files);
    started = 0;
    is_shut = false;
    is_calm = false;
    memset(&config, 0, sizeof config);
    config.budget_bytes = 1 + below(60000);
    config.read_count = 1 + below(SLOTS);
    config.file_count = 1 + below(6);
    config.piece_bytes = 4096u << below(3);
    config.job_capacity = 2 + below(6);
    first_byte = 0;
    favourite = below(4);
    spread = RIG_FILE_BYTES + 1000;
    if (is_deadline_order)
        choose_orders(&config);
    rig_open(&rig, &config);
    slow_platform_place(&rig.slow, "a", (spn_medium)below(3));
    slow_platform_place(&rig.slow, "b", (spn_medium)below(3));
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = below(2) * 1000;
    rig.slow.align_bytes = aligns[below(4)];
    rig.slow.is_place_unknown = below(2);
    rig.slow.command_us = below(200);
    rig.slow.seek_us = below(2) * 300;
    rig.slow.bytes_per_second = below(2) ? 50000000 : 0;
    if (is_deadline_order)
        for (uint32_t i = 0; i < 4; i++)
            swap_file(i);
    for (uint32_t step = 0; step < STEPS; step++) {
        test_context("seed %u, step %u", seed, step);
        do_something();
    }
    check_end();
    if (below(2)) {
        is_shut = true;
        spn__io_shutdown(rig.io);
        for (uint32_t step = 0; step < 30; step++)
            do_something();
    }
    run_to_the_end();
    for (uint32_t i = 0; i < SLOTS; i++)
        CHECK(!entries[i].is_started || entries[i].done_count == 1);
    check_end();
    is_shut = true;
    rig_close(&rig);
    return rig.slow.clock_us * 31 + rig.slow.bytes_read * 7 + rig.slow.reads;
}

static void io_scripts_end_every_read_exactly_once(void)
{
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        run_script(seed, false);
}

static void io_deadlines_end_every_read_exactly_once(void)
{
    uint64_t coalesced = 0;

    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        run_script(seed, true);
        coalesced += coalesced_reads;
    }
    CHECK(coalesced > SEEDS);
}

static void io_scripts_run_the_same_way_twice(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
        for (uint32_t scheduler = 0; scheduler < 2; scheduler++)
            CHECK_EQ_U(run_script(seed, scheduler),
                       run_script(seed, scheduler));
}

TEST_MAIN(TEST(io_scripts_end_every_read_exactly_once),
          TEST(io_deadlines_end_every_read_exactly_once),
          TEST(io_scripts_run_the_same_way_twice))
