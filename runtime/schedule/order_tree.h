/* order_tree.h - subjects in order of a number, in a fixed array of nodes.
 *
 * A treap: a binary search tree by (key, subject) that is a heap by a hash of
 * the subject, so that it is as deep as a random tree whatever the order in
 * which keys come. Adding and removing take O(log n) steps on average, and so
 * does finding a key; going on from one to the next takes O(1) on average.
 * Subjects are small numbers of the owner's and stand in a tree at most once.
 * Several trees may share an array, as long as a subject stands in one of them
 * only. Owner: one thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_ORDER_TREE_H
#define SPN_SCHEDULE_ORDER_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define ORDER_NONE UINT32_MAX

struct order_node {
    uint64_t key;
    uint32_t parent; /* ORDER_NONE: the root */
    uint32_t left;   /* smaller keys; ORDER_NONE: none */
    uint32_t right;
};

struct order_tree {
    struct order_node *nodes; /* by subject */
    uint32_t root;            /* ORDER_NONE: empty */
    uint32_t count;
};

void spn__order_tree_init(struct order_tree *tree, struct order_node *nodes);
/* The subject is in no tree of the array. */
void spn__order_tree_add(struct order_tree *tree, uint32_t subject,
                         uint64_t key);
/* The subject is in this tree. */
void spn__order_tree_remove(struct order_tree *tree, uint32_t subject);

/* ORDER_NONE where there is none. */
uint32_t spn__order_tree_first(const struct order_tree *tree);
uint32_t spn__order_tree_last(const struct order_tree *tree);
/* The first whose key is not smaller. */
uint32_t spn__order_tree_at_least(const struct order_tree *tree, uint64_t key);
uint32_t spn__order_tree_next(const struct order_tree *tree, uint32_t subject);
uint32_t spn__order_tree_previous(const struct order_tree *tree,
                                  uint32_t subject);

/* Do all invariants hold? O(n). */
bool spn__order_tree_check(const struct order_tree *tree);

#endif
