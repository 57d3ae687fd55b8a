/* order_tree.c - a treap whose nodes know their parents.
 *
 * Invariants: in order, (key, subject) only grows; no child has a higher rank
 * than its parent; links go both ways. Nothing recurses.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/order_tree.h"

#include "base/assert.h"

/* Which of two subjects stands higher: any fixed order that has nothing to do
 * with the keys. A multiplication by an odd number is one to one, so no two
 * ranks are the same. */
static uint32_t rank_of(uint32_t subject)
{
    uint32_t hash = subject * UINT32_C(0x9e3779b1);

    hash ^= hash >> 15;
    return hash * UINT32_C(0x85ebca6b);
}

static bool is_before(const struct order_tree *tree, uint32_t a, uint32_t b)
{
    uint64_t a_key = tree->nodes[a].key;
    uint64_t b_key = tree->nodes[b].key;

    return a_key != b_key ? a_key < b_key : a < b;
}

void spn__order_tree_init(struct order_tree *tree, struct order_node *nodes)
{
    tree->nodes = nodes;
    tree->root = ORDER_NONE;
    tree->count = 0;
}

/* What pointed to `from`, in its parent or the tree, points to `to`. */
static void replace(struct order_tree *tree, uint32_t from, uint32_t to)
{
    uint32_t parent = tree->nodes[from].parent;

    if (parent == ORDER_NONE)
        tree->root = to;
    else if (tree->nodes[parent].left == from)
        tree->nodes[parent].left = to;
    else
        tree->nodes[parent].right = to;
    if (to != ORDER_NONE)
        tree->nodes[to].parent = parent;
}

/* A child takes its parent's place. */
static void lift(struct order_tree *tree, uint32_t child)
{
    struct order_node *nodes = tree->nodes;
    uint32_t parent = nodes[child].parent;
    uint32_t moved;

    replace(tree, parent, child);
    if (nodes[parent].left == child) {
        moved = nodes[child].right;
        nodes[child].right = parent;
        nodes[parent].left = moved;
    } else {
        moved = nodes[child].left;
        nodes[child].left = parent;
        nodes[parent].right = moved;
    }
    nodes[parent].parent = child;
    if (moved != ORDER_NONE)
        nodes[moved].parent = parent;
}

void spn__order_tree_add(struct order_tree *tree, uint32_t subject,
                         uint64_t key)
{
    struct order_node *nodes = tree->nodes;
    uint32_t at = tree->root;
    uint32_t parent = ORDER_NONE;

    nodes[subject].key = key;
    while (at != ORDER_NONE) {
        parent = at;
        at = is_before(tree, subject, at) ? nodes[at].left : nodes[at].right;
    }
    nodes[subject].parent = parent;
    nodes[subject].left = ORDER_NONE;
    nodes[subject].right = ORDER_NONE;
    if (parent == ORDER_NONE)
        tree->root = subject;
    else if (is_before(tree, subject, parent))
        nodes[parent].left = subject;
    else
        nodes[parent].right = subject;
    while (nodes[subject].parent != ORDER_NONE &&
           rank_of(subject) > rank_of(nodes[subject].parent))
        lift(tree, subject);
    tree->count++;
}

void spn__order_tree_remove(struct order_tree *tree, uint32_t subject)
{
    struct order_node *node = &tree->nodes[subject];

    SPN_ASSERT(tree->count > 0);
    while (node->left != ORDER_NONE && node->right != ORDER_NONE)
        lift(tree, rank_of(node->left) > rank_of(node->right) ? node->left
                                                              : node->right);
    replace(tree, subject, node->left != ORDER_NONE ? node->left : node->right);
    tree->count--;
}

/* -- in order -- */

static uint32_t leftmost(const struct order_tree *tree, uint32_t at)
{
    while (at != ORDER_NONE && tree->nodes[at].left != ORDER_NONE)
        at = tree->nodes[at].left;
    return at;
}

static uint32_t rightmost(const struct order_tree *tree, uint32_t at)
{
    while (at != ORDER_NONE && tree->nodes[at].right != ORDER_NONE)
        at = tree->nodes[at].right;
    return at;
}

uint32_t spn__order_tree_first(const struct order_tree *tree)
{
    return leftmost(tree, tree->root);
}

uint32_t spn__order_tree_last(const struct order_tree *tree)
{
    return rightmost(tree, tree->root);
}

uint32_t spn__order_tree_at_least(const struct order_tree *tree, uint64_t key)
{
    uint32_t found = ORDER_NONE;
    uint32_t at = tree->root;

    while (at != ORDER_NONE) {
        if (tree->nodes[at].key >= key) {
            found = at;
            at = tree->nodes[at].left;
        } else {
            at = tree->nodes[at].right;
        }
    }
    return found;
}

uint32_t spn__order_tree_next(const struct order_tree *tree, uint32_t subject)
{
    const struct order_node *nodes = tree->nodes;
    uint32_t parent = nodes[subject].parent;

    if (nodes[subject].right != ORDER_NONE)
        return leftmost(tree, nodes[subject].right);
    while (parent != ORDER_NONE && nodes[parent].right == subject) {
        subject = parent;
        parent = nodes[parent].parent;
    }
    return parent;
}

uint32_t spn__order_tree_previous(const struct order_tree *tree,
                                  uint32_t subject)
{
    const struct order_node *nodes = tree->nodes;
    uint32_t parent = nodes[subject].parent;

    if (nodes[subject].left != ORDER_NONE)
        return rightmost(tree, nodes[subject].left);
    while (parent != ORDER_NONE && nodes[parent].left == subject) {
        subject = parent;
        parent = nodes[parent].parent;
    }
    return parent;
}

static bool is_sound(const struct order_tree *tree, uint32_t subject)
{
    const struct order_node *node = &tree->nodes[subject];

    if (node->parent == ORDER_NONE && tree->root != subject)
        return false;
    if (node->left != ORDER_NONE &&
        (tree->nodes[node->left].parent != subject ||
         rank_of(node->left) > rank_of(subject)))
        return false;
    return node->right == ORDER_NONE ||
           (tree->nodes[node->right].parent == subject &&
            rank_of(node->right) < rank_of(subject));
}

bool spn__order_tree_check(const struct order_tree *tree)
{
    uint32_t last = ORDER_NONE;
    uint32_t count = 0;

    for (uint32_t at = spn__order_tree_first(tree); at != ORDER_NONE;
         at = spn__order_tree_next(tree, at)) {
        if (!is_sound(tree, at) || count++ == tree->count ||
            (last != ORDER_NONE && !is_before(tree, last, at)))
            return false;
        last = at;
    }
    return count == tree->count && last == spn__order_tree_last(tree);
}
