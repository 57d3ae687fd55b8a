/* fit.c - what it costs to take a triangle for three corners of a face.
 *
 * Costs are squares of distances, in steps of what is tolerated, so that of
 * several fits the likeliest comes first. Steps of the cache may be as coarse
 * as the mesh: then a neighbour's corners can be nearer on the whole and yet
 * too far along one axis in one frame. So what is within the tolerance
 * everywhere is never outbid by what is not.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/fit.h"

#include <math.h>
#include <stdlib.h>

/* Rather a face that is a little further away than one that is turned round,
 * or full there, or whose point is another; and rather any that is sound than
 * one whose corner stands for another vertex already. */
#define REVERSED_COST 30.0
#define TAKEN_COST 1e6
#define OTHER_POINT_COST 3.0
#define OVERLAP_COST 30.0
/* Rows were scaled by a division. */
#define SOUND_STEP (1 + 1e-9)

/* One point, or two that are never apart. */
static bool is_same_point(const struct fit_mesh *fits, uint32_t a, uint32_t b)
{
    const int32_t *points = fits->mesh->corners.topology.indices;
    uint32_t dimension = fits->rows->dimension;
    const double *row_a = fits->rows->corners + (size_t)a * dimension;
    const double *row_b = fits->rows->corners + (size_t)b * dimension;

    if (points[a] == points[b])
        return true;
    for (uint32_t i = 0; i < dimension; i += CHECK_ROW_NUMBERS)
        for (uint32_t c = i; c < i + 3; c++)
            if (!(row_a[c] == row_b[c]))
                return false;
    return true;
}

static bool is_within(const double *a, const double *b, uint32_t dimension)
{
    for (uint32_t i = 0; i < dimension; i += CHECK_ROW_NUMBERS)
        for (uint32_t c = i; c < i + 3; c++)
            if (!(fabs(a[c] - b[c]) <= SOUND_STEP))
                return false;
    return true;
}

static double corner_cost(const struct fit_mesh *fits, uint32_t corner,
                          uint32_t vertex, bool is_bound)
{
    const struct check_mesh *m = fits->mesh;
    uint32_t dimension = fits->rows->dimension;
    const double *a = fits->rows->corners + (size_t)corner * dimension;
    const double *b = fits->rows->vertices + (size_t)vertex * dimension;
    bool is_other = fits->corner_of[vertex] != MATCH_NONE &&
                    !is_same_point(fits, fits->corner_of[vertex], corner);
    double cost;

    if (is_other && is_bound)
        return INFINITY;
    cost = match_cost(a, b, dimension);
    if (!(cost < INFINITY))
        return INFINITY;
    if (is_other)
        cost += OTHER_POINT_COST + FIT_UNSOUND_COST;
    if (m->vertex_of[corner] != MATCH_NONE && m->vertex_of[corner] != vertex)
        cost += TAKEN_COST;
    return is_within(a, b, dimension) ? cost : cost + FIT_UNSOUND_COST;
}

/* -- which corners to look at -- */

/* Faces of no more corners are looked through. */
#define SMALL_FACE 16u

static int compare_corners(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static bool is_of_large_face(const struct fit_mesh *fits, uint32_t corner)
{
    const struct check_mesh *m = fits->mesh;

    return (uint32_t)m->corners.topology.counts[m->corners.face_of[corner]] >
           SMALL_FACE;
}

void fit_prepare(struct fit_mesh *fits, uint32_t vertex_count,
                 struct arena *arena)
{
    const struct match_lists *near = fits->near;
    uint32_t *first = ARENA_NEW(arena, uint32_t, (size_t)vertex_count + 1);
    uint32_t *list;

    for (uint32_t v = 0; v < vertex_count; v++) {
        first[v + 1] = first[v];
        for (uint32_t i = near->first[v]; i < near->first[v + 1]; i++)
            first[v + 1] += is_of_large_face(fits, near->list[i]);
    }
    list = ARENA_NEW(arena, uint32_t, first[vertex_count]);
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t at = first[v];

        for (uint32_t i = near->first[v]; i < near->first[v + 1]; i++)
            if (is_of_large_face(fits, near->list[i]))
                list[at++] = near->list[i];
        if (at > first[v])
            qsort(list + first[v], at - first[v], sizeof *list,
                  compare_corners);
    }
    fits->large.first = first;
    fits->large.list = list;
}

/* Corners of a face that may stand for a vertex, in the face's order behind a
 * first one. */
