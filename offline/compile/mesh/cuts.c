/* cuts.c - looks at all frames, then once more for the few faces that need
 * it, and again for those too large to try everything.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/cuts.h"

#include "compile/mesh/face_lie.h"

#include <string.h>

#define NONE UINT32_MAX
/* Cuts that a large face is given a try with. */
#define TRIALS_MAX 6u
/* Numbers of a pass over all frames: faces are taken in lots. */
#define NUMBERS_MAX (4u << 20)

struct cut_face {
    uint32_t face;
    uint32_t first_corner;
    uint32_t count;
    uint32_t first_triangle;
    uint32_t triangle_count; /* fewer than count - 2: some use a point twice */
    uint32_t wrong_in;       /* the first frame with a turned triangle; NONE */
};

struct trial;
struct mender {
    struct source *source;
    const double *times;
    uint32_t frame_count;
    struct arena arena;
    struct vec3 *at;      /* corners of the face at hand, from the first */
    uint32_t corners_max; /* of a face */
    uint32_t face_count;
    struct cut_face *faces;
    /* A lot of faces with all their triangles. */
    struct cut_face *const *lot;
    uint32_t lot_count;
    uint32_t *turned; /* frames in which each is turned */
    /* Large faces. */
    struct face_cutter cutter;
    uint32_t trial_count; /* that go on */
    struct trial *trials;
};

typedef void look(struct mender *mender, uint32_t frame,
                  const float *positions);

static bool each_frame(struct mender *mender, look *look_at)
{
    struct arena arena;
    bool is_good = true;

    arena_init(&arena);
    for (uint32_t i = 0; i < mender->frame_count && is_good; i++) {
        const float *positions;

        arena_reset(&arena);
        is_good = source_positions(mender->source, mender->times[i], &arena,
                                   &positions);
        if (is_good)
            look_at(mender, i, positions);
    }
    arena_free(&arena);
    return is_good;
}

/* -- faces that are wrong -- */

static const uint32_t *points_of(const struct mender *mender,
                                 const struct cut_face *face)
{
    return mender->source->corner_points + face->first_corner;
}

static uint32_t *triangles_of(const struct mender *mender,
                              const struct cut_face *face)
{
    return mender->source->triangles.corners + 3 * (size_t)face->first_triangle;
}

