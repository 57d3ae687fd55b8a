/* test_into_heap.c
 *
 * Goal: a read of unknown size allocates its block from the runtime's heap:
 *   for a file, a stored or compressed entry, or a loaded pak. While the heap
 *   is full the read waits and delays no other read. In every case no block is
 *   lost and none is given twice.
 * Method: a stage with a file and a pak of the same bytes. The bytes read are
 *   compared extent by extent. Reads are aborted and the runtime is shut down
 *   after every step.
 */
/* SPDX-License-Identifier: MIT */
#include "common/codecs.h"
#include "harness.h"
#include "host/host.h"
#include "support/stage.h"
#include "support/tiny_pak.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BYTES = 4096,
    PAGES = 96,
    FILE_BYTES = 40 * PAGE_BYTES - 5,
    STEPS = 24,
    CODECS = 4
};

/* A read and its results. */
struct outcome {
    spn_read read;
    spn_read_result result;
    uint32_t async_count;
    uint32_t done_count;
};

static struct stage stage;
static struct tiny_pak tiny_pak;
static uint8_t file[FILE_BYTES];
static spn_block blocks[PAGES];
static struct outcome outcome;

static const char *const entries[CODECS] = {"e0", "e1", "e2", "e3"};

static void fill_file(void)
{
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        file[i] = (uint8_t)(i / 3 + i / 251);
}

static void make_pak(void)
{
    struct tiny_pak_file files[CODECS] = {{0}};

    for (uint32_t i = 0; i < CODECS; i++)
        files[i] = (struct tiny_pak_file){
            .name = entries[i], .data = file, .bytes = FILE_BYTES, .codec = i};
    tiny_pak_make(&tiny_pak, files, CODECS);
}

static void open_stage(void)
{
    if (!tiny_pak.bytes) {
        fill_file();
        make_pak();
    }
    memset(&outcome, 0, sizeof outcome);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "f", file, FILE_BYTES);
    slow_platform_add(&stage.disc, "p", tiny_pak.bytes, tiny_pak.size);
    stage.disc.bytes_per_second = 4 << 20;
    stage.config.heap_bytes = PAGES * PAGE_BYTES;
    stage.config.heap_page_bytes = PAGE_BYTES;
    stage.config.piece_bytes = 16384;
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage.config.pak_count = 1;
}

static spn_pak mount(void)
{
    spn_pak pak = 0;

    CHECK_EQ(spn_pak_mount(stage.rt, "p", &pak), SPN_OK);
    for (int i = 0; i < 1000; i++)
        if (spn_pak_get_status(stage.rt, pak, NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_get_status(stage.rt, pak, NULL), SPN_OK);
    return pak;
}

static uint64_t block_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.rt, &stats);
    return stats.block_bytes;
}

/* Describe a read of all bytes of the file from `offset` on, in at most
 * `extents_max` pieces. */
static void compare(const spn_runtime *rt, const spn_read_result *result,
                    uint64_t offset, uint32_t extents_max)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    uint32_t count = spn_block_get_extents(rt, result->block, extents,
                                           SPN_BLOCK_EXTENTS_MAX);
    uint64_t at = offset;

    CHECK(count > 0 && count <= extents_max);
    CHECK_EQ_U(result->bytes, FILE_BYTES - offset);
    CHECK(!result->buffer);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(extents[i].bytes <= FILE_BYTES - at);
        CHECK(memcmp(extents[i].data, file + at, extents[i].bytes) == 0);
        at += extents[i].bytes;
    }
    CHECK_EQ_U(at, FILE_BYTES);
}

/* The block already exists when on_async processes the bytes. */
static void note_async(const spn_read_result *result)
{
    struct outcome *s = result->user;

    s->async_count++;
    if (result->status == SPN_OK && result->block)
        compare(stage.rt, result, FILE_BYTES - result->bytes, UINT32_MAX);
}

static void note_done(const spn_read_result *result)
{
    struct outcome *s = result->user;

    CHECK_EQ_U(++s->done_count, 1);
    CHECK_EQ_U(s->async_count, 1);
    CHECK_EQ_U(result->read, s->read);
    s->result = *result;
    if (result->status == SPN_OK)
        return;
    CHECK_EQ_U(result->block, 0);
    CHECK_EQ_U(result->bytes, 0);
}