struct ring {
    const uint32_t *list; /* NULL: all others */
    uint32_t size;        /* of what is gone round */
    uint32_t turn;        /* where to begin in it */
    uint32_t start;       /* of the face */
    uint32_t count;
};

/* The place of the first corner that is not below `corner`. */
static uint32_t find_corner(const uint32_t *list, uint32_t count,
                            uint32_t corner)
{
    uint32_t low = 0;

    while (low < count) {
        uint32_t middle = low + (count - low) / 2;

        if (list[middle] < corner)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static struct ring make_ring(const struct fit_mesh *fits, uint32_t first,
                             uint32_t vertex)
{
    const struct check_mesh *m = fits->mesh;
    const uint32_t *near = fits->near->first + vertex;
    const uint32_t *large = fits->large.first + vertex;
    uint32_t face = m->corners.face_of[first];
    uint32_t start = m->corners.first_of[face];
    uint32_t size = (uint32_t)m->corners.topology.counts[face];
    struct ring ring = {NULL, size, first - start + 1, start, size - 1};
    uint32_t low;
    bool is_first_there;

    /* Of too many near corners some are not in the list. */
    if (size <= SMALL_FACE || near[1] - near[0] == MATCH_NEAR_MAX)
        return ring;
    ring.list = fits->large.list + large[0];
    low = find_corner(ring.list, large[1] - large[0], start);
    ring.size = find_corner(ring.list, large[1] - large[0], start + size) - low;
    ring.list += low;
    ring.turn = find_corner(ring.list, ring.size, first);
    is_first_there = ring.turn < ring.size && ring.list[ring.turn] == first;
    ring.turn += is_first_there;
    ring.count = ring.size - is_first_there;
    return ring;
}

static uint32_t ring_at(const struct ring *ring, uint32_t i)
{
    uint32_t at = (ring->turn + i) % ring->size;

    return ring->list ? ring->list[at] : ring->start + at;
}

/* -- fits -- */

/* The two others of a fit whose first corner is known. */
struct pair {
    uint32_t vertex;
    double cost; /* of the first two */
    bool is_bound;
    struct ring ring;
};

static void fit_thirds(const struct fit_mesh *fits, const struct pair *pair,
                       const struct fit *two, double *limit, fit_offer *offer,
                       void *user)
{
    uint32_t face = fits->mesh->corners.face_of[two->corner[0]];
    uint32_t size = (uint32_t)fits->mesh->corners.topology.counts[face];
    uint32_t step = (two->corner[1] - two->corner[0] + size) % size;

    for (uint32_t i = 0; i < pair->ring.count && pair->cost < *limit; i++) {
        uint32_t c = ring_at(&pair->ring, i);
        struct fit fit = *two;

        if (c == two->corner[1])
            continue;
        fit.corner[2] = c;
        fit.cost =
            pair->cost + corner_cost(fits, c, pair->vertex, pair->is_bound);
        /* Backwards from the first: the third comes before the second. */
        fit.is_reversed = (c - two->corner[0] + size) % size > step;
        if (fit.is_reversed)
            fit.cost += REVERSED_COST + FIT_UNSOUND_COST;
        /* Dear to know, and few come so far. */
        if (!(fit.cost < *limit))
            continue;
        fit.is_overlapping = spans_overlap(fits->spans, fit.corner);
        if (fit.is_overlapping && pair->is_bound)
            continue;
        if (fit.is_overlapping)
            fit.cost += OVERLAP_COST + FIT_UNSOUND_COST;
        if (fit.cost < *limit)
            offer(user, &fit, limit);
    }
}

void fit_each(const struct fit_mesh *fits, uint32_t first, const uint32_t v[3],
              bool is_bound, double *limit, fit_offer *offer, void *user)
{
    double cost = corner_cost(fits, first, v[0], is_bound);
    struct pair pair = {.vertex = v[2], .is_bound = is_bound};
    struct ring ring;

    if (!(cost < *limit))
        return;
    ring = make_ring(fits, first, v[1]);
    pair.ring = make_ring(fits, first, v[2]);
    for (uint32_t i = 0; i < ring.count && cost < *limit; i++) {
        struct fit two = {.corner = {first, ring_at(&ring, i), 0}};

        pair.cost = cost + corner_cost(fits, two.corner[1], v[1], is_bound);
        fit_thirds(fits, &pair, &two, limit, offer, user);
    }
}
