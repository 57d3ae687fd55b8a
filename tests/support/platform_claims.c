/* platform_claims.c - reads, clock, events and threads as platform.h requires.
 */
/* SPDX-License-Identifier: MIT */
#include "support/platform_claims.h"

#include "harness.h"
#include "support/platform_table.h"
#include "support/start_thread.h"

/* -- reads -- */

void platform_reads_scatter_over_all_extents(void)
{
    static uint8_t memory[SPN_PLATFORM_EXTENTS_MAX][1000];
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    spn_platform_file_info info;
    spn_platform_completion end;
    uint64_t at = 12345;
    uint64_t bytes = 0;

    open_table(0);
    info = open_file(write_file("plain", TABLE_BYTES));
    for (uint32_t i = 0; i < SPN_PLATFORM_EXTENTS_MAX; i++) {
        extents[i].data = memory[i];
        extents[i].bytes = 1 + i * 61;
        bytes += extents[i].bytes;
    }
    end = read_now(info.file, at, extents, SPN_PLATFORM_EXTENTS_MAX);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, bytes);
    for (uint32_t i = 0; i < SPN_PLATFORM_EXTENTS_MAX; i++)
        for (uint32_t k = 0; k < extents[i].bytes; k++)
            CHECK_EQ(memory[i][k], byte_at(at++));
    table.file_close(table.user, info.file);
}

void platform_reads_end_at_the_end_of_the_file(void)
{
    static uint8_t memory[2][64];
    spn_extent extents[2] = {{memory[0], 64}, {memory[1], 64}};
    spn_platform_file_info info;
    spn_platform_completion end;

    open_table(0);
    info = open_file(write_file("plain", TABLE_BYTES));
    for (uint32_t count = 1; count <= 2; count++) {
        end = read_now(info.file, TABLE_BYTES - 10, extents, count);
        CHECK_EQ(end.status, SPN_OK);
        CHECK_EQ_U(end.bytes, 10);
    }
    end = read_now(info.file, TABLE_BYTES, extents, 1);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, 0);
    end = read_now(info.file, 1ull << 40, extents, 1);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, 0);
    table.file_close(table.user, info.file);
}

void platform_read_failures_are_io_errors(void)
{
    static uint8_t memory[2][64];
    spn_extent extents[2] = {{memory[0], 64}, {memory[1], 64}};

    open_table(0);
    for (uint32_t count = 1; count <= 2; count++) {
        spn_platform_completion end =
            read_now(1000000, 0, extents, count); /* no such file is open */

        CHECK_EQ(end.status, SPN_ERR_IO);
        CHECK_EQ_U(end.bytes, 0);
    }
}

void platform_submit_refuses_what_it_cannot_do(void)
{
    static uint8_t memory[64];
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX + 1];
    spn_platform_completion end;
    uint64_t due_us = 0;

    open_table(0);
    for (size_t i = 0; i <= SPN_PLATFORM_EXTENTS_MAX; i++)
        extents[i] = (spn_extent){memory, 1};
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents, 0, 1), SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents,
                               SPN_PLATFORM_EXTENTS_MAX + 1, 1),
             SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 1ull << 63, extents, 1, 1),
             SPN_ERR_ARG);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
}

/* -- clock, events, threads -- */

void platform_clock_never_runs_back(void)
{
    uint64_t last;

    open_table(0);
    last = table.now_us(table.user);
    for (int i = 0; i < 10000; i++) {
        uint64_t now = table.now_us(table.user);

        CHECK(now >= last);
        last = now;
    }
}

void platform_event_keeps_one_signal(void)
{
    uint64_t event = 0;

    open_table(0);
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &event),
             SPN_OK);
    CHECK(event != 0);
    table.event_signal(table.user, event);
    table.event_signal(table.user, event);
    /* Must return, because the event is signalled. */
    table.event_wait(table.user, event, UINT64_MAX);
    /* Two signals before a wait count as one: this wait ends by its timeout. */
    table.event_wait(table.user, event, table.now_us(table.user) + 2000);
    table.event_wait(table.user, event, 0);
    table.event_destroy(table.user, event);
}

void platform_event_wait_lasts_until_it_is_due(void)
{
    uint64_t event = 0;
    uint64_t due_us;

    open_table(0);
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &event),
             SPN_OK);
    due_us = table.now_us(table.user) + 3000;
    /* Spurious returns are legal, so only the time after the loop is
     * checked. */
    while (table.now_us(table.user) < due_us)
        table.event_wait(table.user, event, due_us);
    /* A time beyond the range of time_t on some systems; the event is
     * signalled. */
    table.event_signal(table.user, event);
    table.event_wait(table.user, event, UINT64_MAX - 1);
    table.event_destroy(table.user, event);
}

