/* test_queue.c
 *
 * Goal: entries leave by key, and equal keys in order of arrival, after any
 *   pushes, removals and changes of keys. A push that breaks the contract ends
 *   the program.
 * Method: random scripts compared with an unsorted list that is searched; the
 *   queue's own check after every step. Processes that push too much.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "harness.h"
#include "schedule/queue.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAPACITY 40u
#define STEPS 200000u

_Alignas(64) static uint8_t block[1 << 14];

static uint32_t spots[STEPS];

static struct queue new_queue(uint32_t capacity)
{
    struct carve carve = {.base = block, .limit = sizeof block};
    struct queue queue;

    spn__queue_init(&queue, &carve, capacity, spots);
    CHECK(!carve.is_over);
    return queue;
}

static void queue_is_empty_at_first(void)
{
    struct queue queue = new_queue(CAPACITY);
    uint32_t subject = 77;

    CHECK(!spn__queue_pop(&queue, &subject));
    CHECK(!spn__queue_first(&queue, &subject));
    CHECK_EQ(subject, 77);
    CHECK(spn__queue_check(&queue));
}

static void queue_keeps_the_order_of_equal_keys(void)
{
    struct queue queue = new_queue(CAPACITY);
    uint32_t subject = 0;

    for (uint32_t i = 0; i < CAPACITY; i++)
        spn__queue_push(&queue, i % 2, i, i);
    for (uint32_t i = 0; i < CAPACITY; i++) {
        CHECK(spn__queue_first(&queue, &subject));
        CHECK_EQ(subject, i < CAPACITY / 2 ? 2 * i : 2 * i - CAPACITY + 1);
        CHECK(spn__queue_pop(&queue, &subject));
    }
}

/* An entry pushed later with an earlier arrival number comes first again. */
static void queue_orders_by_the_given_arrivals(void)
{
    static const uint64_t arrivals[] = {5, 1, 9, 3, 0};
    static const uint32_t expected[] = {4, 1, 3, 0, 2};
    struct queue queue = new_queue(CAPACITY);
    uint32_t subject = 0;

    for (uint32_t i = 0; i < 5; i++)
        spn__queue_push(&queue, 7, arrivals[i], i);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(spn__queue_pop(&queue, &subject));
        CHECK_EQ(subject, expected[i]);
    }
}

struct model {
    uint64_t key[CAPACITY];
    uint64_t arrival[CAPACITY];
    uint32_t subject[CAPACITY];
    uint32_t count;
};

static uint32_t first_of(const struct model *model)
{
    uint32_t first = 0;

    for (uint32_t i = 1; i < model->count; i++)
        if (model->key[i] < model->key[first] ||
            (model->key[i] == model->key[first] &&
             model->arrival[i] < model->arrival[first]))
            first = i;
    return first;
}

static void forget(struct model *model, uint32_t i)
{
    uint32_t last = --model->count;

    model->key[i] = model->key[last];
    model->arrival[i] = model->arrival[last];
    model->subject[i] = model->subject[last];
}

static bool is_third(void *context, uint32_t subject)
{
    (*(uint32_t *)context)++;
    return subject % 3 == 0;
}

static uint64_t new_key(void *context, uint32_t subject)
{
    (void)context;
    return subject * 2654435761u % 16;
}

static void change_all(struct queue *queue, struct model *model, bool is_take)
{
    uint32_t calls = 0;

    if (!is_take) {
        spn__queue_rekey(queue, new_key, NULL);
        for (uint32_t i = 0; i < model->count; i++)
            model->key[i] = new_key(NULL, model->subject[i]);
        return;
    }
    spn__queue_take_if(queue, is_third, &calls);
    CHECK_EQ(calls, model->count);
    for (uint32_t i = model->count; i > 0; i--)
        if (model->subject[i - 1] % 3 == 0)
            forget(model, i - 1);
}

/* An entry that leaves one queue may be added to the other meanwhile. */
static bool moves(void *context, uint32_t subject)
{
    if (subject % 2)
        return false;
    spn__queue_push(context, 100 - subject, subject, subject);
    return true;
}

