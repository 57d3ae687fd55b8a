/* order_tree.c - a treap whose nodes store their parents.
 *
 * Invariants: in order, (key, subject) increases; no child has a higher
 * priority than its parent; parent and child links agree. No function recurses.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/order_tree.h"

#include "base/assert.h"

/* The treap's heap order: of two subjects the one with the higher priority is
 * nearer to the root. Multiplying by an odd number is a bijection, and so is
 * the shift, so no two subjects have the same priority. */
static uint32_t priority_of(uint32_t subject)
{
    uint32_t hash = subject * UINT32_C(0x9e3779b1);

    hash ^= hash >> 15;
    return hash * UINT32_C(0x85ebca6b);
}

/* The side of `at` to which a subject belongs. */
static enum order_side side_of(const struct order_tree *tree, uint32_t subject,
                               uint32_t at)
{
    uint64_t key = tree->nodes[subject].key;
    uint64_t other = tree->nodes[at].key;

    return key < other || (key == other && subject < at) ? ORDER_SMALLER
                                                         : ORDER_LARGER;
}

/* The side on which a child hangs from its parent. */
static enum order_side child_side(const struct order_tree *tree,
                                  uint32_t parent, uint32_t child)
{
    return tree->nodes[parent].children[ORDER_SMALLER] == child ? ORDER_SMALLER
                                                                : ORDER_LARGER;
}

static enum order_side opposite(enum order_side side)
{
    return side == ORDER_SMALLER ? ORDER_LARGER : ORDER_SMALLER;
}

void spn__order_tree_init(struct order_tree *tree, struct order_node *nodes)
{
    tree->nodes = nodes;
    tree->root = ORDER_NONE;
    tree->count = 0;
}

/* Make the link to `from`, in its parent or the root, point to `to`. */
static void replace(struct order_tree *tree, uint32_t from, uint32_t to)
{
    uint32_t parent = tree->nodes[from].parent;

    if (parent == ORDER_NONE)
        tree->root = to;
    else
        tree->nodes[parent].children[child_side(tree, parent, from)] = to;
    if (to != ORDER_NONE)
        tree->nodes[to].parent = parent;
}

/* Rotate: a child and its parent exchange places. */
static void rotate_up(struct order_tree *tree, uint32_t child)
{
    struct order_node *nodes = tree->nodes;
    uint32_t parent = nodes[child].parent;
    enum order_side side = child_side(tree, parent, child);
    uint32_t moved = nodes[child].children[opposite(side)];

    replace(tree, parent, child);
    nodes[child].children[opposite(side)] = parent;
    nodes[parent].children[side] = moved;
    nodes[parent].parent = child;
    if (moved != ORDER_NONE)
        nodes[moved].parent = parent;
}

void spn__order_tree_add(struct order_tree *tree, uint32_t subject,
                         uint64_t key)
{
    struct order_node *node = &tree->nodes[subject];
    uint32_t *link = &tree->root;

    *node = (struct order_node){key, ORDER_NONE, {ORDER_NONE, ORDER_NONE}};
    while (*link != ORDER_NONE) {
        node->parent = *link;
        link = &tree->nodes[*link].children[side_of(tree, subject, *link)];
    }
    *link = subject;
    while (node->parent != ORDER_NONE &&
           priority_of(subject) > priority_of(node->parent))
        rotate_up(tree, subject);
    tree->count++;
}

void spn__order_tree_remove(struct order_tree *tree, uint32_t subject)
{
    const uint32_t *children = tree->nodes[subject].children;

    SPN_ASSERT(tree->count > 0);
    while (children[0] != ORDER_NONE && children[1] != ORDER_NONE)
        rotate_up(
            tree,
            children[priority_of(children[1]) > priority_of(children[0])]);
    replace(tree, subject, children[children[0] == ORDER_NONE]);
    tree->count--;
}

/* -- in order -- */

/* The last node on one side of the subtree at `at`. */
static uint32_t outermost(const struct order_tree *tree, uint32_t at,
                          enum order_side side)
{
    while (at != ORDER_NONE && tree->nodes[at].children[side] != ORDER_NONE)
        at = tree->nodes[at].children[side];
    return at;
}

uint32_t spn__order_tree_end(const struct order_tree *tree,
                             enum order_side side)
{
    return outermost(tree, tree->root, side);
}

uint32_t spn__order_tree_at_least(const struct order_tree *tree, uint64_t key)
{
    uint32_t found = ORDER_NONE;
    uint32_t at = tree->root;

    while (at != ORDER_NONE) {
        bool is_found = tree->nodes[at].key >= key;

        if (is_found)
            found = at;
        at = tree->nodes[at].children[is_found ? ORDER_SMALLER : ORDER_LARGER];
    }
    return found;
}

uint32_t spn__order_tree_neighbour(const struct order_tree *tree,
                                   uint32_t subject, enum order_side side)
{
    const struct order_node *nodes = tree->nodes;
    uint32_t parent = nodes[subject].parent;

    if (nodes[subject].children[side] != ORDER_NONE)
        return outermost(tree, nodes[subject].children[side], opposite(side));
    while (parent != ORDER_NONE && nodes[parent].children[side] == subject) {
        subject = parent;
        parent = nodes[parent].parent;
    }
    return parent;
}

static bool is_node_valid(const struct order_tree *tree, uint32_t subject)
{
    const struct order_node *node = &tree->nodes[subject];

    for (uint32_t side = 0; side < ORDER_SIDES; side++) {
        uint32_t child = node->children[side];

        if (child != ORDER_NONE && (tree->nodes[child].parent != subject ||
                                    priority_of(child) > priority_of(subject)))
            return false;
    }
    return node->parent != ORDER_NONE || tree->root == subject;
}

bool spn__order_tree_check(const struct order_tree *tree)
{
    uint32_t last = ORDER_NONE;
    uint32_t count = 0;

    for (uint32_t at = spn__order_tree_first(tree); at != ORDER_NONE;
         at = spn__order_tree_next(tree, at)) {
        if (!is_node_valid(tree, at) || count++ == tree->count ||
            (last != ORDER_NONE && side_of(tree, last, at) != ORDER_SMALLER))
            return false;
        last = at;
    }
    return count == tree->count && last == spn__order_tree_last(tree);
}
