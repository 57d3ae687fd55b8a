/* ear_clipping.c - the next ear, and what its cut does to its neighbours.
 *
 * A corner is an ear when it turns left and no reflex corner lies in its
 * triangle. Only the two neighbours of an ear that is cut can become one, or
 * cease to be. Short cuts go first: triangles stay round, and small enough
 * that few corners need be looked at.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/ear_clipping.h"

#include "compile/mesh/reflex_tree.h"

/* Smaller polygons are sooner walked around. */
#define WALK_MAX 48u

void ear_clipping_open(struct ear_clipping *ears, uint32_t corners_max,
                       struct arena *arena)
{
    ears->corners.next = ARENA_NEW(arena, uint32_t, corners_max);
    ears->corners.previous = ARENA_NEW(arena, uint32_t, corners_max);
    ears->heap = ARENA_NEW(arena, uint32_t, (size_t)corners_max + 1);
    ears->place_of = ARENA_NEW(arena, uint32_t, corners_max);
    ears->length = ARENA_NEW(arena, double, corners_max);
    ears->is_reflex = ARENA_NEW(arena, bool, corners_max);
    ears->tree =
        corners_max > WALK_MAX ? reflex_tree_new(corners_max, arena) : NULL;
}

static bool is_walked(const struct ear_clipping *ears)
{
    return ears->count <= WALK_MAX;
}

static void classify_reflex(struct ear_clipping *ears, uint32_t b)
{
    uint32_t a = ears->corners.previous[b];
    uint32_t c = ears->corners.next[b];

    ears->is_reflex[b] =
        !(orient2d(ears->plane[a], ears->plane[b], ears->plane[c]) > 0);
    if (!is_walked(ears))
        reflex_tree_set_reflex(ears->tree, b, ears->is_reflex[b]);
}

static bool is_ear(const struct ear_clipping *ears, uint32_t b)
{
    uint32_t a = ears->corners.previous[b];
    uint32_t c = ears->corners.next[b];
    const double *p = ears->plane[a];
    const double *q = ears->plane[b];
    const double *r = ears->plane[c];

    if (!(orient2d(p, q, r) > 0))
        return false;
    if (!is_walked(ears))
        return !reflex_tree_has_reflex(ears->tree, p, q, r);
    for (uint32_t i = ears->corners.next[c]; i != a; i = ears->corners.next[i])
        if (ears->is_reflex[i] &&
            reflex_tree_is_inside(p, q, r, ears->plane[i]))
            return false;
    return true;
}

/* -- the ears, the shortest cut first -- */

static bool is_before(const struct ear_clipping *ears, uint32_t a, uint32_t b)
{
    if (ears->length[a] != ears->length[b])
        return ears->length[a] < ears->length[b];
    return a < b;
}

static void put(struct ear_clipping *ears, uint32_t at, uint32_t corner)
{
    ears->heap[at] = corner;
    ears->place_of[corner] = at;
}

/* Find the place for a corner, from a free one on: first up, then down. */
static void settle(struct ear_clipping *ears, uint32_t at, uint32_t corner)
{
    for (; at > 1 && is_before(ears, corner, ears->heap[at / 2]); at /= 2)
        put(ears, at, ears->heap[at / 2]);
    for (;;) {
        uint32_t below = 2 * at;

        if (below < ears->ear_count &&
            is_before(ears, ears->heap[below + 1], ears->heap[below]))
            below++;
        if (below > ears->ear_count ||
            is_before(ears, corner, ears->heap[below]))
            break;
        put(ears, at, ears->heap[below]);
        at = below;
    }
    put(ears, at, corner);
}

static void remove_ear(struct ear_clipping *ears, uint32_t corner)
{
    uint32_t at = ears->place_of[corner];
    uint32_t last = ears->heap[ears->ear_count--];

    ears->place_of[corner] = 0;
    if (last != corner)
        settle(ears, at, last);
}

static void classify_again(struct ear_clipping *ears, uint32_t corner)
{
    const double *a = ears->plane[ears->corners.previous[corner]];
    const double *c = ears->plane[ears->corners.next[corner]];

    if (ears->place_of[corner] != 0)
        remove_ear(ears, corner);
    if (!is_ear(ears, corner))
        return;
    ears->length[corner] =
        (c[0] - a[0]) * (c[0] - a[0]) + (c[1] - a[1]) * (c[1] - a[1]);
    ears->ear_count++;
    settle(ears, ears->ear_count, corner);
}

/* -- clipping -- */

static void begin(struct ear_clipping *ears, const double (*plane)[2],
                  uint32_t count)
{
    ears->plane = plane;
    ears->count = count;
    ears->ear_count = 0;
    if (!is_walked(ears))
        reflex_tree_begin(ears->tree, plane, count,
                          (uint64_t)count * EAR_CLIPPING_BOXES_PER_CORNER);
    for (uint32_t i = 0; i < count; i++) {
        ears->corners.next[i] = i + 1 == count ? 0 : i + 1;
        ears->corners.previous[i] = i == 0 ? count - 1 : i - 1;
        ears->place_of[i] = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        classify_reflex(ears, i);
    for (uint32_t i = 0; i < count; i++)
        classify_again(ears, i);
}

static void cut(struct ear_clipping *ears, uint32_t corner)
{
    uint32_t a = ears->corners.previous[corner];
    uint32_t c = ears->corners.next[corner];

    if (ears->place_of[corner] != 0)
        remove_ear(ears, corner);
    if (!is_walked(ears))
        reflex_tree_set_reflex(ears->tree, corner, false);
    ears->corners.next[a] = c;
    ears->corners.previous[c] = a;
    classify_reflex(ears, a);
    classify_reflex(ears, c);
    classify_again(ears, a);
    classify_again(ears, c);
}

void ear_clipping_clip(struct ear_clipping *ears, const double (*plane)[2],
                       uint32_t count, uint32_t *triangles)
{
    uint32_t at = 0;

    begin(ears, plane, count);
    for (uint32_t left = count; left >= 3; left--) {
        if (left > 3 && ears->ear_count > 0)
            at = ears->heap[1];
        *triangles++ = ears->corners.previous[at];
        *triangles++ = at;
        *triangles++ = ears->corners.next[at];
        if (left > 3)
            cut(ears, at);
        at = ears->corners.next[at];
    }
}
