/* attribute_fit.c - enumerates the fits of one triangle.
 *
 * The quantization steps of the cache may be as coarse as the mesh. Corners of
 * a neighbouring face may then have a smaller sum of distances, although they
 * are out of tolerance along one axis in one frame. Therefore an unsound fit
 * costs more than any sound one.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/attribute_fit.h"

#include <math.h>

/* Penalties, in the unit of match_cost. A corner may have several vertices
 * (split vertices), so a corner that is assigned already is sound, but costs
 * more than any other sound fit. The other penalties make a fit unsound. */
#define TAKEN_COST 1e6
#define REVERSED_COST (FIT_UNSOUND_COST + 30.0)
#define OVERLAP_COST (FIT_UNSOUND_COST + 30.0)
#define OTHER_POINT_COST (FIT_UNSOUND_COST + 3.0)
/* The tolerance is 1 in the unit of rows, plus the rounding of the scaling. */
#define TOLERANCE (1 + 1e-9)

/* Return whether two corners have the same point, or points with the same
 * position in every sampled frame. */
static bool is_same_point(const struct fit_state *state, uint32_t a, uint32_t b)
{
    const int32_t *points = state->mesh->corners.topology.indices;
    uint32_t dimension = state->rows->dimension;
    const double *row_a = state->rows->corners + (size_t)a * dimension;
    const double *row_b = state->rows->corners + (size_t)b * dimension;

    if (points[a] == points[b])
        return true;
    for (uint32_t i = 0; i < dimension; i += CHECK_ROW_NUMBERS)
        for (uint32_t c = i; c < i + 3; c++)
            if (!(row_a[c] == row_b[c]))
                return false;
    return true;
}

static bool is_within_tolerance(const double *a, const double *b,
                                uint32_t dimension)
{
    for (uint32_t i = 0; i < dimension; i += CHECK_ROW_NUMBERS)
        for (uint32_t c = i; c < i + 3; c++)
            if (!(fabs(a[c] - b[c]) <= TOLERANCE))
                return false;
    return true;
}

static double corner_cost(const struct fit_state *state, uint32_t corner,
                          uint32_t vertex, bool is_strict)
{
    const struct check_mesh *m = state->mesh;
    uint32_t dimension = state->rows->dimension;
    const double *a = state->rows->corners + (size_t)corner * dimension;
    const double *b = state->rows->vertices + (size_t)vertex * dimension;
    bool is_other = state->corner_of[vertex] != MATCH_NONE &&
                    !is_same_point(state, state->corner_of[vertex], corner);
    double cost;

    if (is_other && is_strict)
        return INFINITY;
    cost = match_cost(a, b, dimension);
    if (!(cost < INFINITY))
        return INFINITY;
    if (is_other)
        cost += OTHER_POINT_COST;
    if (m->pairs.vertex_of[corner] != MATCH_NONE &&
        m->pairs.vertex_of[corner] != vertex)
        cost += TAKEN_COST;
    return is_within_tolerance(a, b, dimension) ? cost
                                                : cost + FIT_UNSOUND_COST;
}

/* -- candidates -- */

/* Corners that may be assigned to a vertex: list[0 .. count - 1] or, if there
 * is no list, first .. first + count - 1. */
struct candidates {
    const uint32_t *list;
    uint32_t first;
    uint32_t count;
    bool is_cut_short; /* the list is full: others may be near, too */
};

static uint32_t candidate_at(const struct candidates *candidates, uint32_t i)
{
    return candidates->list ? candidates->list[i] : candidates->first + i;
}

