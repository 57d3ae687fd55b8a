/* ear_clipping.c - tests for ears, and the tournament that selects the next.
 *
 * Clipping an ear changes the triangles of its two neighbours only: these two
 * are tested again. A test examines the corners between the first and the last
 * corner of the triangle along one axis, and needs no search structure beyond
 * a sorted array. It is the same for all sizes of polygons.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/ear_clipping.h"

#include <math.h>
#include <stdlib.h>

void ear_clipping_open(struct ear_clipping *ears, uint32_t corners_max,
                       struct arena *arena)
{
    ears->next = ARENA_NEW(arena, uint32_t, corners_max);
    ears->previous = ARENA_NEW(arena, uint32_t, corners_max);
    ears->sorted = ARENA_NEW(arena, struct ear_clipping_place, corners_max);
    ears->rank = ARENA_NEW(arena, uint32_t, corners_max);
    ears->length = ARENA_NEW(arena, double, corners_max);
    ears->winner = ARENA_NEW(arena, uint32_t, 2 * (size_t)corners_max);
    ears->examined_per_corner = EAR_CLIPPING_EXAMINED_PER_CORNER;
}

/* -- corners along the longer side -- */

static int compare_places(const void *a, const void *b)
{
    const struct ear_clipping_place *p = a;
    const struct ear_clipping_place *q = b;

    return p->at < q->at ? -1 : p->at > q->at;
}

static double extent_along(const double (*plane)[2], uint32_t count, int axis)
{
    double low = plane[0][axis];
    double high = low;

    for (uint32_t i = 1; i < count; i++) {
        low = fmin(low, plane[i][axis]);
        high = fmax(high, plane[i][axis]);
    }
    return high - low;
}

/* The order of corners with equal coordinates does not matter: an interval
 * contains all of them or none. */
static void sort_corners(struct ear_clipping *ears)
{
    int axis = extent_along(ears->plane, ears->count, 1) >
               extent_along(ears->plane, ears->count, 0);

    for (uint32_t i = 0; i < ears->count; i++) {
        const double *point = ears->plane[i];

        ears->sorted[i] = (struct ear_clipping_place){
            point[axis], {point[0], point[1]}, i, false};
    }
    qsort(ears->sorted, ears->count, sizeof *ears->sorted, compare_places);
    for (uint32_t i = 0; i < ears->count; i++)
        ears->rank[ears->sorted[i].corner] = i;
}

/* -- tests -- */

static bool is_same_place(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* All three are on the same side of `at`, and none equals it. */
static bool is_beside(double at, double a, double b, double c)
{
    return (at < a && at < b && at < c) || (at > a && at > b && at > c);
}

/* Is p inside the triangle or on an edge, and not at one of its corners? Two
 * corners of a polygon may have the same position: both ends of a bridge to a
 * hole. The bounding box is tested, too: for a thin triangle, rounding hides
 * that p is beyond its tip. */
static bool is_inside(const double *a, const double *b, const double *c,
                      const double *p)
{
    return !is_beside(p[0], a[0], b[0], c[0]) &&
           !is_beside(p[1], a[1], b[1], c[1]) && orient2d(a, b, p) >= 0 &&
           orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0 &&
           !is_same_place(p, a) && !is_same_place(p, b) && !is_same_place(p, c);
}

static void classify_reflex(struct ear_clipping *ears, uint32_t b)
{
    ears->sorted[ears->rank[b]].is_reflex =
        !(orient2d(ears->plane[ears->previous[b]], ears->plane[b],
                   ears->plane[ears->next[b]]) > 0);
}

/* The corners of a triangle and all corners between them, with those that have
 * the same coordinate as one of them: sorted[*first] .. sorted[*limit - 1]. */
static void find_interval(const struct ear_clipping *ears,
                          const uint32_t corners[3], uint32_t *first,
                          uint32_t *limit)
{
    const struct ear_clipping_place *sorted = ears->sorted;

    *first = ears->count;
    *limit = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t rank = ears->rank[corners[i]];

        *first = rank < *first ? rank : *first;
        *limit = rank >= *limit ? rank + 1 : *limit;
    }
    while (*first > 0 && sorted[*first - 1].at == sorted[*first].at)
        --*first;
    while (*limit < ears->count && sorted[*limit].at == sorted[*limit - 1].at)
        ++*limit;
}

