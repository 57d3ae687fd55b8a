/* correspondence.c - propagates assignments from triangle to triangle.
 *
 * With coarse quantization many vertices have the same position, so positions
 * do not distinguish them. But once a triangle is assigned, the points of its
 * vertices are known, which leaves few faces for the triangles around it.
 *
 * The first triangle of a connected part is the seed. It is assigned to its
 * cheapest sound fit (attribute_fit.h). From there the assignment spreads:
 * first to triangles with three known vertices, then to triangles with two,
 * then to triangles with one. A triangle with several sound fits waits until no
 * other triangle is left, and then takes the cheapest. If some triangle has no
 * sound fit, the seed may have been wrong: all assignments since the seed are
 * undone, and the next sound fit of the seed is tried. The fit of the seed
 * after which the fewest triangles fail is kept.
 *
 * At the end, triangles without a sound fit take their cheapest fit.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/correspondence.h"

#include <math.h>
#include <string.h>

/* The number of assignments, over all seeds of a mesh, after which the best fit
 * so far is kept. */
#define WORK_MAX (8u << 20)

enum state { UNKNOWN, FOUND, FAILED };

/* One assigned or failed triangle, and the state before it, to undo it. */
struct step {
    uint32_t triangle;
    uint32_t vertex_of[3];        /* of the three corners */
    struct corner_reach reach[3]; /* of the three corners */
    bool is_new[3];               /* the vertex was not known before */
};

/* Stacks of triangles: stack 0 for those that wait with several fits, stack n
 * for those with n known vertices. A triangle is pushed again whenever one of
 * its vertices becomes known. */
struct stack {
    uint32_t count;
    uint32_t *triangles;
};
#define STACK_COUNT 4

struct propagation {
    struct fit_state fit;
    const uint32_t *indices;
    uint32_t triangle_count;
    struct fit_groups triangles; /* of each vertex */
    uint8_t *state;              /* per triangle: enum state */
    struct fit *fits;            /* per triangle */
    struct stack stacks[STACK_COUNT];
    struct step *steps; /* since the seed */
    uint32_t step_count;
    uint32_t failed_count;       /* since the seed */
    uint64_t work;               /* steps of all seeds */
    struct fit_options *options; /* of the current triangle */
    struct fit_options *seeds;
};

/* Group the items 0 .. count - 1 by key. The list holds i / divisor for item i.
 */
static void make_groups(struct fit_groups *groups, const uint32_t *keys,
                        uint32_t count, uint32_t divisor, uint32_t key_count,
                        struct arena *arena)
{
    groups->first = ARENA_NEW(arena, uint32_t, (size_t)key_count + 2);
    groups->list = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        groups->first[keys[i] + 2]++;
    for (uint32_t i = 0; i < key_count; i++)
        groups->first[i + 2] += groups->first[i + 1];
    for (uint32_t i = 0; i < count; i++)
        groups->list[groups->first[keys[i] + 1]++] = i / divisor;
}

/* -- one triangle -- */

static const uint32_t *vertices_of(const struct propagation *p,
                                   uint32_t triangle)
{
    return p->indices + 3 * (size_t)triangle;
}

static uint32_t known_count(const struct propagation *p, uint32_t triangle)
{
    const uint32_t *v = vertices_of(p, triangle);
    uint32_t count = 0;

    for (int k = 0; k < 3; k++)
        count += p->fit.corner_of[v[k]] != MATCH_NONE;
    return count;
}

static void push(struct stack *stack, uint32_t triangle)
{
    stack->triangles[stack->count++] = triangle;
}

static void push_around(struct propagation *p, uint32_t vertex)
{
    const uint32_t *first = p->triangles.first + vertex;

    for (uint32_t i = first[0]; i < first[1]; i++) {
        uint32_t triangle = p->triangles.list[i];

        if (p->state[triangle] == UNKNOWN)
            push(&p->stacks[known_count(p, triangle)], triangle);
    }
}

