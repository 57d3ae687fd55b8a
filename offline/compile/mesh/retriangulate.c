/* retriangulate.c - three passes over the frames: find wrong faces; count the
 * flipped triangles of all triangulations of small ones; try some
 * triangulations of large ones.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/retriangulate.h"

#include "compile/mesh/face_orientation.h"

#include <string.h>

#define NONE UINT32_MAX
/* Triangulations that are tried for a large face. */
#define TRIALS_MAX 6u
/* Counters of one pass over the frames: faces are taken in batches. */
#define NUMBERS_MAX (4u << 20)

struct polygon {
    uint32_t face;
    uint32_t first_corner;
    uint32_t count;
    uint32_t first_triangle;
    uint32_t triangle_count; /* fewer than count - 2: some use a point twice */
    uint32_t wrong_in;       /* the first frame with a flipped triangle; NONE */
};

struct trial;
struct retriangulation {
    struct source *source;
    const double *times;
    uint32_t frame_count;
    struct arena arena;
    struct vec3 *at;      /* corners of the face at hand, from the first */
    uint32_t corners_max; /* of a face */
    uint32_t face_count;
    struct polygon *faces;
    /* A batch of faces with all their triangles. */
    struct polygon *const *batch;
    uint32_t batch_count;
    uint32_t *flipped; /* frames in which each is flipped */
    /* Large faces. */
    struct face_cutter cutter;
    uint32_t trial_count; /* that go on */
    struct trial *trials;
};

typedef void look(struct retriangulation *job, uint32_t frame,
                  const float *positions);

static bool each_frame(struct retriangulation *job, look *look_at)
{
    struct arena arena;
    bool is_good = true;

    arena_init(&arena);
    for (uint32_t i = 0; i < job->frame_count && is_good; i++) {
        const float *positions;

        arena_reset(&arena);
        is_good =
            source_positions(job->source, job->times[i], &arena, &positions);
        if (is_good)
            look_at(job, i, positions);
    }
    arena_free(&arena);
    return is_good;
}

/* -- faces that are wrong -- */

static const uint32_t *points_of(const struct retriangulation *job,
                                 const struct polygon *face)
{
    return job->source->corner_points + face->first_corner;
}

static uint32_t *triangles_of(const struct retriangulation *job,
                              const struct polygon *face)
{
    return job->source->triangles.corners + 3 * (size_t)face->first_triangle;
}

/* `corners`: three of each triangle, counted from `first`. */
static bool has_flipped(const struct retriangulation *job,
                        const struct polygon *face, const float *positions,
                        const uint32_t *corners, uint32_t first,
                        uint32_t triangle_count)
{
    struct face_orientation orientation = face_orientation_of(
        points_of(job, face), face->count, positions, job->at);

    for (uint32_t i = 0; i < 3 * triangle_count; i += 3)
        if (face_orientation_is_flipped(&orientation, corners[i] - first,
                                        corners[i + 1] - first,
                                        corners[i + 2] - first))
            return true;
    return false;
}

/* Corners of the face that begins with this one. */
static uint32_t corners_from(const struct source *source, uint32_t first)
{
    uint32_t limit = first + 1;

    while (limit < source->corner_count &&
           source->corner_faces[limit] == source->corner_faces[first])
        limit++;
    return limit - first;
}

/* Those with more than three corners. */
static void list_faces(struct retriangulation *job)
{
    const struct source *source = job->source;
    const struct triangulation *cut = &source->triangles;
    uint32_t triangle = 0;
    uint32_t count;

    for (uint32_t c = 0; c < source->corner_count; c += count) {
        count = corners_from(source, c);
        job->face_count += count > 3;
        if (count > job->corners_max)
            job->corners_max = count;
    }
    job->faces = ARENA_NEW(&job->arena, struct polygon, job->face_count);
    job->face_count = 0;
    for (uint32_t c = 0; c < source->corner_count; c += count) {
        uint32_t face = source->corner_faces[c];
        uint32_t first = triangle;

        count = corners_from(source, c);
        while (triangle < cut->triangle_count && cut->faces[triangle] == face)
            triangle++;
        if (count > 3)
            job->faces[job->face_count++] =
                (struct polygon){face, c, count, first, triangle - first, NONE};
    }
}

static void look_for_wrong(struct retriangulation *job, uint32_t frame,
                           const float *positions)
{
    for (uint32_t i = 0; i < job->face_count; i++) {
        struct polygon *face = &job->faces[i];

        if (face->wrong_in == NONE &&
            has_flipped(job, face, positions, triangles_of(job, face),
                        face->first_corner, face->triangle_count))
            face->wrong_in = frame;
    }
}

/* Keep those that are wrong in some frame. */
static bool find_wrong(struct retriangulation *job)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < job->face_count; i++)
        job->faces[i].wrong_in = NONE;
    if (!each_frame(job, look_for_wrong))
        return false;
    for (uint32_t i = 0; i < job->face_count; i++)
        if (job->faces[i].wrong_in != NONE)
            job->faces[count++] = job->faces[i];
    job->face_count = count;
    return true;
}

/* -- all triangulations of a small face -- */

