/* reflex_tree.c - corners sorted along both axes, and divided again and again.
 *
 * Sorted once and divided stably, a tree costs n log n whatever the places:
 * many corners at one are no exception, since a box of one place is looked at
 * and never entered.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/reflex_tree.h"

#include <stdlib.h>
#include <string.h>

#define LEAF_MAX 8u
/* A box and its sibling for each halving of 32 bits. */
#define STACK_MAX 64

struct box {
    double low[2];
    double high[2];
    uint32_t reflex_count;
};

struct place {
    double at;
    uint32_t corner;
};

struct reflex_tree {
    const double (*plane)[2];
    uint32_t count;
    uint64_t boxes_left;
    struct box *boxes;  /* the halves of box i are 2 i and 2 i + 1; from 1 */
    uint32_t *items;    /* corners; those of a box lie side by side */
    uint32_t *place_of; /* of each corner in `items` */
    bool *is_reflex;
    /* while it is made */
    struct place *places;
    uint32_t *sorted[2]; /* along each axis, within each box */
    uint32_t *spare;
    bool *is_upper;
};

/* Part of the tree: the corners items[first] .. items[limit - 1]. */
struct part {
    uint32_t box;
    uint32_t first;
    uint32_t limit;
};

static bool is_leaf(const struct part *part)
{
    return part->limit - part->first <= LEAF_MAX;
}

static struct part half_of(const struct part *part, bool is_upper)
{
    uint32_t middle = part->first + (part->limit - part->first) / 2;
    struct part half = {2 * part->box, part->first, middle};

    if (is_upper)
        half = (struct part){2 * part->box + 1, middle, part->limit};
    return half;
}

struct reflex_tree *reflex_tree_new(uint32_t corners_max, struct arena *arena)
{
    struct reflex_tree *tree = ARENA_NEW(arena, struct reflex_tree, 1);
    size_t box_count = 2;

    /* The larger half of n is (n + 1) / 2. */
    for (uint64_t size = corners_max; size > LEAF_MAX; size = (size + 1) / 2)
        box_count *= 2;
    tree->boxes = ARENA_NEW(arena, struct box, box_count);
    tree->items = ARENA_NEW(arena, uint32_t, corners_max);
    tree->place_of = ARENA_NEW(arena, uint32_t, corners_max);
    tree->is_reflex = ARENA_NEW(arena, bool, corners_max);
    tree->places = ARENA_NEW(arena, struct place, corners_max);
    tree->sorted[0] = tree->items;
    tree->sorted[1] = ARENA_NEW(arena, uint32_t, corners_max);
    tree->spare = ARENA_NEW(arena, uint32_t, corners_max);
    tree->is_upper = ARENA_NEW(arena, bool, corners_max);
    return tree;
}

/* -- making it -- */

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a;
    const struct place *q = b;

    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static void sort_along(struct reflex_tree *tree, int axis)
{
    for (uint32_t i = 0; i < tree->count; i++)
        tree->places[i] = (struct place){tree->plane[i][axis], i};
    qsort(tree->places, tree->count, sizeof *tree->places, compare_places);
    for (uint32_t i = 0; i < tree->count; i++)
        tree->sorted[axis][i] = tree->places[i].corner;
}

/* Give the other axis the halves that `axis` has, each in its order. */
static void divide(struct reflex_tree *tree, const struct part *part, int axis)
{
    struct part upper = half_of(part, true);
    uint32_t *other = tree->sorted[!axis];
    uint32_t lower_end = part->first;
    uint32_t spare_count = 0;

    for (uint32_t i = part->first; i < part->limit; i++)
        tree->is_upper[tree->sorted[axis][i]] = i >= upper.first;
    for (uint32_t i = part->first; i < part->limit; i++) {
        if (tree->is_upper[other[i]])
            tree->spare[spare_count++] = other[i];
        else
            other[lower_end++] = other[i];
    }
    memcpy(other + lower_end, tree->spare, spare_count * sizeof *other);
}