/* Return the index of the first item >= `corner` in an ascending list. */
static uint32_t lower_bound(const uint32_t *list, uint32_t count,
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

/* Return the candidates in all faces: the corners of the vertex's point if that
 * is known, or else the corners near the vertex. */
static struct candidates all_candidates(const struct fit_state *state,
                                        uint32_t vertex, bool is_strict)
{
    uint32_t corner = state->corner_of[vertex];
    const uint32_t *first = state->near->first + vertex;

    if (is_strict && corner != MATCH_NONE) {
        first = state->corners.first +
                state->mesh->corners.topology.indices[corner];
        return (struct candidates){state->corners.list + first[0], 0,
                                   first[1] - first[0], false};
    }
    return (struct candidates){state->near->list + first[0], 0,
                               first[1] - first[0],
                               first[1] - first[0] == MATCH_NEAR_MAX};
}

static bool is_shorter(const struct candidates *a, const struct candidates *b)
{
    return a->is_cut_short != b->is_cut_short ? b->is_cut_short
                                              : a->count < b->count;
}

/* Return the candidates in one face. If the list of near corners is full, some
 * may be missing; then all corners of the face are candidates. */
static struct candidates face_candidates(const struct fit_state *state,
                                         uint32_t face, uint32_t vertex)
{
    const struct corner_mesh *corners = &state->mesh->corners;
    const uint32_t *near = state->near->first + vertex;
    const uint32_t *list = state->near->list + near[0];
    uint32_t count = near[1] - near[0];
    uint32_t first = corners->first_of[face];
    uint32_t size = (uint32_t)corners->topology.counts[face];
    uint32_t low;

    if (count == MATCH_NEAR_MAX)
        return (struct candidates){NULL, first, size, false};
    low = lower_bound(list, count, first);
    count = lower_bound(list + low, count - low, first + size);
    return (struct candidates){list + low, 0, count, false};
}

/* -- fits -- */

/* One search. The three vertices are rotated, so that the one with the fewest
 * candidates comes first. */
struct search {
    struct fit_state *state;
    uint32_t v[3];
    uint32_t rotation;
    double limit;
    bool is_strict;
    uint32_t count_max;
    struct fit_options *options;
};

/* Insert a fit by cost. Once the options are full, the largest cost is the
 * limit. */
static void keep_option(struct search *search, const struct fit *fit)
{
    struct fit_options *options = search->options;
    uint32_t at = options->count;

    if (at < search->count_max)
        options->count++;
    else
        at--;
    for (; at > 0 && options->fits[at - 1].cost > fit->cost; at--)
        options->fits[at] = options->fits[at - 1];
    options->fits[at] = *fit;
    if (options->count == search->count_max)
        search->limit = options->fits[options->count - 1].cost;
}

static void consider(struct search *search, const uint32_t corner[3],
                     double cost)
{
    const struct fit_state *state = search->state;
    const struct corner_mesh *corners = &state->mesh->corners;
    uint32_t face = corners->face_of[corner[0]];
    uint32_t size = (uint32_t)corners->topology.counts[face];
    struct fit fit = {.cost = cost};

    /* Faces of archives are clockwise, triangles of caches counter-clockwise:
     * along the face from the first corner, the third one precedes the second.
     */
    fit.is_reversed = (corner[2] - corner[0] + size) % size >
                      (corner[1] - corner[0] + size) % size;
    if (fit.is_reversed)
        fit.cost += REVERSED_COST;
    if (!(fit.cost < search->limit))
        return;
    fit.is_overlapping = triangle_overlap_test(state->reach, corner);
    if (fit.is_overlapping)
        fit.cost += search->is_strict ? INFINITY : OVERLAP_COST;
    if (!(fit.cost < search->limit))
        return;
    for (uint32_t k = 0; k < 3; k++)
        fit.corner[(search->rotation + k) % 3] = corner[k];
    keep_option(search, &fit);
}

static void search_face(struct search *search, uint32_t first, double cost)
{
    struct fit_state *state = search->state;
    uint32_t face = state->mesh->corners.face_of[first];
    struct candidates second = face_candidates(state, face, search->v[1]);
    struct candidates third = face_candidates(state, face, search->v[2]);
    uint32_t corner[3] = {first, 0, 0};

    state->candidate_count += second.count + third.count;
    for (uint32_t i = 0; i < second.count; i++) {
        double cost_of_two;

        corner[1] = candidate_at(&second, i);
        if (corner[1] == first)
            continue;
        cost_of_two = cost + corner_cost(state, corner[1], search->v[1],
                                         search->is_strict);
        if (!(cost_of_two < search->limit))
            continue;
        for (uint32_t k = 0; k < third.count; k++) {
            corner[2] = candidate_at(&third, k);
            if (corner[2] != first && corner[2] != corner[1])
                consider(search, corner,
                         cost_of_two + corner_cost(state, corner[2],
                                                   search->v[2],
                                                   search->is_strict));
        }
    }
}

void fit_find(struct fit_state *state, const uint32_t v[3], double limit,
              bool is_strict, uint32_t count_max, struct fit_options *options)
{
    struct search search = {.state = state,
                            .limit = limit,
                            .is_strict = is_strict,
                            .count_max = count_max,
                            .options = options};
    struct candidates first = all_candidates(state, v[0], is_strict);

    options->count = 0;
    for (uint32_t k = 1; k < 3; k++) {
        struct candidates other = all_candidates(state, v[k], is_strict);

        if (!is_shorter(&other, &first))
            continue;
        first = other;
        search.rotation = k;
    }
    for (uint32_t k = 0; k < 3; k++)
        search.v[k] = v[(search.rotation + k) % 3];
    state->candidate_count += first.count;
    for (uint32_t i = 0; i < first.count; i++) {
        uint32_t corner = first.list[i];
        double cost;

        if (state->missing[state->mesh->corners.face_of[corner]] == 0)
            continue;
        cost = corner_cost(state, corner, search.v[0], is_strict);
        if (cost < search.limit)
            search_face(&search, corner, cost);
    }
}