static spn_read_desc to_the_end(struct outcome *s, const char *path)
{
    return (spn_read_desc){.path = path,
                           .flags = SPN_READ_INTO_HEAP,
                           .priority = SPN_PRIORITY_NORMAL,
                           .on_async = note_async,
                           .on_done = note_done,
                           .user = s};
}

static void start(struct outcome *s, const spn_read_desc *desc)
{
    memset(s, 0, sizeof *s);
    CHECK_EQ(spn_read_start(stage.rt, desc, &s->read), SPN_OK);
}

static void run_until_done(const struct outcome *s)
{
    for (int i = 0; i < 1000 && s->done_count == 0; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(s->done_count, 1);
}

static void read_whole(const spn_read_desc *desc, uint32_t extents_max)
{
    start(&outcome, desc);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_OK);
    compare(stage.rt, &outcome.result, desc->offset, extents_max);
    CHECK_EQ_U(block_bytes(), FILE_BYTES - desc->offset);
    CHECK_EQ(spn_block_free(stage.rt, outcome.result.block), SPN_OK);
    CHECK_EQ_U(block_bytes(), 0);
}

static void reads_allocate_their_block(void)
{
    spn_read_desc desc;

    open_stage();
    stage_start(&stage);
    desc = to_the_end(&outcome, "f");
    read_whole(&desc, UINT32_MAX);
    desc.offset = 12345;
    read_whole(&desc, UINT32_MAX);
    desc.bytes = FILE_BYTES - desc.offset;
    read_whole(&desc, UINT32_MAX);
    desc.heap_unit_bytes = UINT32_MAX;
    read_whole(&desc, 1);
    /* No byte is left, so no block is needed. */
    desc.offset = FILE_BYTES;
    desc.bytes = 0;
    start(&outcome, &desc);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_OK);
    CHECK_EQ_U(outcome.result.block, 0);
    CHECK_EQ_U(block_bytes(), 0);
    stage_close(&stage);
}

/* The heap is fragmented, so that blocks are single pages. */
static void fragment_heap(void)
{
    for (uint32_t i = 0; i < PAGES; i++)
        CHECK_EQ(spn_block_alloc(stage.rt, PAGE_BYTES, 0, &blocks[i]), SPN_OK);
    for (uint32_t i = 0; i < PAGES; i += 2)
        CHECK_EQ(spn_block_free(stage.rt, blocks[i]), SPN_OK);
}

static void reads_fill_pages(void)
{
    spn_read_desc desc;
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];

    open_stage();
    stage_start(&stage);
    fragment_heap();
    desc = to_the_end(&outcome, "f");
    start(&outcome, &desc);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_OK);
    compare(stage.rt, &outcome.result, 0, UINT32_MAX);
    CHECK_EQ_U(
        spn_block_get_extents(stage.rt, outcome.result.block, extents, 1), 40);
    stage_close(&stage);
}

