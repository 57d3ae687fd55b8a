/* test_snapshot.c
 *
 * Goal: one thread reads what another writes either complete or not at all.
 * Method: a struct whose words all derive from the first. One thread writes
 * increasing numbers, the other reads until it has seen the last one.
 */
/* SPDX-License-Identifier: MIT */
#include "base/snapshot.h"
#include "harness.h"

#include <pthread.h>
#include <string.h>

#define WORDS 9u
#define WRITES 200000u

static struct atomic_u32 words[WORDS];
static struct snapshot snapshot;

static void start(void)
{
    memset(words, 0, sizeof words);
    memset(&snapshot, 0, sizeof snapshot);
    snapshot.words = words;
    snapshot.count = WORDS;
}

static void fill(uint32_t *values, uint32_t first)
{
    for (uint32_t i = 0; i < WORDS; i++)
        values[i] = first * (2 * i + 1);
}

static void snapshot_is_what_was_written_last(void)
{
    uint32_t from[WORDS];
    uint32_t to[WORDS];

    start();
    spn__snapshot_read(&snapshot, to);
    fill(from, 0);
    CHECK_MEM(to, from, sizeof from);
    for (uint32_t i = 1; i < 5; i++) {
        fill(from, i);
        spn__snapshot_write(&snapshot, from);
    }
    spn__snapshot_read(&snapshot, to);
    CHECK_MEM(to, from, sizeof from);
}

static void *write_many(void *argument)
{
    uint32_t values[WORDS];

    (void)argument;
    for (uint32_t i = 1; i <= WRITES; i++) {
        fill(values, i);
        spn__snapshot_write(&snapshot, values);
    }
    return NULL;
}

static void snapshot_never_mixes_two_writes(void)
{
    uint32_t expected[WORDS];
    uint32_t values[WORDS] = {0};
    uint32_t before = 0;
    pthread_t thread;
    bool is_whole = true;

    start();
    CHECK_EQ(pthread_create(&thread, NULL, write_many, NULL), 0);
    while (is_whole && values[0] != WRITES) {
        spn__snapshot_read(&snapshot, values);
        fill(expected, values[0]);
        is_whole =
            values[0] >= before && memcmp(values, expected, sizeof values) == 0;
        before = values[0];
    }
    pthread_join(thread, NULL);
    CHECK(is_whole);
}

TEST_MAIN(TEST(snapshot_is_what_was_written_last),
          TEST(snapshot_never_mixes_two_writes))
