/* test_platform_dma.c
 *
 * Goal: an interrupting disc follows the contract of platform.h: a read ends
 * only with its last interrupt, even on an error, and no thread sleeps for
 * ever.
 * Method: a controller that ends commands when the test says so; then one on a
 * thread of its own, below a runtime with threads.
 */
/* SPDX-License-Identifier: MIT */
#include "../../platform/consoles_stub/platform_dma.h"
#include "base/atomic.h"
#include "harness.h"
#include "host/host.h"
#include "support/start_thread.h"

#include <spindle/spindle.h>

#include <stdlib.h>
#include <string.h>

#define SECTOR 512u
#define SECTORS 64u
#define FIRST 3u /* first sector of the file */
#define BYTES 20000u
#define COMMANDS_MAX 64u

static uint8_t surface[SECTORS * SECTOR];
static spn_platform_dma disc;
static spn_platform table;
static uint64_t clock_us;

/* The command at the controller. */
static struct {
    uint64_t sector;
    void *data;
    uint32_t bytes;
    bool is_there;
} command;
static uint32_t commands;
static uint32_t wakes;
static uint32_t refused_from; /* commands fail from this one on; 0: none */

static spn_status start(void *user, uint64_t sector, void *data, uint32_t bytes)
{
    CHECK(user == surface);
    CHECK(!command.is_there);
    CHECK(bytes > 0 && bytes % SECTOR == 0);
    commands++;
    if (refused_from > 0 && commands >= refused_from)
        return SPN_ERR_IO;
    command.sector = sector;
    command.data = data;
    command.bytes = bytes;
    command.is_there = true;
    return SPN_OK;
}

static uint64_t now(void *user)
{
    (void)user;
    return clock_us;
}

static void wake(void *user)
{
    CHECK(user == surface);
    wakes++;
}

static void transfer(void)
{
    CHECK(command.sector * SECTOR + command.bytes <= sizeof surface);
    memcpy(command.data, surface + command.sector * SECTOR, command.bytes);
    command.is_there = false;
}

static void end_command(spn_status status)
{
    CHECK(command.is_there);
    if (status == SPN_OK)
        transfer();
    command.is_there = false;
    spn_platform_dma_interrupt(&disc, status);
}

static void insert_disc(void)
{
    for (size_t i = 0; i < sizeof surface; i++)
        surface[i] = (uint8_t)(i * 7 + i / 256);
    memset(&disc, 0, sizeof disc);
    command.is_there = false;
    commands = 0;
    wakes = 0;
    refused_from = 0;
    disc.files[0] = (spn_dma_file){"a", FIRST, BYTES};
    disc.files[1] = (spn_dma_file){"ab", 50, 1};
    disc.file_count = 2;
    disc.device = (spn_dma_device){.user = surface,
                                   .sector_bytes = SECTOR,
                                   .start = start,
                                   .now_us = now,
                                   .wake = wake};
    spn_platform_dma_init(&disc, &table);
}

static void check_pending(void)
{
    spn_platform_completion end;
    uint64_t due_us = 0;

    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
}

static void check_end(uint32_t tag, spn_status status, uint64_t bytes)
{
    spn_platform_completion end;
    uint64_t due_us;

    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    CHECK_EQ(end.tag, tag);
    CHECK_EQ(end.status, status);
    CHECK_EQ_U(end.bytes, bytes);
    check_pending();
}

static uint8_t memory[SECTORS * SECTOR];

static void submit(uint64_t offset, uint32_t first_bytes, uint32_t second_bytes)
{
    const spn_extent extents[2] = {{memory + SECTOR, first_bytes},
                                   {memory + 40 * SECTOR, second_bytes}};

    memset(memory, 0xee, sizeof memory);
    CHECK_EQ(table.read_submit(table.user, 0, offset, extents,
                               second_bytes > 0 ? 2 : 1, 5),
             SPN_OK);
}

static void dma_files_have_their_sectors(void)
{
    spn_platform_file_info info = {0};

    insert_disc();
    CHECK_EQ(table.file_open(table.user, "a", &info), SPN_OK);
    CHECK_EQ_U(info.bytes, BYTES);
    CHECK_EQ_U(info.disc_offset, FIRST * SECTOR);
    CHECK_EQ(info.align_bytes, SECTOR);
    CHECK_EQ(table.file_open(table.user, "ab", &info), SPN_OK);
    CHECK_EQ_U(info.file, 1);
    CHECK_EQ(table.file_open(table.user, "abc", &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, "", &info), SPN_ERR_NOT_FOUND);
    table.file_close(table.user, 0);
    clock_us = 77;
    CHECK_EQ_U(table.now_us(table.user), 77);
}

