/* test_word_queue.c
 *
 * Goal: the queue neither loses nor duplicates nor reorders values, in one
 * thread or many.
 * Method: every small capacity filled, emptied and wrapped, also across the
 * wrap of the positions; an unfinished pop; then threads that push and pop at
 * full speed, with the values counted afterwards. Threads only record; checks
 * run after they were joined.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/word_queue.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <string.h>

alignas(64) static uint8_t memory[65536];

static void make(struct word_queue *queue, uint32_t capacity)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};

    spn__word_queue_init(queue, &carve, capacity);
    CHECK(!carve.is_over);
}

/* Set the positions to `start`, as after that many pushes and pops. */
static void make_at(struct word_queue *queue, uint32_t capacity, uint32_t start)
{
    make(queue, capacity);
    atomic_store_relaxed(&queue->head, start);
    atomic_store_relaxed(&queue->tail, start);
    for (uint32_t i = 0; i <= queue->mask; i++)
        atomic_store_relaxed(&queue->cells[(start + i) & queue->mask].sequence,
                             start + i);
}

static void word_queue_rounds_its_capacity_up_to_a_power_of_two(void)
{
    static const uint32_t cases[][2] = {{0, 2}, {1, 2}, {2, 2}, {3, 4},
                                        {4, 4}, {5, 8}, {8, 8}, {100, 128}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct word_queue queue;
        uint32_t count = 0;

        make(&queue, cases[i][0]);
        while (spn__word_queue_push(&queue, count))
            count++;
        CHECK_EQ_U(count, cases[i][1]);
        CHECK_EQ_U(spn__word_queue_count(&queue), cases[i][1]);
    }
}

static void word_queue_keeps_order_at_every_fill_and_across_the_wrap(void)
{
    for (uint32_t capacity = 2; capacity <= 16; capacity *= 2)
        for (uint32_t fill = 1; fill <= capacity; fill++) {
            struct word_queue queue;
            uint32_t pushed = 0;
            uint32_t popped = 0;
            uint32_t value;

            test_context("capacity %u, fill %u", capacity, fill);
            make_at(&queue, capacity, UINT32_MAX - 20);
            for (int round = 0; round < 50; round++) {
                for (uint32_t i = 0; i < fill; i++)
                    CHECK(spn__word_queue_push(&queue, pushed++));
                CHECK_EQ_U(spn__word_queue_count(&queue), fill);
                CHECK(spn__word_queue_check(&queue));
                if (fill == capacity)
                    CHECK(!spn__word_queue_push(&queue, 999));
                for (uint32_t i = 0; i < fill; i++) {
                    CHECK(spn__word_queue_pop(&queue, &value));
                    CHECK_EQ_U(value, popped++);
                }
                value = 123;
                CHECK(!spn__word_queue_pop(&queue, &value));
                CHECK_EQ_U(value, 123);
                CHECK_EQ_U(spn__word_queue_count(&queue), 0);
                CHECK(spn__word_queue_check(&queue));
            }
        }
}

static void word_queue_keeps_a_slot_until_its_pop_is_published(void)
{
    struct word_queue queue;
    uint32_t held;
    uint32_t value;

    make(&queue, 2);
    CHECK(spn__word_queue_push(&queue, 1) && spn__word_queue_push(&queue, 2));
    CHECK(spn__word_queue_claim_pop(&queue, &held));
    CHECK(spn__word_queue_pop(&queue, &value));
    CHECK_EQ_U(value, 2);
    CHECK(!spn__word_queue_push(&queue, 3));
    CHECK_EQ_U(queue.cells[held & queue.mask].value, 1);
    spn__word_queue_publish_pop(&queue, held);
    CHECK(spn__word_queue_push(&queue, 3) && spn__word_queue_push(&queue, 4));
    CHECK(!spn__word_queue_push(&queue, 5));
}

static void word_queue_hides_a_slot_until_its_push_is_published(void)
{
    struct word_queue queue;
    uint32_t held;
    uint32_t value;

    make(&queue, 4);
    CHECK(spn__word_queue_claim_push(&queue, &held));
    CHECK(spn__word_queue_push(&queue, 2));
    CHECK(!spn__word_queue_pop(&queue, &value));
    queue.cells[held & queue.mask].value = 1;
    spn__word_queue_publish_push(&queue, held);
    CHECK(spn__word_queue_pop(&queue, &value));
    CHECK_EQ_U(value, 1);
    CHECK(spn__word_queue_pop(&queue, &value));
    CHECK_EQ_U(value, 2);
}

static void check_finds(const struct word_queue *queue, struct atomic_u32 *word,
                        uint32_t wrong)
{
    uint32_t before = atomic_load_relaxed(word);

    CHECK(spn__word_queue_check(queue));
    atomic_store_relaxed(word, wrong);
    CHECK(!spn__word_queue_check(queue));
    atomic_store_relaxed(word, before);
}

static void check_finds_every_wrong_word(void)
{
    struct word_queue queue;
    uint32_t held;

    make_at(&queue, 8, UINT32_MAX - 2);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(spn__word_queue_push(&queue, i));
    check_finds(&queue, &queue.head, UINT32_MAX - 1);
    check_finds(&queue, &queue.tail, 3);
    check_finds(&queue, &queue.tail, UINT32_MAX - 3);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t is = atomic_load_relaxed(&queue.cells[i].sequence);

        check_finds(&queue, &queue.cells[i].sequence, is + 1);
        check_finds(&queue, &queue.cells[i].sequence, is - 8);
    }
    /* A claim that was never published. */
    CHECK(spn__word_queue_claim_pop(&queue, &held));
    CHECK(!spn__word_queue_check(&queue));
    spn__word_queue_publish_pop(&queue, held);
    CHECK(spn__word_queue_check(&queue));
}

