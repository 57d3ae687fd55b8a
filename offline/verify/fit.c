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

/* Steps from a corner to another along their face. */
static uint32_t steps_between(uint32_t from, uint32_t to, uint32_t count)
{
    return (to - from + count) % count;
}

/* Triangles of one face lie beside each other when each is within one of the
 * arcs that the other's corners divide the face into. */
static bool lie_apart(const uint32_t a[3], const uint32_t b[3], uint32_t count)
{
    for (int i = 0; i < 3; i++) {
        /* Triangles run backwards, or are turned: take the next either way. */
        uint32_t one = steps_between(a[i], a[(i + 1) % 3], count);
        uint32_t two = steps_between(a[i], a[(i + 2) % 3], count);
        uint32_t arc = one < two ? one : two;
        bool is_within = true;

        for (int k = 0; k < 3; k++)
            is_within = is_within && steps_between(a[i], b[k], count) <= arc;
        if (is_within)
            return true;
    }
    return false;
}

static bool is_overlapping(const struct fit_mesh *fits, const struct fit *fit)
{
    const struct check_mesh *m = fits->mesh;
    uint32_t face = m->corners.face_of[fit->corner[0]];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    uint32_t placed = count - 2 - fits->left[face];

    for (uint32_t i = 0; i < placed; i++) {
        uint32_t other = fits->placed[m->corners.first_of[face] + i];

        if (!lie_apart(fits->fits[other].corner, fit->corner, count))
            return true;
    }
    return false;
}

void fit_each(const struct fit_mesh *fits, uint32_t first, const uint32_t v[3],
              bool is_bound, double *limit, fit_offer *offer, void *user)
{
    const struct check_mesh *m = fits->mesh;
    uint32_t face = m->corners.face_of[first];
    uint32_t start = m->corners.first_of[face];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    double cost_a = corner_cost(fits, first, v[0], is_bound);

    for (uint32_t j = 1; j < count && cost_a < *limit; j++) {
        uint32_t b = start + (first - start + j) % count;
        double cost_b = cost_a + corner_cost(fits, b, v[1], is_bound);

        for (uint32_t k = 1; k < count && cost_b < *limit; k++) {
            uint32_t c = start + (first - start + k) % count;
            /* Backwards from a: c comes before b. */
            struct fit fit = {0, k > j, false, {first, b, c}};

            if (k == j)
                continue;
            fit.is_overlapping = is_overlapping(fits, &fit);
            if (fit.is_overlapping && is_bound)
                continue;
            fit.cost = cost_b + corner_cost(fits, c, v[2], is_bound);
            if (fit.is_reversed)
                fit.cost += REVERSED_COST + FIT_UNSOUND_COST;
            if (fit.is_overlapping)
                fit.cost += OVERLAP_COST + FIT_UNSOUND_COST;
            if (fit.cost < *limit)
                offer(user, &fit, limit);
        }
    }
}
