/* prefix_code.c - the package-merge algorithm of Larmore and Hirschberg (1990).
 *
 * The algorithm makes bits_max lists of items. An item is a symbol, called a
 * leaf, or a pair of two adjacent items of the list before. Each list is sorted
 * by count; the count of a pair is the sum of its items.
 *
 * With n symbols, the first 2 n - 2 items of the last list are taken. A pair
 * that is taken takes its two items in the list before, and so on. The code
 * length of a symbol is the number of lists in which its leaf is taken. Because
 * lists are sorted, the taken items of a list are always its first ones. So it
 * is enough to store for each item whether it is a leaf.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/prefix_code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A symbol with its count. */
struct leaf {
    uint64_t count;
    uint32_t symbol;
};

/* By count. Of equal counts the higher symbol comes first, and gets the longer
 * code. */
static int compare_leaves(const void *a, const void *b)
{
    const struct leaf *p = a;
    const struct leaf *q = b;

    if (p->count != q->count)
        return p->count < q->count ? -1 : 1;
    return p->symbol > q->symbol ? -1 : p->symbol < q->symbol;
}

/* Make the next list from the leaves and from the pairs of `items`, which is
 * replaced by the new list. is_leaf[i]: item i of the new list is a leaf.
 * Return the number of items. */
static uint32_t merge(const struct leaf *leaves, uint32_t leaf_count,
                      uint64_t *items, uint32_t item_count, bool *is_leaf)
{
    static const uint64_t none = UINT64_MAX;
    uint64_t merged[2 * PREFIX_CODE_SYMBOLS_MAX];
    const uint32_t pair_count = item_count / 2;
    uint32_t leaf = 0;
    uint32_t pair = 0;

    for (uint32_t i = 0; i < leaf_count + pair_count; i++) {
        const uint64_t a = leaf < leaf_count ? leaves[leaf].count : none;
        const uint64_t b =
            pair < pair_count ? items[2 * pair] + items[2 * pair + 1] : none;

        is_leaf[i] = a <= b;
        merged[i] = is_leaf[i] ? a : b;
        leaf += is_leaf[i];
        pair += !is_leaf[i];
    }
    /* cppcheck-suppress uninitvar ; the loop has set them all */
    memcpy(items, merged, (leaf_count + pair_count) * sizeof *items);
    return leaf_count + pair_count;
}

void prefix_code_lengths(const uint64_t *counts, uint32_t symbol_count,
                         uint32_t bits_max, uint8_t *lengths)
{
    struct leaf leaves[PREFIX_CODE_SYMBOLS_MAX];
    uint64_t items[2 * PREFIX_CODE_SYMBOLS_MAX];
    bool is_leaf[PREFIX_CODE_BITS_MAX][2 * PREFIX_CODE_SYMBOLS_MAX];
    uint32_t leaf_count = 0;
    uint32_t item_count = 0;
    uint32_t taken;

    for (uint32_t s = 0; s < symbol_count; s++) {
        lengths[s] = 0;
        if (counts[s] == 0)
            continue;
        leaves[leaf_count].count = counts[s];
        leaves[leaf_count++].symbol = s;
    }
    /* cppcheck-suppress uninitvar ; the loop has set them all */
    qsort(leaves, leaf_count, sizeof *leaves, compare_leaves);
    for (uint32_t level = 0; level < bits_max; level++)
        item_count =
            merge(leaves, leaf_count, items, item_count, is_leaf[level]);
    taken = 2 * leaf_count - 2;
    for (uint32_t level = bits_max; level-- > 0;) {
        uint32_t leaf = 0;

        for (uint32_t i = 0; i < taken; i++)
            /* NOLINTNEXTLINE(clang-analyzer-*): merge() has set them all. */
            if (is_leaf[level][i])
                lengths[leaves[leaf++].symbol]++;
        taken = 2 * (taken - leaf);
    }
}