static void assign(struct propagation *p, uint32_t triangle,
                   const struct fit *fit)
{
    const struct check_mesh *m = p->fit.mesh;
    const uint32_t *v = vertices_of(p, triangle);
    struct step *step = &p->steps[p->step_count++];

    step->triangle = triangle;
    p->fits[triangle] = *fit;
    p->state[triangle] = FOUND;
    p->fit.missing[m->corners.face_of[fit->corner[0]]]--;
    for (int k = 0; k < 3; k++) {
        uint32_t *corner = &p->fit.corner_of[v[k]];

        step->reach[k] = p->fit.reach[fit->corner[k]];
        step->vertex_of[k] = m->pairs.vertex_of[fit->corner[k]];
        step->is_new[k] = *corner == MATCH_NONE;
        m->pairs.vertex_of[fit->corner[k]] = v[k];
        if (step->is_new[k])
            *corner = fit->corner[k];
    }
    triangle_overlap_add(p->fit.reach, fit->corner);
    for (int k = 0; k < 3; k++)
        if (step->is_new[k])
            push_around(p, v[k]);
}

static void fail(struct propagation *p, uint32_t triangle)
{
    p->steps[p->step_count++].triangle = triangle;
    p->state[triangle] = FAILED;
    p->failed_count++;
}

/* Undo all assignments since the seed. */
static void undo(struct propagation *p)
{
    const struct check_mesh *m = p->fit.mesh;

    while (p->step_count > 0) {
        const struct step *step = &p->steps[--p->step_count];
        const uint32_t *v = vertices_of(p, step->triangle);
        const uint32_t *corner = p->fits[step->triangle].corner;

        if (p->state[step->triangle] == FOUND) {
            p->fit.missing[m->corners.face_of[corner[0]]]++;
            for (int k = 0; k < 3; k++) {
                p->fit.reach[corner[k]] = step->reach[k];
                m->pairs.vertex_of[corner[k]] = step->vertex_of[k];
                if (step->is_new[k])
                    p->fit.corner_of[v[k]] = MATCH_NONE;
            }
        }
        p->state[step->triangle] = UNKNOWN;
    }
    for (int i = 0; i < STACK_COUNT; i++)
        p->stacks[i].count = 0;
}

/* -- all triangles -- */

static bool pop(struct propagation *p, uint32_t *triangle, bool *has_waited)
{
    for (int known = STACK_COUNT - 1; known >= 0; known--) {
        struct stack *stack = &p->stacks[known];

        *has_waited = known == 0;
        while (stack->count > 0) {
            *triangle = stack->triangles[--stack->count];
            if (p->state[*triangle] == UNKNOWN)
                return true;
        }
    }
    return false;
}

/* Assign a seed and spread from it. Returns false as soon as `failed_max`
 * triangles have no sound fit. */
static bool propagate(struct propagation *p, uint32_t triangle,
                      const struct fit *seed, uint32_t failed_max)
{
    bool has_waited;

    p->step_count = 0;
    p->failed_count = 0;
    assign(p, triangle, seed);
    while (pop(p, &triangle, &has_waited)) {
        fit_find(&p->fit, vertices_of(p, triangle), FIT_UNSOUND_COST, true, 2,
                 p->options);
        if (p->options->count == 0)
            fail(p, triangle);
        else if (p->options->count > 1 && !has_waited &&
                 known_count(p, triangle) < 3)
            push(&p->stacks[0], triangle);
        else
            assign(p, triangle, &p->options->fits[0]);
        if (p->failed_count >= failed_max)
            return false;
    }
    return true;
}