/* `corners`: three of each triangle, counted from `first`. */
static bool has_turned(const struct mender *mender, const struct cut_face *face,
                       const float *positions, const uint32_t *corners,
                       uint32_t first, uint32_t triangle_count)
{
    struct face_lie lie = face_lie_look(points_of(mender, face), face->count,
                                        positions, mender->at);

    for (uint32_t i = 0; i < 3 * triangle_count; i += 3)
        if (face_lie_is_turned(&lie, corners[i] - first, corners[i + 1] - first,
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
static void list_faces(struct mender *mender)
{
    const struct source *source = mender->source;
    const struct triangulation *cut = &source->triangles;
    uint32_t triangle = 0;
    uint32_t count;

    for (uint32_t c = 0; c < source->corner_count; c += count) {
        count = corners_from(source, c);
        mender->face_count += count > 3;
        if (count > mender->corners_max)
            mender->corners_max = count;
    }
    mender->faces =
        ARENA_NEW(&mender->arena, struct cut_face, mender->face_count);
    mender->face_count = 0;
    for (uint32_t c = 0; c < source->corner_count; c += count) {
        uint32_t face = source->corner_faces[c];
        uint32_t first = triangle;

        count = corners_from(source, c);
        while (triangle < cut->triangle_count && cut->faces[triangle] == face)
            triangle++;
        if (count > 3)
            mender->faces[mender->face_count++] = (struct cut_face){
                face, c, count, first, triangle - first, NONE};
    }
}

static void look_for_wrong(struct mender *mender, uint32_t frame,
                           const float *positions)
{
    for (uint32_t i = 0; i < mender->face_count; i++) {
        struct cut_face *face = &mender->faces[i];

        if (face->wrong_in == NONE &&
            has_turned(mender, face, positions, triangles_of(mender, face),
                       face->first_corner, face->triangle_count))
            face->wrong_in = frame;
    }
}

/* Keep those that are wrong in some frame. */
static bool find_wrong(struct mender *mender)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < mender->face_count; i++)
        mender->faces[i].wrong_in = NONE;
    if (!each_frame(mender, look_for_wrong))
        return false;
    for (uint32_t i = 0; i < mender->face_count; i++)
        if (mender->faces[i].wrong_in != NONE)
            mender->faces[count++] = mender->faces[i];
    mender->face_count = count;
    return true;
}

/* -- all cuts of a small face -- */

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

static void look_at_all(struct mender *mender, uint32_t frame,
                        const float *positions)
{
    uint32_t *turned = mender->turned;

    (void)frame;
    for (uint32_t i = 0; i < mender->lot_count; i++) {
        const struct cut_face *face = mender->lot[i];
        struct face_lie lie = face_lie_look(points_of(mender, face),
                                            face->count, positions, mender->at);

        /* In the order of their numbers. */
        for (uint32_t c = 2; c < face->count; c++)
            for (uint32_t b = 1; b < c; b++)
                for (uint32_t a = 0; a < b; a++)
                    *turned++ += face_lie_is_turned(&lie, a, c, b);
    }
}

/* The cheapest cuts of the corners first .. last, and where each goes on. */
struct plan {
    uint32_t cost[CUTS_EXACT_MAX][CUTS_EXACT_MAX];
    uint32_t middle[CUTS_EXACT_MAX][CUTS_EXACT_MAX];
};

/* Dearer than what is turned in all frames. */
#define COLLAPSED_COST (1u << 26)

static uint32_t cost_of(const uint32_t *points, const uint32_t *turned,
                        uint32_t a, uint32_t b, uint32_t c)
{
    if (points[a] == points[b] || points[b] == points[c] ||
        points[c] == points[a])
        return COLLAPSED_COST;
    return turned[triangle_number(a, b, c)];
}

static void make_plan(const uint32_t *points, uint32_t count,
                      const uint32_t *turned, struct plan *plan)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        plan->cost[i][i + 1] = 0;
    for (uint32_t span = 2; span < count; span++)
        for (uint32_t a = 0; a + span < count; a++) {
            uint32_t c = a + span;

            plan->cost[a][c] = NONE;
            for (uint32_t b = a + 1; b < c; b++) {
                uint32_t cost = plan->cost[a][b] + plan->cost[b][c] +
                                cost_of(points, turned, a, b, c);

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
static uint32_t cost_now(const struct mender *mender,
                         const struct cut_face *face, const uint32_t *turned)
{
    const uint32_t *corners = triangles_of(mender, face);
    uint32_t cost = 0;

    for (uint32_t t = 0; t < face->triangle_count; t++, corners += 3) {
        uint32_t first = 0;

        for (uint32_t i = 1; i < 3; i++)
            if (corners[i] < corners[first])
                first = i;
        cost += turned[triangle_number(
            corners[first] - face->first_corner,
            corners[(first + 2) % 3] - face->first_corner,
            corners[(first + 1) % 3] - face->first_corner)];
    }
    return cost;
}

static bool mend_lot(struct mender *mender, struct cut_face *const *lot,
                     uint32_t count)
{
    const uint32_t *turned = mender->turned;

    mender->lot = lot;
    mender->lot_count = count;
    if (!each_frame(mender, look_at_all))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = lot[i]->count;
        struct plan plan;

        make_plan(points_of(mender, lot[i]), n, turned, &plan);
        if (plan.cost[0][n - 1] < cost_now(mender, lot[i], turned))
            follow_plan(&plan, lot[i]->first_corner, 0, n - 1,
                        triangles_of(mender, lot[i]));
        turned += triangles_within(n);
    }
    return true;
}

static bool is_whole(const struct cut_face *face)
{
    return face->triangle_count == face->count - 2;
}

/* Faces from `*first` on as long as there is room for their numbers. */
static uint32_t fill_lot(const struct mender *mender, uint32_t *first,
                         struct cut_face **lot, size_t *number_count)
{
    uint32_t count = 0;

    *number_count = 0;
    for (; *first < mender->face_count; ++*first) {
        struct cut_face *face = &mender->faces[*first];
        uint32_t numbers;

        if (face->count > CUTS_EXACT_MAX || !is_whole(face))
            continue;
        numbers = triangles_within(face->count);
        if (*number_count + numbers > NUMBERS_MAX)
            break;
        *number_count += numbers;
        lot[count++] = face;
    }
    return count;
}

static bool mend_small(struct mender *mender)
{
    struct cut_face **lot =
        ARENA_NEW(&mender->arena, struct cut_face *, mender->face_count);
    uint32_t first = 0;
    size_t number_count;
    uint32_t count = fill_lot(mender, &first, lot, &number_count);

    while (count > 0) {
        struct arena scratch;
        bool is_good;

        arena_init(&scratch);
        mender->turned = ARENA_NEW(&scratch, uint32_t, number_count);
        is_good = mend_lot(mender, lot, count);
        arena_free(&scratch);
        if (!is_good)
            return false;
        count = fill_lot(mender, &first, lot, &number_count);
    }
    return true;
}

/* -- a few cuts of a large face -- */

struct trial {
    const struct cut_face *face;
    uint32_t *corners; /* the cut that is looked at */
    uint32_t *next;    /* as the face lies where that is wrong first */
    bool has_next;
    uint32_t wrong_count; /* frames */
    uint32_t best_count;  /* ... of the cut that the face has */
};

static void look_at_trials(struct mender *mender, uint32_t frame,
                           const float *positions)
{
    (void)frame;
    for (uint32_t i = 0; i < mender->trial_count; i++) {
        struct trial *trial = &mender->trials[i];
        const struct cut_face *face = trial->face;

        if (!has_turned(mender, face, positions, trial->corners, 0,
                        face->count - 2))
            continue;
        trial->wrong_count++;
        if (!trial->has_next)
            face_cutter_cut(&mender->cutter, points_of(mender, face),
                            face->count, positions, trial->next);
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
static bool end_trial(struct mender *mender, struct trial *trial)
{
    const struct cut_face *face = trial->face;
    uint32_t corner_count = 3 * (face->count - 2);
    uint32_t *tried = trial->corners;

    if (trial->wrong_count < trial->best_count) {
        trial->best_count = trial->wrong_count;
        for (uint32_t i = 0; i < corner_count; i++)
            triangles_of(mender, face)[i] = face->first_corner + tried[i];
    }
    trial->corners = trial->next;
    trial->next = tried;
    trial->has_next = false;
    trial->wrong_count = 0;
    return trial->best_count > 0 &&
           memcmp(tried, trial->corners, corner_count * sizeof *tried) != 0 &&
           !uses_a_point_twice(points_of(mender, face), trial->corners,
                               face->count - 2);
}

static bool mend_large(struct mender *mender)
{
    mender->trials =
        ARENA_NEW(&mender->arena, struct trial, mender->face_count);
    for (uint32_t i = 0; i < mender->face_count; i++) {
        const struct cut_face *face = &mender->faces[i];
        struct trial *trial = &mender->trials[mender->trial_count];
        uint32_t corner_count = 3 * (face->count - 2);

        if (face->count <= CUTS_EXACT_MAX || !is_whole(face))
            continue;
        mender->trial_count++;
        trial->face = face;
        trial->corners = ARENA_NEW(&mender->arena, uint32_t, corner_count);
        trial->next = ARENA_NEW(&mender->arena, uint32_t, corner_count);
        trial->best_count = NONE;
        for (uint32_t k = 0; k < corner_count; k++)
            trial->corners[k] =
                triangles_of(mender, face)[k] - face->first_corner;
    }
    face_cutter_open(&mender->cutter, mender->corners_max, &mender->arena);
    for (uint32_t i = 0; i < TRIALS_MAX && mender->trial_count > 0; i++) {
        uint32_t count = 0;

        if (!each_frame(mender, look_at_trials))
            return false;
        for (uint32_t k = 0; k < mender->trial_count; k++)
            if (end_trial(mender, &mender->trials[k]))
                mender->trials[count++] = mender->trials[k];
        mender->trial_count = count;
    }
    return true;
}

/* -- all of it -- */

static bool mend(struct mender *mender)
{
    list_faces(mender);
    mender->at = ARENA_NEW(&mender->arena, struct vec3, mender->corners_max);
    if (mender->face_count == 0)
        return true;
    if (!find_wrong(mender))
        return false;
    return mender->face_count == 0 ||
           (mend_small(mender) && mend_large(mender) && find_wrong(mender));
}

bool cuts_mend(struct source *source, const double *times, uint32_t frame_count,
               struct cuts_report *report)
{
    struct mender mender = {.source = source, .times = times};
    bool is_good;

    mender.frame_count = source->is_moving ? frame_count : 1;
    arena_init(&mender.arena);
    is_good = mend(&mender);
    *report = (struct cuts_report){0};
    if (is_good && mender.face_count > 0)
        *report = (struct cuts_report){mender.face_count, mender.faces[0].face,
                                       mender.faces[0].wrong_in};
    arena_free(&mender.arena);
    return is_good;
}