static bool is_ear(struct ear_clipping *ears, uint32_t b)
{
    const uint32_t corners[3] = {ears->previous[b], b, ears->next[b]};
    const double *p = ears->plane[corners[0]];
    const double *q = ears->plane[corners[1]];
    const double *r = ears->plane[corners[2]];
    uint32_t first;
    uint32_t limit;

    if (!(orient2d(p, q, r) > 0) || ears->examined_left == 0)
        return false;
    find_interval(ears, corners, &first, &limit);
    for (uint32_t i = first; i < limit && ears->examined_left > 0; i++) {
        ears->examined_left--;
        if (ears->sorted[i].is_reflex &&
            is_inside(p, q, r, ears->sorted[i].point))
            return false;
    }
    return ears->examined_left > 0;
}

/* -- the tournament -- */

static uint32_t shorter(const struct ear_clipping *ears, uint32_t a, uint32_t b)
{
    if (ears->length[a] != ears->length[b])
        return ears->length[a] < ears->length[b] ? a : b;
    return a < b ? a : b;
}

static void play(struct ear_clipping *ears, uint32_t node)
{
    ears->winner[node] =
        shorter(ears, ears->winner[2 * node], ears->winner[2 * node + 1]);
}

static void set_length(struct ear_clipping *ears, uint32_t corner,
                       double length)
{
    ears->length[corner] = length;
    for (uint32_t node = (ears->count + corner) / 2; node > 0; node /= 2)
        play(ears, node);
}

static double length_of(struct ear_clipping *ears, uint32_t corner)
{
    const double *a = ears->plane[ears->previous[corner]];
    const double *c = ears->plane[ears->next[corner]];

    if (!is_ear(ears, corner))
        return INFINITY;
    return (c[0] - a[0]) * (c[0] - a[0]) + (c[1] - a[1]) * (c[1] - a[1]);
}

/* -- clipping -- */

static void begin(struct ear_clipping *ears, const double (*plane)[2],
                  uint32_t count)
{
    ears->plane = plane;
    ears->count = count;
    ears->examined_left = (uint64_t)count * ears->examined_per_corner;
    sort_corners(ears);
    for (uint32_t i = 0; i < count; i++) {
        ears->next[i] = i + 1 == count ? 0 : i + 1;
        ears->previous[i] = i == 0 ? count - 1 : i - 1;
        ears->winner[count + i] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        classify_reflex(ears, i);
    for (uint32_t i = 0; i < count; i++)
        ears->length[i] = length_of(ears, i);
    for (uint32_t node = count - 1; node > 0; node--)
        play(ears, node);
}

static void clip(struct ear_clipping *ears, uint32_t corner)
{
    uint32_t a = ears->previous[corner];
    uint32_t c = ears->next[corner];

    ears->sorted[ears->rank[corner]].is_reflex = false;
    ears->next[a] = c;
    ears->previous[c] = a;
    classify_reflex(ears, a);
    classify_reflex(ears, c);
    set_length(ears, corner, INFINITY);
    set_length(ears, a, length_of(ears, a));
    set_length(ears, c, length_of(ears, c));
}

void ear_clipping_clip(struct ear_clipping *ears, const double (*plane)[2],
                       uint32_t count, uint32_t *triangles)
{
    uint32_t at = 0;

    begin(ears, plane, count);
    for (uint32_t left = count; left >= 3; left--) {
        if (left > 3 && ears->length[ears->winner[1]] < INFINITY)
            at = ears->winner[1];
        *triangles++ = ears->previous[at];
        *triangles++ = at;
        *triangles++ = ears->next[at];
        if (left > 3)
            clip(ears, at);
        at = ears->next[at];
    }
}