/* Of any three corners. */
static uint32_t triangles_within(uint32_t count)
{
    return count * (count - 1) * (count - 2) / 6;
}

/* They are numbered; a < b < c. */
static uint32_t triangle_number(uint32_t a, uint32_t b, uint32_t c)
{
    return triangles_within(c) + b * (b - 1) / 2 + a;
}

static void look_at_all(struct retriangulation *job, uint32_t frame,
                        const float *positions)
{
    uint32_t *flipped = job->flipped;

    (void)frame;
    for (uint32_t i = 0; i < job->batch_count; i++) {
        const struct polygon *face = job->batch[i];
        struct face_orientation orientation = face_orientation_of(
            points_of(job, face), face->count, positions, job->at);

        /* In the order of their numbers. */
        for (uint32_t c = 2; c < face->count; c++)
            for (uint32_t b = 1; b < c; b++)
                for (uint32_t a = 0; a < b; a++)
                    *flipped++ +=
                        face_orientation_is_flipped(&orientation, a, c, b);
    }
}

/* The cheapest cuts of the corners first .. last, and where each goes on. */
struct plan {
    uint32_t cost[RETRIANGULATE_EXACT_MAX][RETRIANGULATE_EXACT_MAX];
    uint32_t middle[RETRIANGULATE_EXACT_MAX][RETRIANGULATE_EXACT_MAX];
};

/* Dearer than what is flipped in all frames. */
#define COLLAPSED_COST (1u << 26)

static uint32_t cost_of(const uint32_t *points, const uint32_t *flipped,
                        uint32_t a, uint32_t b, uint32_t c)
{
    if (points[a] == points[b] || points[b] == points[c] ||
        points[c] == points[a])
        return COLLAPSED_COST;
    return flipped[triangle_number(a, b, c)];
}

static void make_plan(const uint32_t *points, uint32_t count,
                      const uint32_t *flipped, struct plan *plan)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        plan->cost[i][i + 1] = 0;
    for (uint32_t span = 2; span < count; span++)
        for (uint32_t a = 0; a + span < count; a++) {
            uint32_t c = a + span;

            plan->cost[a][c] = NONE;
            for (uint32_t b = a + 1; b < c; b++) {
                uint32_t cost = plan->cost[a][b] + plan->cost[b][c] +
                                cost_of(points, flipped, a, b, c);

                if (cost < plan->cost[a][c]) {
                    plan->cost[a][c] = cost;
                    plan->middle[a][c] = b;
                }
            }
        }
}

static uint32_t *follow_plan(const struct plan *plan, uint32_t first_corner,
                             uint32_t a, uint32_t c, uint32_t *out)
{
    uint32_t b;

    if (c - a < 2)
        return out;
    b = plan->middle[a][c];
    *out++ = first_corner + a;
    *out++ = first_corner + c;
    *out++ = first_corner + b;
    out = follow_plan(plan, first_corner, a, b, out);
    return follow_plan(plan, first_corner, b, c, out);
}

/* A triangle runs a, c, b, from any of its corners. */
static uint32_t cost_now(const struct retriangulation *job,
                         const struct polygon *face, const uint32_t *flipped)
{
    const uint32_t *corners = triangles_of(job, face);
    uint32_t cost = 0;

    for (uint32_t t = 0; t < face->triangle_count; t++, corners += 3) {
        uint32_t first = 0;

        for (uint32_t i = 1; i < 3; i++)
            if (corners[i] < corners[first])
                first = i;
        cost += flipped[triangle_number(
            corners[first] - face->first_corner,
            corners[(first + 2) % 3] - face->first_corner,
            corners[(first + 1) % 3] - face->first_corner)];
    }
    return cost;
}

static bool improve_batch(struct retriangulation *job,
                          struct polygon *const *batch, uint32_t count)
{
    const uint32_t *flipped = job->flipped;

    job->batch = batch;
    job->batch_count = count;
    if (!each_frame(job, look_at_all))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = batch[i]->count;
        struct plan plan;

        make_plan(points_of(job, batch[i]), n, flipped, &plan);
        if (plan.cost[0][n - 1] < cost_now(job, batch[i], flipped))
            follow_plan(&plan, batch[i]->first_corner, 0, n - 1,
                        triangles_of(job, batch[i]));
        flipped += triangles_within(n);
    }
    return true;
}

static bool is_whole(const struct polygon *face)
{
    return face->triangle_count == face->count - 2;
}

/* Faces from `*first` on as long as there is room for their numbers. */
static uint32_t fill_batch(const struct retriangulation *job, uint32_t *first,
                           struct polygon **batch, size_t *number_count)
{
    uint32_t count = 0;

    *number_count = 0;
    for (; *first < job->face_count; ++*first) {
        struct polygon *face = &job->faces[*first];
        uint32_t numbers;

        if (face->count > RETRIANGULATE_EXACT_MAX || !is_whole(face))
            continue;
        numbers = triangles_within(face->count);
        if (*number_count + numbers > NUMBERS_MAX)
            break;
        *number_count += numbers;
        batch[count++] = face;
    }
    return count;
}

