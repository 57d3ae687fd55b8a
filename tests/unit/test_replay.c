/* test_replay.c
 *
 * Goal: reads of a trace start in order of time. A dependent read starts its
 * delay after the end of the read that it waits for.
 * Method: a trace made by hand; random traces compared with a plain search.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "pack/replay.h"

#define NONE READ_TRACE_NO_READ
#define READS 500u

static struct arena arena;

static void check_next(struct replay *replay, uint32_t index, uint64_t at_us)
{
    uint64_t start_us;

    CHECK_EQ_U(replay_due_us(replay), at_us);
    CHECK_EQ(replay_take(replay, &start_us), index);
    CHECK_EQ_U(start_us, at_us);
}

static void chained_reads_wait(void)
{
    struct traced_read reads[] = {
        {.at_us = 10, .after = NONE},
        {.at_us = 10, .after = NONE},
        {.at_us = 11, .after = 0, .think_us = 5},
        {.at_us = 12, .after = 0, .think_us = 3},
        {.at_us = 13, .after = 2},
    };
    struct read_trace trace = {.reads = reads, .read_count = 5};
    struct replay replay;

    arena_init(&arena);
    replay_trace(&replay, &trace, false, &arena);
    check_next(&replay, 0, 10);
    check_next(&replay, 1, 10);
    CHECK_EQ_U(replay_due_us(&replay), UINT64_MAX);
    replay_end(&replay, 1, 50);
    CHECK_EQ_U(replay_due_us(&replay), UINT64_MAX);
    replay_end(&replay, 0, 100);
    check_next(&replay, 3, 103);
    check_next(&replay, 2, 105);
    replay_end(&replay, 3, 200);
    CHECK_EQ_U(replay_due_us(&replay), UINT64_MAX);
    replay_end(&replay, 2, 300);
    check_next(&replay, 4, 300);
    /* As an open loop all reads start at their times. */
    replay_trace(&replay, &trace, true, &arena);
    for (uint32_t i = 0; i < 5; i++)
        check_next(&replay, i, reads[i].at_us);
    CHECK_EQ_U(replay_due_us(&replay), UINT64_MAX);
    arena_free(&arena);
}

/* The earliest of the reads that may start; of equal ones the first. */
static uint32_t search(const struct traced_read *reads, const uint64_t *ends,
                       const bool *is_taken, uint64_t *start_us)
{
    uint32_t best = NONE;

    *start_us = UINT64_MAX;
    for (uint32_t i = 0; i < READS; i++) {
        uint64_t us = reads[i].at_us;

        if (reads[i].after != NONE && ends[reads[i].after] == 0)
            continue;
        if (reads[i].after != NONE)
            us = ends[reads[i].after] + reads[i].think_us;
        if (!is_taken[i] && us < *start_us) {
            best = i;
            *start_us = us;
        }
    }
    return best;
}

static void random_traces_start_as_a_search_finds(void)
{
    static struct traced_read reads[READS];
    static uint64_t ends[READS]; /* 0: not ended */
    static bool is_taken[READS];
    struct read_trace trace = {.reads = reads, .read_count = READS};
    struct test_random random = {7};
    struct replay replay;

    arena_init(&arena);
    for (uint32_t i = 0; i < READS; i++) {
        reads[i].at_us = i / 4;
        reads[i].after = NONE;
        if (i > 0 && test_random_below(&random, 5) > 0)
            reads[i].after = test_random_below(&random, i);
        reads[i].think_us = test_random_below(&random, 50);
    }
    replay_trace(&replay, &trace, false, &arena);
    for (uint32_t i = 0; i < READS; i++) {
        uint64_t start_us;
        uint32_t index = search(reads, ends, is_taken, &start_us);

        check_next(&replay, index, start_us);
        is_taken[index] = true;
        ends[index] = start_us + 1 + test_random_below(&random, 20);
        replay_end(&replay, index, ends[index]);
    }
    CHECK_EQ_U(replay_due_us(&replay), UINT64_MAX);
    arena_free(&arena);
}

TEST_MAIN(TEST(chained_reads_wait), TEST(random_traces_start_as_a_search_finds))
