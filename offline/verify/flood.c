/* flood.c - from one triangle to its neighbours, until all are found.
 *
 * Places alone do not tell which vertex is which corner once the steps are as
 * coarse as the mesh is fine: many vertices lie at one place. But a vertex
 * stands for one point of the archive, so that a triangle whose face is known
 * says almost all about those around it. A seed's face is a guess, and so is
 * a third corner where several are sound: what is certain goes first, and a
 * guess that leads to a triangle without a sound fit is taken back. When none
 * leads to the end, the seed is kept that leaves the fewest triangles over.
 *
 * Triangles without a sound fit take the nearest face that is left.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/flood.h"

#include <math.h>
#include <string.h>

#define OPTIONS_MAX 64u
/* Triangles that guesses may lead to, all guesses of a mesh together, before
 * the best so far is taken. */
#define WORK_MAX (4u << 20)

/* Compressed lists: those of i are list[first[i]] .. list[first[i + 1] - 1]. */
struct lists {
    uint32_t *first;
    uint32_t *list;
};

/* What one step of a flood has changed, to take it back. */
struct step {
    uint32_t triangle;
    uint32_t vertex_of[3]; /* before, of the fit's corners */
    struct span spans[3];  /* before, too */
    bool is_first[3];      /* the vertices were not known before */
};

struct stack {
    uint32_t count;
    uint32_t *triangles;
};

struct options {
    uint32_t count;
    struct fit fits[OPTIONS_MAX]; /* rising cost */
};

/* A guess: the state to come back to, and which of the options was taken. */
struct guess {
    uint32_t triangle;
    uint32_t step_count;
    uint32_t option;
};

enum state { UNKNOWN, FOUND, FAILED };

struct flood {
    struct fit_mesh mesh;
    const uint32_t *indices;
    uint32_t triangle_count;
    struct lists corners;   /* of each point */
    struct lists triangles; /* of each vertex */
    uint8_t *state;         /* of each triangle */
    struct step *steps;
    uint32_t step_count;
    uint32_t *failed;
    uint32_t failed_count;
    struct guess *guesses;
    uint32_t guess_count;
    struct options *options; /* of the triangle at hand */
    uint64_t work;
    uint64_t looked_at;
    /* By how many vertices are known: the more, the sooner. A triangle is
     * pushed once for each vertex that becomes known; and put off when it has
     * several options. */
    struct stack stacks[3];
    struct stack later;
};

/* -- lists -- */

static void make_lists(struct lists *lists, const uint32_t *keys,
                       uint32_t count, uint32_t divisor, uint32_t key_count,
                       struct arena *arena)
{
    lists->first = ARENA_NEW(arena, uint32_t, (size_t)key_count + 2);
    lists->list = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        lists->first[keys[i] + 2]++;
    for (uint32_t i = 0; i < key_count; i++)
        lists->first[i + 2] += lists->first[i + 1];
    for (uint32_t i = 0; i < count; i++)
        lists->list[lists->first[keys[i] + 1]++] = i / divisor;
}

/* -- one triangle -- */

static uint32_t known_count(const struct flood *flood, uint32_t triangle)
{
    const uint32_t *v = flood->indices + 3 * (size_t)triangle;
    uint32_t count = 0;

    for (int k = 0; k < 3; k++)
        count += flood->mesh.corner_of[v[k]] != MATCH_NONE;
    return count;
}

static void push_around(struct flood *flood, uint32_t vertex)
{
    const struct lists *lists = &flood->triangles;

    for (uint32_t i = lists->first[vertex]; i < lists->first[vertex + 1]; i++) {
        uint32_t triangle = lists->list[i];
        uint32_t known = known_count(flood, triangle);

        if (flood->state[triangle] == UNKNOWN && known > 0) {
            struct stack *stack = &flood->stacks[known - 1];

            stack->triangles[stack->count++] = triangle;
        }
    }
}

static void take(struct flood *flood, uint32_t triangle, const struct fit *fit)
{
    const struct check_mesh *m = flood->mesh.mesh;
    const uint32_t *v = flood->indices + 3 * (size_t)triangle;
    struct step *step = &flood->steps[flood->step_count++];
    uint32_t face = m->corners.face_of[fit->corner[0]];

    flood->work++;
    step->triangle = triangle;
    flood->mesh.fits[triangle] = *fit;
    flood->state[triangle] = FOUND;
    flood->mesh.left[face]--;
    spans_add(flood->mesh.spans, fit->corner, step->spans);
    for (int k = 0; k < 3; k++) {
        uint32_t *corner = &flood->mesh.corner_of[v[k]];

        step->vertex_of[k] = m->vertex_of[fit->corner[k]];
        step->is_first[k] = *corner == MATCH_NONE;
        m->vertex_of[fit->corner[k]] = v[k];
        if (step->is_first[k])
            *corner = fit->corner[k];
    }
    for (int k = 0; k < 3; k++)
        if (step->is_first[k])
            push_around(flood, v[k]);
}