static void dma_read_ends_with_its_last_command(void)
{
    insert_disc();
    disc.device.command_bytes_max = 2 * SECTOR;
    check_pending(); /* before the first interrupt */
    submit(SECTOR, 5 * SECTOR, 3 * SECTOR);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_EQ(commands, i + 1);
        CHECK_EQ(wakes, 0);
        check_pending();
        end_command(SPN_OK);
    }
    CHECK_EQ(commands, 5); /* 2 2 1, 2 1 */
    CHECK_EQ(wakes, 1);
    check_end(5, SPN_OK, 8 * SECTOR);
    CHECK_MEM(memory + SECTOR, surface + (FIRST + 1) * SECTOR, 5 * SECTOR);
    CHECK_MEM(memory + 40 * SECTOR, surface + (FIRST + 6) * SECTOR, 3 * SECTOR);
    CHECK_EQ(memory[SECTOR - 1], 0xee);
    CHECK_EQ(memory[6 * SECTOR], 0xee);
    CHECK_EQ(memory[43 * SECTOR], 0xee);
}

static void dma_reads_end_at_the_end_of_the_file(void)
{
    uint64_t last = BYTES / SECTOR * SECTOR;

    insert_disc();
    submit(last, SECTOR, SECTOR);
    end_command(SPN_OK);
    CHECK_EQ(commands, 1);
    check_end(5, SPN_OK, BYTES - last);
    CHECK_MEM(memory + SECTOR, surface + FIRST * SECTOR + last, BYTES - last);
}

static void dma_failures_are_io_errors(void)
{
    const spn_extent extent = {memory, SECTOR};

    insert_disc();
    submit(0, 2 * SECTOR, SECTOR);
    end_command(SPN_OK);
    end_command(SPN_ERR_IO);
    CHECK_EQ(commands, 2);
    check_end(5, SPN_ERR_IO, 0);
    refused_from = 4;
    submit(0, 2 * SECTOR, SECTOR);
    end_command(SPN_OK);
    check_end(5, SPN_ERR_IO, 0);
    CHECK_EQ(wakes, 2);
    /* No interrupt will come, so there is nothing to wait for. */
    CHECK_EQ(table.read_submit(table.user, 0, 0, &extent, 1, 6), SPN_ERR_IO);
    CHECK_EQ(wakes, 2);
    check_pending();
    refused_from = 0;
    submit(0, SECTOR, 0);
    end_command(SPN_OK);
    check_end(5, SPN_OK, SECTOR);
}

static void dma_cancelled_reads_deliver_the_bytes_so_far(void)
{
    insert_disc();
    disc.device.command_bytes_max = SECTOR;
    submit(0, 8 * SECTOR, 0);
    end_command(SPN_OK);
    table.read_cancel(table.user, 4); /* another tag */
    end_command(SPN_OK);
    table.read_cancel(table.user, 5);
    check_pending(); /* a cancelled read is still in progress */
    end_command(SPN_OK);
    CHECK_EQ(commands, 3);
    check_end(5, SPN_OK, 3 * SECTOR);
    table.read_cancel(table.user, 5); /* has ended */
    submit(0, 2 * SECTOR, 0);
    end_command(SPN_OK);
    end_command(SPN_OK);
    check_end(5, SPN_OK, 2 * SECTOR);
}

static void dma_submit_refuses_invalid_reads(void)
{
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX + 1];

    insert_disc();
    for (uint32_t i = 0; i <= SPN_PLATFORM_EXTENTS_MAX; i++)
        extents[i] = (spn_extent){memory, SECTOR};
#define REFUSED(file, offset, count)                                           \
    CHECK_EQ(table.read_submit(table.user, file, offset, extents, count, 1),   \
             SPN_ERR_ARG)
    REFUSED(2, 0, 1);
    REFUSED(0, 1, 1);
    REFUSED(0, 0, 0);
    REFUSED(0, 0, SPN_PLATFORM_EXTENTS_MAX + 1);
    CHECK_EQ(commands, 0);
    submit(0, SECTOR, 0);
    REFUSED(0, 0, 1);
    end_command(SPN_OK);
    REFUSED(0, 0, 1); /* not polled yet */
    check_end(5, SPN_OK, SECTOR);
    spn_platform_dma_interrupt(&disc, SPN_OK); /* spurious */
    check_pending();
    CHECK_EQ(wakes, 1);
}

/* -- below a runtime -- */

static spn_read_result result;
static bool has_ended;

static void take_result(const spn_read_result *from)
{
    result = *from;
    has_ended = true;
}

static void read_everywhere(spn_runtime *rt,
                            void (*pass)(spn_runtime *rt, spn_read read))
{
    static const struct {
        uint64_t offset;
        uint32_t bytes;
    } ranges[] = {{0, BYTES}, {1, 1},      {511, 2},     {513, 7000},
                  {0, 512},   {4096, 512}, {19999, 1},   {19455, 545},
                  {100, 300}, {512, 511},  {1000, 18000}};
    static uint8_t target[BYTES + 16];

    for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        spn_read_desc desc = {.path = "a",
                              .offset = ranges[i].offset,
                              .bytes = ranges[i].bytes,
                              .buffer = target + i % 5,
                              .buffer_bytes = BYTES,
                              .on_done = take_result};
        spn_read read;

        test_context("range %u", i);
        has_ended = false;
        CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
        while (!has_ended)
            pass(rt, read);
        CHECK_EQ(result.status, SPN_OK);
        CHECK_EQ_U(result.bytes, ranges[i].bytes);
        CHECK_MEM(target + i % 5, surface + FIRST * SECTOR + ranges[i].offset,
                  ranges[i].bytes);
    }
}