/* As deep as the number of corners has bits. */
static void make_part(struct reflex_tree *tree, const struct part *part)
{
    struct box *box = &tree->boxes[part->box];
    struct part half;
    int axis;

    for (int i = 0; i < 2; i++) {
        box->low[i] = tree->plane[tree->sorted[i][part->first]][i];
        box->high[i] = tree->plane[tree->sorted[i][part->limit - 1]][i];
    }
    box->reflex_count = 0;
    if (is_leaf(part))
        return;
    axis = box->high[1] - box->low[1] > box->high[0] - box->low[0];
    divide(tree, part, axis);
    half = half_of(part, false);
    make_part(tree, &half);
    half = half_of(part, true);
    make_part(tree, &half);
}

void reflex_tree_begin(struct reflex_tree *tree, const double (*plane)[2],
                       uint32_t count, uint64_t boxes_max)
{
    struct part whole = {1, 0, count};

    tree->plane = plane;
    tree->count = count;
    tree->boxes_left = boxes_max;
    sort_along(tree, 0);
    sort_along(tree, 1);
    make_part(tree, &whole);
    for (uint32_t i = 0; i < count; i++) {
        tree->place_of[tree->items[i]] = i;
        tree->is_reflex[i] = false;
    }
}

void reflex_tree_set_reflex(struct reflex_tree *tree, uint32_t corner,
                            bool is_reflex)
{
    struct part part = {1, 0, tree->count};

    if (tree->is_reflex[corner] == is_reflex)
        return;
    tree->is_reflex[corner] = is_reflex;
    for (;;) {
        uint32_t *count = &tree->boxes[part.box].reflex_count;

        *count = is_reflex ? *count + 1 : *count - 1;
        if (is_leaf(&part))
            return;
        part = half_of(&part,
                       tree->place_of[corner] >= half_of(&part, true).first);
    }
}

/* -- looking -- */

static bool is_same_place(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* All of the box is to the right of a line: so is its leftmost corner. */
static bool is_beyond(const struct box *box, const double *a, const double *b)
{
    double leftmost[2] = {b[1] - a[1] >= 0 ? box->low[0] : box->high[0],
                          b[0] - a[0] >= 0 ? box->high[1] : box->low[1]};

    return orient2d(a, b, leftmost) < 0;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Apart along an axis: where a triangle is a sliver, rounding may say that
 * what is far beyond its tip is not beside it. */
static bool is_beside(const double *low, const double *high, const double *a,
                      const double *b, const double *c)
{
    for (int i = 0; i < 2; i++)
        if (high[i] < smaller(a[i], smaller(b[i], c[i])) ||
            low[i] > larger(a[i], larger(b[i], c[i])))
            return true;
    return false;
}

bool reflex_tree_is_inside(const double *a, const double *b, const double *c,
                           const double *p)
{
    return orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 &&
           orient2d(c, a, p) >= 0 && !is_beside(p, p, a, b, c) &&
           !is_same_place(p, a) && !is_same_place(p, b) && !is_same_place(p, c);
}

static bool is_apart(const struct box *box, const double *a, const double *b,
                     const double *c)
{
    return is_beside(box->low, box->high, a, b, c) || is_beyond(box, a, b) ||
           is_beyond(box, b, c) || is_beyond(box, c, a);
}

bool reflex_tree_has_reflex(struct reflex_tree *tree, const double *a,
                            const double *b, const double *c)
{
    struct part stack[STACK_MAX];
    uint32_t depth = 0;

    stack[depth++] = (struct part){1, 0, tree->count};
    while (depth > 0) {
        struct part part = stack[--depth];
        const struct box *box = &tree->boxes[part.box];

        if (tree->boxes_left == 0)
            return true;
        tree->boxes_left--;
        if (box->reflex_count == 0 || is_apart(box, a, b, c))
            continue;
        if (is_same_place(box->low, box->high)) {
            if (reflex_tree_is_inside(a, b, c, box->low))
                return true;
        } else if (!is_leaf(&part)) {
            stack[depth++] = half_of(&part, true);
            stack[depth++] = half_of(&part, false);
        } else {
            for (uint32_t i = part.first; i < part.limit; i++)
                if (tree->is_reflex[tree->items[i]] &&
                    reflex_tree_is_inside(a, b, c, tree->plane[tree->items[i]]))
                    return true;
        }
    }
    return false;
}