/* Back to when `step_count` triangles had been taken. */
static void take_back(struct flood *flood, uint32_t step_count)
{
    const struct check_mesh *m = flood->mesh.mesh;

    while (flood->step_count > step_count) {
        const struct step *step = &flood->steps[--flood->step_count];
        const uint32_t *v = flood->indices + 3 * (size_t)step->triangle;
        const struct fit *fit = &flood->mesh.fits[step->triangle];

        flood->mesh.left[m->corners.face_of[fit->corner[0]]]++;
        spans_take_back(flood->mesh.spans, fit->corner, step->spans);
        for (int k = 2; k >= 0; k--) {
            m->vertex_of[fit->corner[k]] = step->vertex_of[k];
            if (step->is_first[k])
                flood->mesh.corner_of[v[k]] = MATCH_NONE;
        }
        flood->state[step->triangle] = UNKNOWN;
    }
}

static void forget_failures(struct flood *flood)
{
    while (flood->failed_count > 0)
        flood->state[flood->failed[--flood->failed_count]] = UNKNOWN;
}

/* -- options -- */

static void keep_option(void *user, const struct fit *fit, double *limit)
{
    struct options *options = user;
    uint32_t at = options->count;

    if (at < OPTIONS_MAX)
        options->count++;
    else
        at--;
    for (; at > 0 && options->fits[at - 1].cost > fit->cost; at--)
        options->fits[at] = options->fits[at - 1];
    options->fits[at] = *fit;
    if (options->count == OPTIONS_MAX)
        *limit = options->fits[OPTIONS_MAX - 1].cost;
}

/* Corners, one of which a triangle's vertex stands for if the fit is sound. */
struct few {
    const uint32_t *list;
    uint32_t count;
};

/* Of a known vertex, those of its point; of another, those near it, unless
 * some of them are not in the list. */
static struct few corners_for(const struct flood *flood, uint32_t vertex)
{
    uint32_t corner = flood->mesh.corner_of[vertex];
    const struct match_lists *near = flood->mesh.near;
    const uint32_t *first = near->first + vertex;
    uint32_t point;

    if (corner == MATCH_NONE)
        return first[1] - first[0] == MATCH_NEAR_MAX
                   ? (struct few){NULL, UINT32_MAX}
                   : (struct few){near->list + first[0], first[1] - first[0]};
    point = (uint32_t)flood->mesh.mesh->corners.topology.indices[corner];
    first = flood->corners.first + point;
    return (struct few){flood->corners.list + first[0], first[1] - first[0]};
}

/* Where to begin: at the first known vertex, but where thousands of faces meet
 * at its point, at the vertex that has the fewest corners. */
static struct few choose_turn(const struct flood *flood, const uint32_t v[3],
                              uint32_t *turn)
{
    struct few best;

    *turn = 0;
    while (flood->mesh.corner_of[v[*turn]] == MATCH_NONE)
        ++*turn;
    best = corners_for(flood, v[*turn]);
    for (uint32_t k = 0; k < 3 && best.count > MATCH_NEAR_MAX; k++) {
        struct few few = corners_for(flood, v[k]);

        if (few.count >= best.count)
            continue;
        best = few;
        *turn = k;
    }
    return best;
}

/* Sound fits of a triangle that has known vertices. */
static void find_bound(struct flood *flood, uint32_t triangle)
{
    const uint32_t *v = flood->indices + 3 * (size_t)triangle;
    const uint32_t *face_of = flood->mesh.mesh->corners.face_of;
    struct options *options = flood->options;
    double limit = FIT_UNSOUND_COST;
    struct few few;
    uint32_t turn;
    uint32_t turned[3];

    options->count = 0;
    few = choose_turn(flood, v, &turn);
    flood->looked_at += few.count;
    for (uint32_t k = 0; k < 3; k++)
        turned[k] = v[(turn + k) % 3];
    for (uint32_t i = 0; i < few.count; i++)
        /* -fanalyzer: where there are some, there is a list. */
        if (flood->mesh.left[face_of[few.list[i]]] > 0)
            fit_each(&flood->mesh, few.list[i], turned, true, &limit,
                     keep_option, options);
    for (uint32_t i = 0; i < options->count; i++) {
        struct fit *fit = &options->fits[i];
        struct fit found = *fit;

        for (uint32_t k = 0; k < 3; k++)
            fit->corner[(turn + k) % 3] = found.corner[k];
    }
}

