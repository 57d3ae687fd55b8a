/* test_order_tree.c
 *
 * Goal: a tree lists its subjects in order of their keys, from any subject on,
 * in both directions, after any additions and removals. Its depth stays small.
 * Method: random scripts compared with a table that is searched, with the
 * tree's own check after every step; then increasing keys.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/order_tree.h"

#define SUBJECTS 60u
#define MANY 32767u

static struct order_node nodes[MANY];
static struct order_tree tree;
static uint64_t keys[SUBJECTS];
static bool is_in[SUBJECTS];

/* The first subject of the table that is not before (key, subject);
 * ORDER_NONE. */
static uint32_t find_from(uint64_t key, uint32_t subject)
{
    uint32_t found = ORDER_NONE;

    for (uint32_t i = 0; i < SUBJECTS; i++) {
        if (!is_in[i] || keys[i] < key || (keys[i] == key && i < subject))
            continue;
        if (found == ORDER_NONE || keys[i] < keys[found] ||
            (keys[i] == keys[found] && i < found))
            found = i;
    }
    return found;
}

static void check_all(void)
{
    uint32_t at = spn__order_tree_first(&tree);
    uint32_t last = ORDER_NONE;

    CHECK(spn__order_tree_check(&tree));
    CHECK_EQ_U(at, find_from(0, 0));
    while (at != ORDER_NONE) {
        CHECK(is_in[at]);
        CHECK_EQ_U(spn__order_tree_previous(&tree, at), last);
        last = at;
        at = spn__order_tree_next(&tree, at);
        CHECK_EQ_U(at, find_from(keys[last], last + 1));
    }
    CHECK_EQ_U(spn__order_tree_last(&tree), last);
}

static void tree_stays_in_order_under_random_scripts(void)
{
    struct test_random random = {5};

    spn__order_tree_init(&tree, nodes);
    for (uint32_t i = 0; i < SUBJECTS; i++)
        is_in[i] = false;
    for (uint32_t step = 0; step < 3000; step++) {
        uint32_t subject = test_random_below(&random, SUBJECTS);
        uint64_t key = test_random_below(&random, 40);

        test_context("seed 5, step %u", step);
        if (is_in[subject]) {
            spn__order_tree_remove(&tree, subject);
        } else {
            keys[subject] = key == 0 ? UINT64_MAX : key;
            spn__order_tree_add(&tree, subject, keys[subject]);
        }
        is_in[subject] = !is_in[subject];
        check_all();
        CHECK_EQ_U(spn__order_tree_at_least(&tree, key), find_from(key, 0));
    }
}

static void tree_is_empty_at_first(void)
{
    spn__order_tree_init(&tree, nodes);
    CHECK_EQ_U(spn__order_tree_first(&tree), ORDER_NONE);
    CHECK_EQ_U(spn__order_tree_last(&tree), ORDER_NONE);
    CHECK_EQ_U(spn__order_tree_at_least(&tree, 0), ORDER_NONE);
    CHECK(spn__order_tree_check(&tree));
}

/* A complete tree would have fifteen levels; a random tree has about twice as
 * many. */
static void tree_is_never_deep(void)
{
    uint32_t deepest = 0;

    spn__order_tree_init(&tree, nodes);
    for (uint32_t i = 0; i < MANY; i++)
        spn__order_tree_add(&tree, i, i);
    CHECK(spn__order_tree_check(&tree));
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t depth = 0;

        for (uint32_t at = i; at != ORDER_NONE; at = nodes[at].parent)
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    test_context("%u levels", deepest);
    CHECK(deepest < 60);
}

TEST_MAIN(TEST(tree_stays_in_order_under_random_scripts),
          TEST(tree_is_empty_at_first), TEST(tree_is_never_deep))