#define ROUNDS 1000u

struct ping_pong {
    uint64_t ping;
    uint64_t pong;
    uint32_t count; /* not atomic: only the events order the accesses */
};

static void answer(void *argument)
{
    struct ping_pong *game = argument;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        table.event_wait(table.user, game->ping, UINT64_MAX);
        game->count++;
        table.event_signal(table.user, game->pong);
    }
}

/* Only the events order the accesses of both threads, so the thread sanitizer
 * reports a missing barrier. The untimed waits of these tables have no spurious
 * returns. */
void platform_threads_hand_work_over_by_events(void)
{
    struct ping_pong game = {0};
    uint64_t thread = 0;

    open_table(0);
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &game.ping),
             SPN_OK);
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &game.pong),
             SPN_OK);
    CHECK_EQ(start_thread(&table, "a name longer than 15 bytes", answer, &game,
                          &thread),
             SPN_OK);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK_EQ(game.count, i);
        table.event_signal(table.user, game.ping);
        table.event_wait(table.user, game.pong, UINT64_MAX);
    }
    table.thread_join(table.user, thread);
    CHECK_EQ(game.count, ROUNDS);
    table.event_destroy(table.user, game.ping);
    table.event_destroy(table.user, game.pong);
}

static void count_up(void *argument)
{
    ++*(uint32_t *)argument;
}

void platform_threads_are_reused_after_a_join(void)
{
    uint32_t count = 0;

    open_table(0);
    for (uint32_t i = 0; i < 200; i++) {
        uint64_t thread = 0;

        CHECK_EQ(start_thread(&table, "short", count_up, &count, &thread),
                 SPN_OK);
        table.thread_join(table.user, thread);
        CHECK_EQ(count, i + 1);
    }
}

struct identity {
    uint64_t inside;
    uint64_t hold; /* an event that the thread waits for before it ends */
    uint64_t there;
};

static void identify(void *argument)
{
    struct identity *self = argument;

    self->inside = table.thread_current(table.user);
    table.event_signal(table.user, self->there);
    table.event_wait(table.user, self->hold, UINT64_MAX);
}

void platform_threads_that_run_are_told_apart(void)
{
    struct identity two[2] = {{0}};
    uint64_t threads[2];
    uint64_t mine;

    open_table(0);
    mine = table.thread_current(table.user);
    CHECK(mine != 0);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(
            table.event_create(table.user, SPN_EVENT_FOR_WAITER, &two[i].hold),
            SPN_OK);
        CHECK_EQ(
            table.event_create(table.user, SPN_EVENT_FOR_WAITER, &two[i].there),
            SPN_OK);
        CHECK_EQ(start_thread(&table, "who", identify, &two[i], &threads[i]),
                 SPN_OK);
        table.event_wait(table.user, two[i].there, UINT64_MAX);
        CHECK(two[i].inside != 0 && two[i].inside != mine);
    }
    CHECK(two[0].inside != two[1].inside);
    CHECK_EQ_U(table.thread_current(table.user), mine);
    for (uint32_t i = 0; i < 2; i++) {
        table.event_signal(table.user, two[i].hold);
        table.thread_join(table.user, threads[i]);
        table.event_destroy(table.user, two[i].hold);
        table.event_destroy(table.user, two[i].there);
    }
}

static void look_at_priority(void *argument)
{
    *(int *)argument = priority_now();
}

static int priority_of(spn_thread_priority priority)
{
    int seen = 0;
    const spn_thread_desc desc = {.name = "urgent",
                                  .run = look_at_priority,
                                  .argument = &seen,
                                  .role = SPN_THREAD_WORKER,
                                  .priority = priority};
    uint64_t thread = 0;

    CHECK_EQ(table.thread_start(table.user, &desc, &thread), SPN_OK);
    table.thread_join(table.user, thread);
    return seen;
}

/* A higher priority may need a privilege; a lower one does not. */
void platform_threads_have_their_priorities(void)
{
    int own = priority_now();

    open_table(0);
    CHECK_EQ(priority_of(SPN_THREAD_NORMAL), own);
    CHECK(priority_of(SPN_THREAD_LOW) < own);
    CHECK(priority_of(SPN_THREAD_HIGH) >= own);
    CHECK_EQ(priority_now(), own);
}