/* Fits of a triangle in all faces near it that lack triangles. */
static void find_near(const struct flood *flood, uint32_t triangle,
                      double limit, fit_offer *offer, void *user)
{
    const uint32_t *v = flood->indices + 3 * (size_t)triangle;
    const uint32_t *face_of = flood->mesh.mesh->corners.face_of;
    const struct match_lists *near = flood->mesh.near;

    for (uint32_t i = near->first[v[0]]; i < near->first[v[0] + 1]; i++)
        if (flood->mesh.left[face_of[near->list[i]]] > 0)
            fit_each(&flood->mesh, near->list[i], v, false, &limit, offer,
                     user);
}

static void keep_nearest(void *user, const struct fit *fit, double *limit)
{
    struct fit *best = user;

    *best = *fit;
    *limit = fit->cost;
}

/* -- floods -- */

static void clear_stacks(struct flood *flood)
{
    for (int known = 0; known < 3; known++)
        flood->stacks[known].count = 0;
    flood->later.count = 0;
}

static bool pop(struct flood *flood, uint32_t *triangle, bool *is_later)
{
    for (int i = 3; i >= 0; i--) {
        struct stack *stack = i > 0 ? &flood->stacks[i - 1] : &flood->later;

        *is_later = i == 0;
        while (stack->count > 0) {
            *triangle = stack->triangles[--stack->count];
            if (flood->state[*triangle] == UNKNOWN)
                return true;
        }
    }
    return false;
}

/* Take back the last guess that has another option, and take that. */
static bool guess_again(struct flood *flood)
{
    while (flood->guess_count > 0) {
        struct guess *guess = &flood->guesses[flood->guess_count - 1];

        take_back(flood, guess->step_count);
        find_bound(flood, guess->triangle);
        if (++guess->option == flood->options->count) {
            flood->guess_count--;
            continue;
        }
        clear_stacks(flood);
        for (uint32_t i = 0; i < flood->step_count; i++) {
            const struct step *step = &flood->steps[i];

            for (int k = 0; k < 3; k++)
                if (step->is_first[k])
                    push_around(
                        flood,
                        flood->indices[3 * (size_t)step->triangle + (size_t)k]);
        }
        flood->work += flood->step_count;
        take(flood, guess->triangle, &flood->options->fits[guess->option]);
        return true;
    }
    return false;
}

/* Everything that a seed leads to. With `is_strict` each triangle has to find
 * its face, by other guesses if need be; else up to `failed_max` may not.
 * False when it does not come to that. */
static bool run(struct flood *flood, uint32_t triangle, const struct fit *seed,
                bool is_strict, uint32_t failed_max)
{
    struct options *options = flood->options;
    bool is_later;

    clear_stacks(flood);
    flood->guess_count = 0;
    take(flood, triangle, seed);
    while (pop(flood, &triangle, &is_later)) {
        find_bound(flood, triangle);
        if (options->count == 0 && is_strict) {
            if (flood->work > WORK_MAX || !guess_again(flood))
                return false;
        } else if (options->count == 0) {
            flood->state[triangle] = FAILED;
            flood->failed[flood->failed_count++] = triangle;
            if (flood->failed_count > failed_max)
                return false;
        } else if (options->count > 1 && !is_later &&
                   known_count(flood, triangle) < 3) {
            flood->later.triangles[flood->later.count++] = triangle;
        } else {
            if (options->count > 1 && is_later)
                flood->guesses[flood->guess_count++] =
                    (struct guess){triangle, flood->step_count, 0};
            take(flood, triangle, &options->fits[0]);
        }
    }
    return true;
}

/* Of the seeds at a triangle the one that leads on best; what it leads to is
 * taken. */
static void spread(struct flood *flood, uint32_t triangle,
                   struct options *seeds)
{
    uint32_t best = 0;
    uint32_t best_failed = UINT32_MAX;