static void entries_allocate_their_block(void)
{
    open_stage();
    stage.config.heap_bytes = 8u << 20;
    stage_start(&stage);
    for (int is_loaded = 0; is_loaded < 2; is_loaded++) {
        spn_pak pak = mount();

        if (is_loaded) {
            CHECK_EQ(spn_pak_load(stage.rt, pak, SPN_PRIORITY_NORMAL), SPN_OK);
            for (int i = 0; i < 1000; i++)
                if (spn_pak_get_load_status(stage.rt, pak) == SPN_PENDING)
                    stage_tick(&stage, STAGE_TICK_US);
            CHECK_EQ(spn_pak_get_load_status(stage.rt, pak), SPN_OK);
        }
        for (uint32_t i = 0; i < CODECS; i++) {
            uint32_t reads = stage.disc.reads;
            spn_read_desc desc = to_the_end(&outcome, NULL);

            test_context("codec %u, loaded %d", i, is_loaded);
            CHECK_EQ(spn_pak_find(stage.rt, pak, entries[i], &desc.entry),
                     SPN_OK);
            read_whole(&desc, UINT32_MAX);
            desc.offset = 70001;
            read_whole(&desc, UINT32_MAX);
            CHECK_EQ(stage.disc.reads == reads, is_loaded);
        }
        CHECK_EQ(spn_pak_unmount(stage.rt, pak), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    stage_close(&stage);
}

static void reads_wait_for_a_full_heap(void)
{
    static uint8_t buffer[FILE_BYTES];
    struct outcome other;
    spn_read_desc desc;
    spn_block most;

    open_stage();
    stage_start(&stage);
    CHECK_EQ(spn_block_alloc(stage.rt, (PAGES - 39) * PAGE_BYTES, 0, &most),
             SPN_OK);
    desc = to_the_end(&outcome, "f");
    start(&outcome, &desc);
    for (int i = 0; i < 50; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(outcome.done_count, 0);
    /* Other reads continue, because the waiting read holds no budget. */
    desc = to_the_end(&other, "f");
    desc.flags = 0;
    desc.buffer = buffer;
    desc.buffer_bytes = sizeof buffer;
    start(&other, &desc);
    run_until_done(&other);
    CHECK_EQ(other.result.status, SPN_OK);
    CHECK_EQ_U(other.result.block, 0);
    CHECK_EQ_U(outcome.done_count, 0);
    CHECK_EQ(spn_block_free(stage.rt, most), SPN_OK);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_OK);
    compare(stage.rt, &outcome.result, 0, UINT32_MAX);
    stage_close(&stage);
}

static void reads_that_never_fit_are_refused(void)
{
    spn_read_desc desc;

    open_stage();
    stage.config.heap_bytes = 65536;
    stage_start(&stage);
    desc = to_the_end(&outcome, "f");
    start(&outcome, &desc);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_ERR_MEMORY);
    stage_close(&stage);
}

/* A read holds its pak, and the pak its index. Neither waits for the other,
 * whether the pak is mounted or not. */
static void reads_that_never_fit_beside_their_pak_are_refused(void)
{
    for (int is_unmounted = 0; is_unmounted < 2; is_unmounted++) {
        spn_read_desc desc;
        spn_pak pak;

        open_stage();
        stage.config.heap_bytes = FILE_BYTES + 5;
        stage_start(&stage);
        desc = to_the_end(&outcome, "f");
        start(&outcome, &desc);
        run_until_done(&outcome);
        CHECK_EQ(outcome.result.status, SPN_OK);
        CHECK_EQ(spn_block_free(stage.rt, outcome.result.block), SPN_OK);
        pak = mount();
        memset(&outcome, 0, sizeof outcome);
        desc = to_the_end(&outcome, entries[0]);
        start(&outcome, &desc);
        if (is_unmounted)
            CHECK_EQ(spn_pak_unmount(stage.rt, pak), SPN_OK);
        run_until_done(&outcome);
        CHECK_EQ(outcome.result.status, SPN_ERR_MEMORY);
        stage_close(&stage);
    }
}

/* With a budget for one read, one read is in progress at a time. */
static void blocks_count_in_the_budget(void)
{
    struct outcome two[2];
    spn_io_stats stats;

    open_stage();
    stage.config.read_budget_bytes = FILE_BYTES;
    stage_start(&stage);
    for (int i = 0; i < 2; i++) {
        spn_read_desc desc = to_the_end(&two[i], "f");

        start(&two[i], &desc);
    }
    for (int i = 0; i < 1000 && two[0].done_count + two[1].done_count < 2;
         i++) {
        stage_tick(&stage, 1000);
        if (two[0].done_count + two[1].done_count == 0)
            CHECK(block_bytes() <= FILE_BYTES);
    }
    CHECK_EQ(two[0].result.status, SPN_OK);
    CHECK_EQ(two[1].result.status, SPN_OK);
    compare(stage.rt, &two[0].result, 0, UINT32_MAX);
    compare(stage.rt, &two[1].result, 0, UINT32_MAX);
    spn_io_get_stats(stage.rt, &stats);
    CHECK_EQ_U(stats.budget_bytes, 0);
    CHECK_EQ_U(stats.budget_bytes_peak, 40 * PAGE_BYTES);
    stage_close(&stage);
}

/* The read is stopped after each number of steps, with and without a pause of
 * its type. */
static void aborts_free_the_block(void)
{
    uint32_t in_time = 0;

    for (uint32_t which = 0; which < 2 * CODECS * STEPS; which++) {
        const uint32_t steps = which % STEPS;
        const bool is_paused = which / STEPS % 2;
        spn_read_desc desc;

        test_context("%u", which);
        open_stage();
        stage_start(&stage);
        (void)mount();
        desc = to_the_end(&outcome, entries[which / STEPS / 2]);
        start(&outcome, &desc);
        for (uint32_t i = 0; i < steps; i++)
            stage_tick(&stage, 5000);
        if (is_paused) {
            CHECK_EQ(spn_task_pause(stage.rt, SPN_TASK_USER), SPN_OK);
            stage_tick(&stage, 5000);
        }
        if (outcome.done_count == 0)
            CHECK_EQ(spn_read_abort(stage.rt, outcome.read), SPN_OK);
        run_until_done(&outcome);
        CHECK(outcome.result.status == SPN_ERR_ABORTED ||
              outcome.result.status == SPN_OK);
        in_time += outcome.result.status == SPN_ERR_ABORTED;
        if (outcome.result.status == SPN_OK) {
            compare(stage.rt, &outcome.result, 0, UINT32_MAX);
            CHECK_EQ(spn_block_free(stage.rt, outcome.result.block), SPN_OK);
        }
        CHECK_EQ_U(block_bytes(), 0);
        stage_close(&stage);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
    }
    CHECK(in_time > 2 * CODECS && in_time < 2 * CODECS * STEPS);
}

static void shutdowns_free_the_block(void)
{
    for (uint32_t which = 0; which < CODECS * STEPS; which++) {
        struct outcome second;
        spn_read_desc desc;

        test_context("%u", which);
        open_stage();
        stage_start(&stage);
        (void)mount();
        desc = to_the_end(&outcome, entries[which / STEPS]);
        start(&outcome, &desc);
        desc = to_the_end(&second, "f");
        start(&second, &desc);
        for (uint32_t i = 0; i < which % STEPS; i++)
            stage_tick(&stage, 5000);
        stage_close(&stage);
        CHECK_EQ_U(outcome.done_count, 1);
        CHECK_EQ_U(second.done_count, 1);
        CHECK(outcome.result.status == SPN_OK ||
              outcome.result.status == SPN_ERR_SHUTDOWN);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
    }
}

/* Return an offset in the middle of the range that was read last. */
static uint64_t last_place(void)
{
    const struct slow_read *last = &stage.disc.log[stage.disc.reads - 1];

    return last->offset + last->bytes / 2;
}

static void failures_free_the_block(void)
{
    for (uint32_t i = 0; i <= CODECS; i++) {
        const bool is_file = i == CODECS;
        const char *path = is_file ? "f" : entries[i];
        spn_read_desc desc = to_the_end(&outcome, path);
        struct slow_fault fault = {.kind = is_file ? SLOW_ERROR : SLOW_FLIP,
                                   .path = is_file ? "f" : "p"};

        test_context("%s", path);
        open_stage();
        stage_start(&stage);
        (void)mount();
        read_whole(&desc, UINT32_MAX);
        fault.offset = last_place();
        fault.bytes = 1;
        fault.value = 8 * fault.offset;
        slow_platform_fault(&stage.disc, &fault);
        start(&outcome, &desc);
        run_until_done(&outcome);
        CHECK_EQ(outcome.result.status,
                 is_file ? SPN_ERR_IO : SPN_ERR_CHECKSUM);
        CHECK_EQ_U(block_bytes(), 0);
        stage_close(&stage);
    }
}

static void arguments_are_refused(void)
{
    static uint8_t byte;
    spn_extent extent = {&byte, 1};
    spn_read_desc desc;
    spn_read read;

    open_stage();
    stage_start(&stage);
    for (int i = 0; i < 4; i++) {
        desc = to_the_end(&outcome, "f");
        if (i == 0)
            desc.buffer = &byte;
        else if (i == 1)
            desc.buffer_bytes = 1;
        else if (i == 2)
            desc.on_done = NULL; /* no callback would receive the block */
        else
            desc.extents = &extent;
        test_context("%d", i);
        CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_ERR_ARG);
    }
    /* The thread that must take the block waits itself. */
    desc = to_the_end(&outcome, "f");
    start(&outcome, &desc);
    CHECK_EQ(spn_read_wait(stage.rt, outcome.read, UINT64_MAX, NULL),
             SPN_ERR_STATE);
    run_until_done(&outcome);
    CHECK_EQ(outcome.result.status, SPN_OK);
    stage_close(&stage);
}