static void queues_share_the_spots_of_their_subjects(void)
{
    struct queue one = new_queue(CAPACITY);
    struct queue other = one;
    static struct queue_entry entries[CAPACITY];
    uint32_t subject = 0;

    other.entries = entries;
    for (uint32_t i = 0; i < CAPACITY; i++)
        spn__queue_push(&one, i, i, i);
    spn__queue_take_if(&one, moves, &other);
    CHECK(spn__queue_check(&one));
    CHECK(spn__queue_check(&other));
    spn__queue_remove(&one, 11);
    spn__queue_remove(&other, CAPACITY - 2);
    spn__queue_change(&other, 0, 0);
    /* These entries do not exist; the calls have no effect. */
    spn__queue_change(&one, 0, 0);
    spn__queue_change(&other, 11, 0);
    CHECK(spn__queue_check(&one));
    CHECK(spn__queue_check(&other));
    CHECK(spn__queue_pop(&other, &subject));
    CHECK_EQ(subject, 0);
    CHECK(spn__queue_pop(&other, &subject));
    CHECK_EQ(subject, CAPACITY - 4);
    CHECK_EQ(one.count, CAPACITY / 2 - 1);
    CHECK_EQ(other.count, CAPACITY / 2 - 3);
}

static void queue_agrees_with_a_list_that_is_searched(void)
{
    struct test_random random = {4711};
    struct queue queue = new_queue(CAPACITY);
    static struct model model;

    memset(&model, 0, sizeof model);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t dice = test_random_below(&random, 100);
        uint32_t subject = UINT32_MAX;

        test_context("seed 4711, step %u", step);
        if (dice < 50) {
            uint64_t key = test_random_below(&random, 16);

            if (model.count < CAPACITY) {
                spn__queue_push(&queue, key, step, step);
                model.key[model.count] = key;
                model.arrival[model.count] = step;
                model.subject[model.count++] = step;
            }
        } else if (dice < 60) {
            uint32_t at = test_random_below(&random, CAPACITY);

            if (at >= model.count)
                continue;
            model.key[at] = test_random_below(&random, 16);
            spn__queue_change(&queue, model.subject[at], model.key[at]);
        } else if (dice < 75) {
            uint32_t at = test_random_below(&random, CAPACITY);

            if (at >= model.count)
                continue;
            spn__queue_remove(&queue, model.subject[at]);
            forget(&model, at);
        } else if (dice < 97) {
            uint32_t first = first_of(&model);

            CHECK_EQ(spn__queue_pop(&queue, &subject), model.count > 0);
            if (model.count > 0) {
                CHECK_EQ(subject, model.subject[first]);
                forget(&model, first);
            }
        } else {
            change_all(&queue, &model, dice == 97);
        }
        CHECK_EQ(queue.count, model.count);
        CHECK(spn__queue_check(&queue));
    }
}

/* True if a process that pushes these subjects to a queue of three ends by
 * itself; false: a signal has ended it. */
static bool may_push(const uint32_t *subjects, uint32_t count)
{
    const pid_t child = fork();
    int status = 0;

    CHECK(child >= 0);
    if (child == 0) {
        struct queue queue = new_queue(3);

        (void)!freopen("/dev/null", "w", stderr);
        for (uint32_t i = 0; i < count; i++)
            spn__queue_push(&queue, 0, i, subjects[i]);
        _exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) || (WIFEXITED(status) && !WEXITSTATUS(status)));
    return !WIFSIGNALED(status);
}

static void pushes_that_break_the_contract_end_the_program(void)
{
    static const uint32_t subjects[] = {5, 6, 7, 8};
    static const uint32_t twice[] = {5, 6, 5};

    if (!SPN_ASSERTS)
        test_skip("assertions are off");
    CHECK(may_push(subjects, 3));
    CHECK(!may_push(subjects, 4));
    CHECK(!may_push(twice, 3));
}

TEST_MAIN(TEST(queue_is_empty_at_first),
          TEST(queue_keeps_the_order_of_equal_keys),
          TEST(queue_orders_by_the_given_arrivals),
          TEST(queues_share_the_spots_of_their_subjects),
          TEST(queue_agrees_with_a_list_that_is_searched),
          TEST(pushes_that_break_the_contract_end_the_program))
