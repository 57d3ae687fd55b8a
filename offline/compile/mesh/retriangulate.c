/* retriangulate.c - two passes over the frames: find the wrong faces; count in
 * how many frames each triangle of three corners of a wrong face is flipped.
 * A third pass checks the new triangulations.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/retriangulate.h"

#include "compile/mesh/face_orientation.h"

#define NONE UINT32_MAX
#define CORNERS_MAX RETRIANGULATE_CORNERS_MAX
/* Counters in memory at a time. Faces are processed in batches. */
#define COUNTERS_MAX (4u << 20)

struct polygon {
    uint32_t face;
    uint32_t first_corner;
    uint32_t count; /* corners */
    uint32_t first_triangle;
    uint32_t triangle_count; /* fewer than count - 2: some are collapsed */
    uint32_t wrong_frame;    /* the first frame with a flipped triangle; NONE */
};

struct retriangulation {
    struct source *source;
    const double *times;
    uint32_t frame_count;
    struct arena arena;
    struct vec3 *at; /* corners of one face, relative to the first */
    uint32_t face_count;
    struct polygon *faces;
    /* Faces all of whose triangles are counted. */
    struct polygon *const *batch;
    uint32_t batch_count;
    /* Of each triangle of each face of the batch: the number of frames in which
     * it is flipped. triangle_number() gives the order. */
    uint32_t *flipped;
};

typedef void visit_frame(struct retriangulation *job, uint32_t frame,
                         const float *positions);

static bool for_each_frame(struct retriangulation *job, visit_frame *visit)
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
            visit(job, i, positions);
    }
    arena_free(&arena);
    return is_good;
}

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

static struct face_orientation orientation_of(const struct retriangulation *job,
                                              const struct polygon *face,
                                              const float *positions)
{
    return face_orientation_of(points_of(job, face), face->count, positions,
                               job->at);
}

/* -- wrong faces -- */

/* List the faces of more than three corners. */
static void list_faces(struct retriangulation *job)
{
    const struct source *source = job->source;
    const struct triangulation *cut = &source->triangles;
    uint32_t corners_max = 0;
    uint32_t triangle = 0;
    uint32_t limit;

    job->faces = ARENA_NEW(&job->arena, struct polygon, source->face_count);
    for (uint32_t first = 0; first < source->corner_count; first = limit) {
        struct polygon polygon = {.face = source->corner_faces[first],
                                  .first_corner = first,
                                  .first_triangle = triangle};

        for (limit = first; limit < source->corner_count &&
                            source->corner_faces[limit] == polygon.face;)
            limit++;
        while (triangle < cut->triangle_count &&
               cut->faces[triangle] == polygon.face)
            triangle++;
        polygon.count = limit - first;
        polygon.triangle_count = triangle - polygon.first_triangle;
        if (polygon.count > 3)
            job->faces[job->face_count++] = polygon;
        if (polygon.count > corners_max)
            corners_max = polygon.count;
    }
    job->at = ARENA_NEW(&job->arena, struct vec3, corners_max);
}

static bool has_flipped(const struct retriangulation *job,
                        const struct polygon *face, const float *positions)
{
    struct face_orientation orientation = orientation_of(job, face, positions);
    const uint32_t *corners = triangles_of(job, face);
    uint32_t first = face->first_corner;

    for (uint32_t i = 0; i < 3 * face->triangle_count; i += 3)
        if (face_orientation_is_flipped(&orientation, corners[i] - first,
                                        corners[i + 1] - first,
                                        corners[i + 2] - first))
            return true;
    return false;
}

static void check_faces(struct retriangulation *job, uint32_t frame,
                        const float *positions)
{
    for (uint32_t i = 0; i < job->face_count; i++) {
        struct polygon *face = &job->faces[i];

        if (face->wrong_frame == NONE && has_flipped(job, face, positions))
            face->wrong_frame = frame;
    }
}

/* Keep the faces that are wrong in some frame. */
static bool keep_wrong(struct retriangulation *job)
{
    uint32_t count = 0;

    if (job->face_count == 0)
        return true;
    for (uint32_t i = 0; i < job->face_count; i++)
        job->faces[i].wrong_frame = NONE;
    if (!for_each_frame(job, check_faces))
        return false;
    for (uint32_t i = 0; i < job->face_count; i++)
        if (job->faces[i].wrong_frame != NONE)
            job->faces[count++] = job->faces[i];
    job->face_count = count;
    return true;
}

/* -- all triangles of a face -- */

/* The number of triangles of any three of `count` corners. */
static uint32_t triangles_within(uint32_t count)
{
    return count * (count - 1) * (count - 2) / 6;
}

/* The index of a triangle of the corners a < b < c among them. */
static uint32_t triangle_number(uint32_t a, uint32_t b, uint32_t c)
{
    return triangles_within(c) + b * (b - 1) / 2 + a;
}

static void count_flipped(struct retriangulation *job, uint32_t frame,
                          const float *positions)
{
    uint32_t *flipped = job->flipped;

    (void)frame;
    for (uint32_t i = 0; i < job->batch_count; i++) {
        const struct polygon *face = job->batch[i];
        struct face_orientation orientation =
            orientation_of(job, face, positions);

        /* In the order of triangle_number(). */
        for (uint32_t c = 2; c < face->count; c++)
            for (uint32_t b = 1; b < c; b++)
                for (uint32_t a = 0; a < b; a++)
                    *flipped++ +=
                        face_orientation_is_flipped(&orientation, a, c, b);
    }
}