/* -- threads -- */

enum { THREADED = 8, ROUNDS = 40 };

static spn_runtime *threaded;
static struct outcome many[THREADED];
static char path[512];

static void compare_async(const spn_read_result *result)
{
    struct outcome *s = result->user;

    s->async_count++;
    if (result->status == SPN_OK)
        compare(threaded, result, 0, UINT32_MAX);
}

struct waiter {
    pthread_t thread;
    spn_read read;
    spn_status status; /* owned by the thread until it has ended */
};

/* Another thread may wait, while this one takes the blocks. */
static void *wait_for(void *argument)
{
    struct waiter *w = argument;

    w->status = spn_read_wait(threaded, w->read, UINT64_MAX, NULL);
    return NULL;
}

static uint32_t free_completed_blocks(void)
{
    uint32_t done = 0;

    for (uint32_t i = 0; i < THREADED; i++) {
        struct outcome *s = &many[i];

        done += s->done_count;
        if (s->result.block)
            CHECK_EQ(spn_block_free(threaded, s->result.block), SPN_OK);
        s->result.block = 0;
    }
    return done;
}

static void run_round(struct test_random *random)
{
    struct waiter waiter;

    memset(many, 0, sizeof many);
    for (uint32_t i = 0; i < THREADED; i++) {
        spn_read_desc desc = to_the_end(&many[i], path);

        desc.on_async = compare_async;
        CHECK_EQ(spn_read_start(threaded, &desc, &many[i].read), SPN_OK);
    }
    waiter.read = many[0].read;
    CHECK_EQ(pthread_create(&waiter.thread, NULL, wait_for, &waiter), 0);
    while (free_completed_blocks() < THREADED) {
        uint32_t victim = test_random_below(random, 32 * THREADED);

        if (victim < THREADED)
            (void)spn_read_abort(threaded, many[victim].read);
        spn_update(threaded);
    }
    CHECK_EQ(pthread_join(waiter.thread, NULL), 0);
    CHECK(waiter.status == SPN_OK || waiter.status == SPN_ERR_HANDLE);
}

