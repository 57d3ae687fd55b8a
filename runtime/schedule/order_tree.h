/* order_tree.h - subjects sorted by a key, in an array of nodes that the owner
 * provides.
 *
 * The tree is a treap. It is a binary search tree by (key, subject). It is also
 * a heap by a hash of the subject, so its expected depth is logarithmic
 * whatever the order in which keys arrive. Adding, removing and searching take
 * O(log n) steps on average. A step to the neighbour takes O(1) on average.
 *
 * A subject is a small number that only the owner can interpret, for example
 * the index of a read. It is in a tree at most once. Several trees can share
 * one array of nodes if each subject is in at most one of them.
 *
 * Thread: the owner's. The deadline scheduler uses these trees on the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_ORDER_TREE_H
#define SPN_SCHEDULE_ORDER_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* No subject. */
#define ORDER_NONE UINT32_MAX

/* The two sides of a node, and the two directions of a step. */
enum order_side { ORDER_SMALLER, ORDER_LARGER, ORDER_SIDES };

struct order_node {
    uint64_t key;
    uint32_t parent;                /* subject; ORDER_NONE: this is the root */
    uint32_t children[ORDER_SIDES]; /* subjects; ORDER_NONE: no child */
};

struct order_tree {
    struct order_node *nodes; /* indexed by subject */
    uint32_t root;            /* subject; ORDER_NONE: the tree is empty */
    uint32_t count;           /* subjects in the tree */
};

void spn__order_tree_init(struct order_tree *tree, struct order_node *nodes);
/* Add a subject that is in no tree of the array. */
void spn__order_tree_add(struct order_tree *tree, uint32_t subject,
                         uint64_t key);
/* Remove a subject that is in this tree. */
void spn__order_tree_remove(struct order_tree *tree, uint32_t subject);

/* The first subject whose key is at least `key`; ORDER_NONE if all keys are
 * smaller. */
uint32_t spn__order_tree_at_least(const struct order_tree *tree, uint64_t key);
/* The subject with the smallest or the largest key; ORDER_NONE if the tree is
 * empty. */
uint32_t spn__order_tree_end(const struct order_tree *tree,
                             enum order_side side);
/* The neighbour of a subject in key order; ORDER_NONE past the end. */
uint32_t spn__order_tree_neighbour(const struct order_tree *tree,
                                   uint32_t subject, enum order_side side);

static inline uint32_t spn__order_tree_first(const struct order_tree *tree)
{
    return spn__order_tree_end(tree, ORDER_SMALLER);
}

static inline uint32_t spn__order_tree_last(const struct order_tree *tree)
{
    return spn__order_tree_end(tree, ORDER_LARGER);
}

static inline uint32_t spn__order_tree_next(const struct order_tree *tree,
                                            uint32_t subject)
{
    return spn__order_tree_neighbour(tree, subject, ORDER_LARGER);
}

static inline uint32_t spn__order_tree_previous(const struct order_tree *tree,
                                                uint32_t subject)
{
    return spn__order_tree_neighbour(tree, subject, ORDER_SMALLER);
}

/* Whether all invariants hold. O(n). */
bool spn__order_tree_check(const struct order_tree *tree);

#endif
