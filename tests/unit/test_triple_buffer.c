/* test_triple_buffer.c
 *
 * Goal: the reader gets the newest state, complete, and never an older one than
 * before. Neither side waits for the other.
 * Method: every order of a few writes and reads; a writer and a reader at full
 * speed on a state whose words must agree.
 */
/* SPDX-License-Identifier: MIT */
#include "base/triple_buffer.h"
#include "harness.h"
#include "host/host.h"
#include "support/start_thread.h"

#include <stdlib.h>

#define WORDS 40u
#define SENDS 200000u

_Alignas(64) static uint8_t block[4096];
static struct triple_buffer buffer;

static void open_buffer(void)
{
    struct carve carve = {.base = block, .limit = sizeof block};

    spn__triple_buffer_init(&buffer, &carve, WORDS * sizeof(uint32_t));
    CHECK(!carve.is_over);
}

static void send(uint32_t number)
{
    uint32_t state[WORDS];

    for (uint32_t i = 0; i < WORDS; i++)
        state[i] = number * (i + 1);
    spn__triple_buffer_send(&buffer, state);
}

/* The number of the latest state; UINT32_MAX when its words do not agree. */
static uint32_t look(void)
{
    const uint32_t *state = spn__triple_buffer_latest(&buffer);

    for (uint32_t i = 1; i < WORDS; i++)
        if (state[i] != state[0] * (i + 1))
            return UINT32_MAX;
    return state[0];
}

static void buffer_is_empty_at_first(void)
{
    open_buffer();
    CHECK_EQ(look(), 0);
    CHECK_EQ(look(), 0);
}

/* Twelve steps, each a write or a read, in all orders. */
static void buffer_shows_the_newest_in_every_order(void)
{
    for (uint32_t order = 0; order < 1u << 12; order++) {
        uint32_t sent = 0;

        test_context("order 0x%x", order);
        open_buffer();
        for (uint32_t i = 0; i < 12; i++) {
            if (order >> i & 1)
                send(++sent);
            else
                CHECK_EQ(look(), sent);
        }
        CHECK_EQ(look(), sent);
    }
}

/* A fetched state does not change, however many are written. */
static void buffer_does_not_change_a_fetched_state(void)
{
    const uint32_t *state;

    open_buffer();
    send(1);
    state = spn__triple_buffer_latest(&buffer);
    for (uint32_t i = 2; i < 10; i++) {
        send(i);
        CHECK_EQ(state[0], 1);
        CHECK_EQ(state[WORDS - 1], WORDS);
    }
    CHECK_EQ(look(), 9);
}

static void send_many(void *unused)
{
    (void)unused;
    for (uint32_t i = 1; i <= SENDS; i++)
        send(i);
}

static void check_finds_a_copy_of_two_sides(void)
{
    open_buffer();
    for (uint32_t i = 1; i < 20; i++) {
        send(i);
        CHECK(spn__triple_buffer_check(&buffer));
        if (i % 3 == 0)
            CHECK_EQ(look(), i);
        CHECK(spn__triple_buffer_check(&buffer));
    }
    buffer.draft = buffer.latest;
    CHECK(!spn__triple_buffer_check(&buffer));
    open_buffer();
    buffer.latest = 3;
    CHECK(!spn__triple_buffer_check(&buffer));
    open_buffer();
    atomic_store_relaxed(&buffer.middle, 0);
    CHECK(!spn__triple_buffer_check(&buffer));
    atomic_store_relaxed(&buffer.middle, 9);
    CHECK(!spn__triple_buffer_check(&buffer));
}

static void buffer_works_between_two_threads(void)
{
    void *memory = malloc(host_platform_bytes());
    uint32_t before = 0;
    spn_platform p;
    uint64_t thread;

    open_buffer();
    CHECK_EQ(host_platform_init(memory, host_platform_bytes(), &p), SPN_OK);
    CHECK_EQ(start_thread(&p, "sender", send_many, NULL, &thread), SPN_OK);
    while (before < SENDS) {
        uint32_t now = look();

        CHECK(now != UINT32_MAX);
        CHECK(now >= before);
        before = now;
    }
    p.thread_join(p.user, thread);
    free(memory);
}

TEST_MAIN(TEST(buffer_is_empty_at_first),
          TEST(buffer_shows_the_newest_in_every_order),
          TEST(buffer_does_not_change_a_fetched_state),
          TEST(check_finds_a_copy_of_two_sides),
          TEST(buffer_works_between_two_threads))