/* The interrupt comes between two updates, never inside of one. */
static void pass_alone(spn_runtime *rt, spn_read read)
{
    (void)read;
    clock_us += 1000;
    spn_update(rt);
    if (command.is_there)
        end_command(SPN_OK);
}

static spn_runtime *start_runtime(void **block)
{
    spn_config config = {.platform = &table,
                         .heap_bytes = 1 << 20,
                         .read_count = 4,
                         .worker_count = table.thread_start ? 1 : 0,
                         .node_count = 1,
                         .cache_count = 1};
    size_t bytes = spn_memory_needed(&config);
    spn_runtime *rt = NULL;

    *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, *block, bytes, &rt), SPN_OK);
    return rt;
}

static void dma_brings_a_runtime_its_bytes(void)
{
    spn_runtime *rt;
    void *block;

    insert_disc();
    disc.device.command_bytes_max = 4 * SECTOR;
    rt = start_runtime(&block);
    read_everywhere(rt, pass_alone);
    spn_shutdown(rt);
    CHECK(commands > 20);
    free(block);
}

/* -- with threads -- */

static spn_platform host; /* its threads and events */
static uint64_t io_event;
static uint64_t controller_event;
static struct atomic_u32 is_over;

/* Functions that a port adds; they are told which event is the io event. */
static spn_status event_create(void *user, spn_event_use use, uint64_t *event)
{
    spn_status status = host.event_create(host.user, use, event);

    (void)user;
    if (status == SPN_OK && use == SPN_EVENT_FOR_IO)
        io_event = *event;
    return status;
}

static void event_destroy(void *user, uint64_t event)
{
    (void)user;
    host.event_destroy(host.user, event);
}

static void event_signal(void *user, uint64_t event)
{
    (void)user;
    host.event_signal(host.user, event);
}

static void event_wait(void *user, uint64_t event, uint64_t due_us)
{
    (void)user;
    host.event_wait(host.user, event, due_us);
}

static spn_status thread_start(void *user, const spn_thread_desc *desc,
                               uint64_t *thread)
{
    (void)user;
    return host.thread_start(host.user, desc, thread);
}

static void thread_join(void *user, uint64_t thread)
{
    (void)user;
    host.thread_join(host.user, thread);
}

static uint64_t host_now(void *user)
{
    (void)user;
    return host.now_us(host.user);
}

static spn_status start_there(void *user, uint64_t sector, void *data,
                              uint32_t bytes)
{
    spn_status status = start(user, sector, data, bytes);

    host.event_signal(host.user, controller_event);
    return status;
}

static void wake_io(void *user)
{
    (void)user;
    host.event_signal(host.user, io_event);
}

/* The controller: commands arrive with its event, one at a time. */
static void control(void *argument)
{
    (void)argument;
    for (;;) {
        host.event_wait(host.user, controller_event, UINT64_MAX);
        if (atomic_load_acquire(&is_over))
            return;
        end_command(SPN_OK);
    }
}

static void pass_sleeping(spn_runtime *rt, spn_read read)
{
    CHECK_EQ(spn_read_wait(rt, read, UINT64_MAX, NULL), SPN_OK);
    spn_update(rt);
}

static void dma_wakes_the_io_thread(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    uint64_t controller = 0;
    spn_runtime *rt;
    void *block;

    insert_disc();
    disc.device.command_bytes_max = 4 * SECTOR;
    disc.device.start = start_there;
    disc.device.now_us = host_now;
    disc.device.wake = wake_io;
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &host), SPN_OK);
    table.thread_start = thread_start;
    table.thread_join = thread_join;
    table.event_create = event_create;
    table.event_destroy = event_destroy;
    table.event_signal = event_signal;
    table.event_wait = event_wait;
    CHECK_EQ(
        host.event_create(host.user, SPN_EVENT_FOR_WAITER, &controller_event),
        SPN_OK);
    atomic_store_relaxed(&is_over, 0);
    CHECK_EQ(start_thread(&host, "controller", control, NULL, &controller),
             SPN_OK);
    rt = start_runtime(&block);
    read_everywhere(rt, pass_sleeping);
    spn_shutdown(rt);
    atomic_store_release(&is_over, 1);
    host.event_signal(host.user, controller_event);
    host.thread_join(host.user, controller);
    host.event_destroy(host.user, controller_event);
    free(block);
    free(state);
}

TEST_MAIN(TEST(dma_files_have_their_sectors),
          TEST(dma_read_ends_with_its_last_command),
          TEST(dma_reads_end_at_the_end_of_the_file),
          TEST(dma_failures_are_io_errors),
          TEST(dma_cancelled_reads_deliver_the_bytes_so_far),
          TEST(dma_submit_refuses_invalid_reads),
          TEST(dma_brings_a_runtime_its_bytes), TEST(dma_wakes_the_io_thread))