/* -- the best triangulation, by dynamic programming -- */

/* cost[a][c]: flipped triangles, summed over all frames, of the best
 * triangulation of the corners a .. c. middle[a][c]: the third corner of its
 * triangle at the edge a, c. */
struct best {
    uint32_t cost[CORNERS_MAX][CORNERS_MAX];
    uint32_t middle[CORNERS_MAX][CORNERS_MAX];
};

/* More than the cost of a face that is flipped in all frames. */
#define COLLAPSED_COST (1u << 26)

static uint32_t cost_of(const uint32_t *points, const uint32_t *flipped,
                        uint32_t a, uint32_t b, uint32_t c)
{
    if (points[a] == points[b] || points[b] == points[c] ||
        points[c] == points[a])
        return COLLAPSED_COST;
    return flipped[triangle_number(a, b, c)];
}

static void find_best(const uint32_t *points, uint32_t count,
                      const uint32_t *flipped, struct best *best)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        best->cost[i][i + 1] = 0;
    for (uint32_t span = 2; span < count; span++)
        for (uint32_t a = 0; a + span < count; a++) {
            uint32_t c = a + span;

            best->cost[a][c] = NONE;
            for (uint32_t b = a + 1; b < c; b++) {
                uint32_t cost = best->cost[a][b] + best->cost[b][c] +
                                cost_of(points, flipped, a, b, c);

                if (cost < best->cost[a][c]) {
                    best->cost[a][c] = cost;
                    best->middle[a][c] = b;
                }
            }
        }
}

/* Write the triangles of the corners a .. c to `out`; return the end. */
static uint32_t *write_best(const struct best *best, uint32_t first_corner,
                            uint32_t a, uint32_t c, uint32_t *out)
{
    uint32_t b;

    if (c - a < 2)
        return out;
    b = best->middle[a][c];
    *out++ = first_corner + a;
    *out++ = first_corner + c;
    *out++ = first_corner + b;
    out = write_best(best, first_corner, a, b, out);
    return write_best(best, first_corner, b, c, out);
}

/* The cost of the triangulation that the face has. Its triangles are written
 * a, c, b in the order of triangle_number(), from any of the three on. */
static uint32_t present_cost(const struct retriangulation *job,
                             const struct polygon *face,
                             const uint32_t *flipped)
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
    if (!for_each_frame(job, count_flipped))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = batch[i]->count;
        struct best best;

        find_best(points_of(job, batch[i]), n, flipped, &best);
        if (best.cost[0][n - 1] < present_cost(job, batch[i], flipped))
            write_best(&best, batch[i]->first_corner, 0, n - 1,
                       triangles_of(job, batch[i]));
        flipped += triangles_within(n);
    }
    return true;
}

/* A face with collapsed triangles keeps them: `triangles` has no room for more.
 */
static bool can_improve(const struct polygon *face)
{
    return face->count <= CORNERS_MAX &&
           face->triangle_count == face->count - 2;
}

/* Collect faces from `*first` on until COUNTERS_MAX is reached. */
static uint32_t fill_batch(const struct retriangulation *job, uint32_t *first,
                           struct polygon **batch, size_t *counter_count)
{
    uint32_t count = 0;

    *counter_count = 0;
    for (; *first < job->face_count; ++*first) {
        struct polygon *face = &job->faces[*first];
        uint32_t counters;

        if (!can_improve(face))
            continue;
        counters = triangles_within(face->count);
        if (*counter_count + counters > COUNTERS_MAX)
            break;
        *counter_count += counters;
        batch[count++] = face;
    }
    return count;
}

static bool improve(struct retriangulation *job)
{
    struct polygon **batch =
        ARENA_NEW(&job->arena, struct polygon *, job->face_count);
    uint32_t first = 0;
    size_t counter_count;
    uint32_t count = fill_batch(job, &first, batch, &counter_count);

    while (count > 0) {
        struct arena scratch;
        bool is_good;

        arena_init(&scratch);
        job->flipped = ARENA_NEW(&scratch, uint32_t, counter_count);
        is_good = improve_batch(job, batch, count);
        arena_free(&scratch);
        if (!is_good)
            return false;
        count = fill_batch(job, &first, batch, &counter_count);
    }
    return true;
}

/* -- all of it -- */

static struct retriangulate_report report_of(const struct retriangulation *job)
{
    struct retriangulate_report report = {.wrong_count = job->face_count};

    if (job->face_count > 0) {
        report.face = job->faces[0].face;
        report.frame = job->faces[0].wrong_frame;
    }
    for (uint32_t i = 0; i < job->face_count; i++)
        report.large_count += job->faces[i].count > CORNERS_MAX;
    return report;
}

bool retriangulate(struct source *source, const double *times,
                   uint32_t frame_count, struct retriangulate_report *report)
{
    struct retriangulation job = {.source = source, .times = times};
    bool is_good;

    job.frame_count = source->is_moving ? frame_count : 1;
    arena_init(&job.arena);
    list_faces(&job);
    is_good = keep_wrong(&job) && improve(&job) && keep_wrong(&job);
    if (is_good)
        *report = report_of(&job);
    arena_free(&job.arena);
    return is_good;
}