    seeds->count = 0;
    find_near(flood, triangle, FIT_UNSOUND_COST, keep_option, seeds);
    for (uint32_t i = 0; i < seeds->count && flood->work <= WORK_MAX; i++) {
        if (run(flood, triangle, &seeds->fits[i], true, 0)) {
            flood->step_count = 0;
            return;
        }
        take_back(flood, 0);
    }
    for (uint32_t i = 0; i < seeds->count; i++) {
        if (i > 0 && flood->work > 2 * (uint64_t)WORK_MAX)
            break;
        if (run(flood, triangle, &seeds->fits[i], false,
                best_failed - (best_failed > 0))) {
            best = i;
            best_failed = flood->failed_count;
        }
        take_back(flood, 0);
        forget_failures(flood);
    }
    if (seeds->count > 0)
        run(flood, triangle, &seeds->fits[best], false, best_failed);
    /* Kept. What failed may yet be found from another seed. */
    flood->step_count = 0;
    forget_failures(flood);
}

static void prepare(struct flood *flood, uint32_t vertex_count,
                    struct arena *arena)
{
    const struct check_mesh *m = flood->mesh.mesh;
    const struct abc_topology *topology = &m->corners.topology;
    uint32_t index_count = 3 * flood->triangle_count;

    flood->mesh.left = ARENA_NEW(arena, uint32_t, topology->face_count);
    for (uint32_t f = 0; f < topology->face_count; f++)
        if (topology->counts[f] >= 3)
            flood->mesh.left[f] = (uint32_t)topology->counts[f] - 2;
    flood->mesh.spans = ARENA_NEW(arena, struct span, topology->corner_count);
    spans_clear(flood->mesh.spans, topology->corner_count);
    fit_prepare(&flood->mesh, vertex_count, arena);
    flood->mesh.corner_of = ARENA_NEW(arena, uint32_t, vertex_count);
    memset(flood->mesh.corner_of, 0xff,
           vertex_count * sizeof *flood->mesh.corner_of);
    flood->mesh.fits = ARENA_NEW(arena, struct fit, flood->triangle_count);
    flood->state = ARENA_NEW(arena, uint8_t, flood->triangle_count);
    flood->steps = ARENA_NEW(arena, struct step, flood->triangle_count);
    flood->failed = ARENA_NEW(arena, uint32_t, flood->triangle_count);
    flood->guesses = ARENA_NEW(arena, struct guess, flood->triangle_count);
    flood->options = ARENA_NEW(arena, struct options, 1);
    for (int known = 0; known < 3; known++)
        flood->stacks[known].triangles =
            ARENA_NEW(arena, uint32_t, index_count);
    flood->later.triangles = ARENA_NEW(arena, uint32_t, index_count);
    make_lists(&flood->corners, (const uint32_t *)topology->indices,
               topology->corner_count, 1, m->corners.point_count, arena);
    make_lists(&flood->triangles, flood->indices, index_count, 3, vertex_count,
               arena);
}

void flood_triangles(const struct check_mesh *mesh, const uint32_t *indices,
                     uint32_t index_count, uint32_t vertex_count,
                     const struct check_rows *rows,
                     const struct match_lists *lists, struct arena *arena,
                     struct flood_result *result)
{
    struct flood flood = {.mesh = {.mesh = mesh, .rows = rows, .near = lists},
                          .indices = indices,
                          .triangle_count = index_count / 3};
    struct options *seeds = ARENA_NEW(arena, struct options, 1);

    prepare(&flood, vertex_count, arena);
    for (uint32_t t = 0; t < flood.triangle_count; t++)
        if (flood.state[t] == UNKNOWN && known_count(&flood, t) < 3)
            spread(&flood, t, seeds);
    for (uint32_t t = 0; t < flood.triangle_count; t++) {
        struct fit fit = {.corner = {MATCH_NONE, 0, 0}};

        if (flood.state[t] == FOUND)
            continue;
        flood.mesh.fits[t] = fit;
        flood.step_count = 0;
        find_near(&flood, t, INFINITY, keep_nearest, &fit);
        if (fit.corner[0] != MATCH_NONE)
            take(&flood, t, &fit);
    }
    for (uint32_t i = 0; i < 3 * flood.triangle_count; i++)
        if (flood.mesh.fits[i / 3].corner[0] != MATCH_NONE)
            mesh->corner_of[indices[i]] = flood.mesh.fits[i / 3].corner[i % 3];
    result->fits = flood.mesh.fits;
    result->left = flood.mesh.left;
    result->looked_at = flood.looked_at;
}