static bool improve_small(struct retriangulation *job)
{
    struct polygon **batch =
        ARENA_NEW(&job->arena, struct polygon *, job->face_count);
    uint32_t first = 0;
    size_t number_count;
    uint32_t count = fill_batch(job, &first, batch, &number_count);

    while (count > 0) {
        struct arena scratch;
        bool is_good;

        arena_init(&scratch);
        job->flipped = ARENA_NEW(&scratch, uint32_t, number_count);
        is_good = improve_batch(job, batch, count);
        arena_free(&scratch);
        if (!is_good)
            return false;
        count = fill_batch(job, &first, batch, &number_count);
    }
    return true;
}

/* -- a few triangulations of a large face -- */

struct trial {
    const struct polygon *face;
    uint32_t *corners; /* the cut that is looked at */
    uint32_t *next;    /* as the face lies where that is wrong first */
    bool has_next;
    uint32_t wrong_count; /* frames */
    uint32_t best_count;  /* ... of the cut that the face has */
};

static void look_at_trials(struct retriangulation *job, uint32_t frame,
                           const float *positions)
{
    (void)frame;
    for (uint32_t i = 0; i < job->trial_count; i++) {
        struct trial *trial = &job->trials[i];
        const struct polygon *face = trial->face;

        if (!has_flipped(job, face, positions, trial->corners, 0,
                         face->count - 2))
            continue;
        trial->wrong_count++;
        if (!trial->has_next)
            face_cutter_cut(&job->cutter, points_of(job, face), face->count,
                            positions, trial->next);
        trial->has_next = true;
    }
}

static bool uses_a_point_twice(const uint32_t *points, const uint32_t *corners,
                               uint32_t triangle_count)
{
    for (uint32_t i = 0; i < 3 * triangle_count; i += 3)
        if (points[corners[i]] == points[corners[i + 1]] ||
            points[corners[i + 1]] == points[corners[i + 2]] ||
            points[corners[i + 2]] == points[corners[i]])
            return true;
    return false;
}

/* Keep the cut if it is better, and go on to the next, if there is one. */
static bool end_trial(struct retriangulation *job, struct trial *trial)
{
    const struct polygon *face = trial->face;
    uint32_t corner_count = 3 * (face->count - 2);
    uint32_t *tried = trial->corners;

    if (trial->wrong_count < trial->best_count) {
        trial->best_count = trial->wrong_count;
        for (uint32_t i = 0; i < corner_count; i++)
            triangles_of(job, face)[i] = face->first_corner + tried[i];
    }
    trial->corners = trial->next;
    trial->next = tried;
    trial->has_next = false;
    trial->wrong_count = 0;
    return trial->best_count > 0 &&
           memcmp(tried, trial->corners, corner_count * sizeof *tried) != 0 &&
           !uses_a_point_twice(points_of(job, face), trial->corners,
                               face->count - 2);
}

static bool improve_large(struct retriangulation *job)
{
    job->trials = ARENA_NEW(&job->arena, struct trial, job->face_count);
    for (uint32_t i = 0; i < job->face_count; i++) {
        const struct polygon *face = &job->faces[i];
        struct trial *trial = &job->trials[job->trial_count];
        uint32_t corner_count = 3 * (face->count - 2);

        if (face->count <= RETRIANGULATE_EXACT_MAX || !is_whole(face))
            continue;
        job->trial_count++;
        trial->face = face;
        trial->corners = ARENA_NEW(&job->arena, uint32_t, corner_count);
        trial->next = ARENA_NEW(&job->arena, uint32_t, corner_count);
        trial->best_count = NONE;
        for (uint32_t k = 0; k < corner_count; k++)
            trial->corners[k] = triangles_of(job, face)[k] - face->first_corner;
    }
    face_cutter_open(&job->cutter, job->corners_max, &job->arena);
    for (uint32_t i = 0; i < TRIALS_MAX && job->trial_count > 0; i++) {
        uint32_t count = 0;

        if (!each_frame(job, look_at_trials))
            return false;
        for (uint32_t k = 0; k < job->trial_count; k++)
            if (end_trial(job, &job->trials[k]))
                job->trials[count++] = job->trials[k];
        job->trial_count = count;
    }
    return true;
}

/* -- all of it -- */

static bool run(struct retriangulation *job)
{
    list_faces(job);
    job->at = ARENA_NEW(&job->arena, struct vec3, job->corners_max);
    if (job->face_count == 0)
        return true;
    if (!find_wrong(job))
        return false;
    return job->face_count == 0 ||
           (improve_small(job) && improve_large(job) && find_wrong(job));
}

bool retriangulate(struct source *source, const double *times,
                   uint32_t frame_count, struct retriangulate_report *report)
{
    struct retriangulation job = {.source = source, .times = times};
    bool is_good;

    job.frame_count = source->is_moving ? frame_count : 1;
    arena_init(&job.arena);
    is_good = run(&job);
    *report = (struct retriangulate_report){0};
    if (is_good && job.face_count > 0)
        *report = (struct retriangulate_report){
            job.face_count, job.faces[0].face, job.faces[0].wrong_in};
    arena_free(&job.arena);
    return is_good;
}