#define PRODUCERS_MAX 4u
#define CONSUMERS_MAX 4u
#define VALUES_MAX 40000u

struct crowd {
    struct word_queue queue;
    uint32_t producer_count;
    uint32_t values_each;
    struct atomic_u32 left; /* values not popped yet */
    /* Written before the push of an index and read after its pop. Plain memory,
     * so that a race detector reports a missing order. */
    uint32_t payload[PRODUCERS_MAX * VALUES_MAX];
    uint32_t seen[CONSUMERS_MAX][PRODUCERS_MAX * VALUES_MAX];
    uint32_t seen_count[CONSUMERS_MAX];
    uint32_t bad_payloads[CONSUMERS_MAX];
};

static struct crowd crowd;

struct member {
    pthread_t thread;
    uint32_t index;
};

static void *produce(void *argument)
{
    const struct member *me = argument;
    uint32_t first = me->index * crowd.values_each;

    for (uint32_t i = first; i < first + crowd.values_each; i++) {
        crowd.payload[i] = i * 3 + 1;
        while (!spn__word_queue_push(&crowd.queue, i))
            sched_yield();
    }
    return NULL;
}

static void *consume(void *argument)
{
    const struct member *me = argument;
    uint32_t *seen = crowd.seen[me->index];
    uint32_t count = 0;

    while (atomic_load_acquire(&crowd.left)) {
        uint32_t value;

        if (!spn__word_queue_pop(&crowd.queue, &value)) {
            sched_yield();
            continue;
        }
        if (crowd.payload[value] != value * 3 + 1)
            crowd.bad_payloads[me->index]++;
        seen[count++] = value;
        atomic_add_acq_rel(&crowd.left, UINT32_MAX);
    }
    crowd.seen_count[me->index] = count;
    return NULL;
}

static void run_crowd(uint32_t producers, uint32_t consumers, uint32_t capacity,
                      uint32_t values_each)
{
    struct member members[PRODUCERS_MAX + CONSUMERS_MAX];
    static uint8_t times[PRODUCERS_MAX * VALUES_MAX];
    uint32_t total = producers * values_each;

    memset(&crowd, 0, sizeof crowd);
    memset(times, 0, sizeof times);
    make_at(&crowd.queue, capacity, UINT32_MAX - 1000);
    crowd.producer_count = producers;
    crowd.values_each = values_each;
    atomic_store_release(&crowd.left, total);
    for (uint32_t i = 0; i < producers + consumers; i++) {
        bool is_producer = i < producers;

        members[i].index = is_producer ? i : i - producers;
        CHECK_EQ(pthread_create(&members[i].thread, NULL,
                                is_producer ? produce : consume, &members[i]),
                 0);
    }
    for (uint32_t i = 0; i < producers + consumers; i++)
        CHECK_EQ(pthread_join(members[i].thread, NULL), 0);

    test_context("%u producers, %u consumers, capacity %u", producers,
                 consumers, capacity);
    CHECK_EQ_U(spn__word_queue_count(&crowd.queue), 0);
    for (uint32_t c = 0; c < consumers; c++) {
        uint32_t next[PRODUCERS_MAX] = {0};

        CHECK_EQ_U(crowd.bad_payloads[c], 0);
        for (uint32_t i = 0; i < crowd.seen_count[c]; i++) {
            uint32_t value = crowd.seen[c][i];
            uint32_t producer = value / values_each;

            CHECK(value < total);
            times[value]++;
            /* One consumer sees the values of one producer in their order. */
            CHECK(value % values_each >= next[producer]);
            next[producer] = value % values_each + 1;
        }
    }
    for (uint32_t i = 0; i < total; i++)
        CHECK_EQ_U(times[i], 1);
}

static void word_queue_has_a_next_when_a_pop_would_find_it(void)
{
    /* Also positions that wrap. */
    static const uint32_t starts[] = {0, UINT32_MAX};

    for (uint32_t i = 0; i < 2; i++) {
        struct word_queue queue;
        uint32_t claimed;
        uint32_t value;

        make_at(&queue, 2, starts[i]);
        CHECK(!spn__word_queue_has_next(&queue));
        CHECK(spn__word_queue_claim_push(&queue, &claimed));
        CHECK(spn__word_queue_push(&queue, 8));
        CHECK(!spn__word_queue_has_next(&queue));
        spn__word_queue_publish_push(&queue, claimed);
        CHECK(spn__word_queue_has_next(&queue));
        CHECK(spn__word_queue_pop(&queue, &value));
        CHECK(spn__word_queue_has_next(&queue));
        CHECK(spn__word_queue_pop(&queue, &value));
        CHECK(!spn__word_queue_has_next(&queue));
    }
}

static void word_queue_keeps_order_between_two_threads(void)
{
    run_crowd(1, 1, 2, VALUES_MAX);
    run_crowd(1, 1, 64, VALUES_MAX);
}

static void word_queue_gives_every_value_once_among_many_threads(void)
{
    run_crowd(4, 4, 2, 10000);
    run_crowd(4, 4, 8, 20000);
    run_crowd(4, 1, 16, 20000);
    run_crowd(1, 4, 16, 20000);
}

TEST_MAIN(TEST(word_queue_rounds_its_capacity_up_to_a_power_of_two),
          TEST(word_queue_keeps_order_at_every_fill_and_across_the_wrap),
          TEST(word_queue_keeps_a_slot_until_its_pop_is_published),
          TEST(word_queue_hides_a_slot_until_its_push_is_published),
          TEST(word_queue_has_a_next_when_a_pop_would_find_it),
          TEST(check_finds_every_wrong_word),
          TEST(word_queue_keeps_order_between_two_threads),
          TEST(word_queue_gives_every_value_once_among_many_threads))