/* Try the sound fits of a seed; keep the one with the fewest failures. */
static void spread(struct propagation *p, uint32_t triangle)
{
    const struct fit_options *seeds = p->seeds;
    uint32_t failed_min = UINT32_MAX;
    uint32_t best = 0;
    uint32_t i;

    fit_find(&p->fit, vertices_of(p, triangle), FIT_UNSOUND_COST, true,
             FIT_OPTIONS_MAX, p->seeds);
    for (i = 0; i < seeds->count && p->work <= WORK_MAX; i++) {
        if (propagate(p, triangle, &seeds->fits[i], failed_min)) {
            best = i;
            failed_min = p->failed_count;
        }
        p->work += p->step_count;
        if (p->failed_count == 0)
            return;
        undo(p);
    }
    if (seeds->count > 0)
        propagate(p, triangle, &seeds->fits[best], UINT32_MAX);
}

/* Assign each remaining triangle to its cheapest fit, sound or not. */
static void assign_rest(struct propagation *p)
{
    for (uint32_t t = 0; t < p->triangle_count; t++) {
        if (p->state[t] == FOUND)
            continue;
        p->step_count = 0;
        fit_find(&p->fit, vertices_of(p, t), INFINITY, false, 1, p->options);
        if (p->options->count > 0)
            assign(p, t, &p->options->fits[0]);
        else
            p->fits[t].corner[0] = MATCH_NONE;
    }
}

static void prepare(struct propagation *p, uint32_t vertex_count,
                    struct arena *arena)
{
    const struct corner_mesh *corners = &p->fit.mesh->corners;
    const struct abc_topology *topology = &corners->topology;
    uint32_t index_count = 3 * p->triangle_count;

    p->fit.missing = ARENA_NEW(arena, uint32_t, topology->face_count);
    for (uint32_t f = 0; f < topology->face_count; f++)
        if (topology->counts[f] >= 3)
            p->fit.missing[f] = (uint32_t)topology->counts[f] - 2;
    p->fit.reach =
        ARENA_NEW(arena, struct corner_reach, topology->corner_count);
    triangle_overlap_clear(p->fit.reach, topology->corner_count);
    p->fit.corner_of = ARENA_NEW(arena, uint32_t, vertex_count);
    memset(p->fit.corner_of, 0xff, vertex_count * sizeof *p->fit.corner_of);
    p->fits = ARENA_NEW(arena, struct fit, p->triangle_count);
    p->state = ARENA_NEW(arena, uint8_t, p->triangle_count);
    p->steps = ARENA_NEW(arena, struct step, p->triangle_count);
    p->options = ARENA_NEW(arena, struct fit_options, 1);
    p->seeds = ARENA_NEW(arena, struct fit_options, 1);
    for (int i = 0; i < STACK_COUNT; i++)
        p->stacks[i].triangles = ARENA_NEW(arena, uint32_t, index_count);
    make_groups(&p->fit.corners, (const uint32_t *)topology->indices,
                topology->corner_count, 1, corners->point_count, arena);
    make_groups(&p->triangles, p->indices, index_count, 3, vertex_count, arena);
}

void correspondence_find(const struct check_mesh *mesh, const uint32_t *indices,
                         uint32_t index_count, uint32_t vertex_count,
                         const struct check_rows *rows,
                         const struct match_lists *near, struct arena *arena,
                         struct correspondence *result)
{
    struct propagation p = {.fit = {.mesh = mesh, .rows = rows, .near = near},
                            .indices = indices,
                            .triangle_count = index_count / 3};

    prepare(&p, vertex_count, arena);
    for (uint32_t t = 0; t < p.triangle_count; t++)
        if (p.state[t] == UNKNOWN)
            spread(&p, t);
    assign_rest(&p);
    for (uint32_t i = 0; i < 3 * p.triangle_count; i++)
        if (p.fits[i / 3].corner[0] != MATCH_NONE)
            mesh->pairs.corner_of[indices[i]] = p.fits[i / 3].corner[i % 3];
    result->fits = p.fits;
    result->missing = p.fit.missing;
    result->candidate_count = p.fit.candidate_count;
}