static void write_file(void)
{
    FILE *out;

    fill_file();
    snprintf(path, sizeof path, "%s/f", test_temp());
    out = fopen(path, "wb");
    CHECK(out && fwrite(file, 1, FILE_BYTES, out) == FILE_BYTES);
    CHECK_EQ(fclose(out), 0);
}

static void threads_share_the_heap(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    struct test_random random = {7};
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = PAGES * PAGE_BYTES,
                         .heap_page_bytes = PAGE_BYTES,
                         .worker_count = 2};
    spn_heap_stats stats;
    void *memory;
    size_t bytes;

    write_file();
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &threaded), SPN_OK);
    for (int i = 0; i < ROUNDS; i++)
        run_round(&random);
    spn_heap_get_stats(threaded, &stats);
    CHECK_EQ_U(stats.block_bytes, 0);
    CHECK(spn_check(threaded));
    spn_shutdown(threaded);
    free(memory);
    free(state);
}

TEST_MAIN(TEST(reads_allocate_their_block), TEST(reads_fill_pages),
          TEST(entries_allocate_their_block), TEST(reads_wait_for_a_full_heap),
          TEST(reads_that_never_fit_are_refused),
          TEST(reads_that_never_fit_beside_their_pak_are_refused),
          TEST(blocks_count_in_the_budget), TEST(aborts_free_the_block),
          TEST(shutdowns_free_the_block), TEST(failures_free_the_block),
          TEST(arguments_are_refused), TEST(threads_share_the_heap))
