/* check_cuts.c - do the triangles of each face show the same side, in every
 * frame?
 *
 * A triangle is turned when it faces away from the side that its face shows as
 * a whole. Where a face crosses itself no cut is right, and topology is
 * constant: faces that are wrong in a frame are looked at again, whether there
 * is a cut that is right in all of them.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"
#include "verify/vector.h"

#include <math.h>
#include <string.h>

/* Of the largest coordinate, for those who computed in single precision: an
 * area is off by that and the length of its edges. */
#define ROUNDING 2e-6
/* Larger faces should not be wrong at all. */
#define PROVEN_MAX 256u
/* Triangles noted in a pass over all frames. */
#define NOTES_MAX (16u << 20)

/* How a face lies: the direction that triangles should have, as long as twice
 * its area, and what rounding may make of a product with one. */
struct lie {
    double area[3];
    double rounding;
};

static void add_cross(const double a[3], const double b[3], double sum[3])
{
    for (int c = 0; c < 3; c++)
        sum[c] +=
            a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static const double *point_of(const struct check_mesh *m,
                              const double (*points)[3], uint32_t corner)
{
    return points[m->corners.topology.indices[corner]];
}

/* False: the face's area may be rounding alone. */
static bool find_lie(const struct check_mesh *m, const double (*points)[3],
                     uint32_t face, struct lie *lie)
{
    uint32_t first = m->corners.first_of[face];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    const double *origin = point_of(m, points, first);
    double before[3] = {0, 0, 0};
    double largest = 0;
    double extent = 0;
    double length;

    memset(lie, 0, sizeof *lie);
    for (uint32_t i = 0; i < count; i++) {
        const double *p = point_of(m, points, first + i);
        double at[3];

        vector_subtract(p, origin, at);
        /* Faces run the other way. */
        add_cross(at, before, lie->area);
        memcpy(before, at, sizeof before);
        extent = fmax(extent, vector_length(at));
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(p[c]));
    }
    length = vector_length(lie->area);
    lie->rounding = ROUNDING * largest * extent * length;
    return length * length > lie->rounding;
}

static bool is_turned(const struct check_mesh *m, const double (*points)[3],
                      const struct lie *lie, const uint32_t corners[3])
{
    const double *a = point_of(m, points, corners[0]);
    double edges[2][3];
    double area[3];

    vector_subtract(point_of(m, points, corners[1]), a, edges[0]);
    vector_subtract(point_of(m, points, corners[2]), a, edges[1]);
    vector_cross(edges[0], edges[1], area);
    return vector_dot(area, lie->area) < -lie->rounding;
}

void check_cuts_frame(struct check *check, const struct check_mesh *m,
                      const double (*points)[3])
{
    uint32_t triangle_count = check->tables->meshes[m->mesh].index_count / 3;
    uint32_t face_count = m->corners.topology.face_count;
    struct lie *lies = ARENA_NEW(&check->mesh, struct lie, face_count);

    for (uint32_t f = 0; f < face_count; f++)
        if (!m->is_cut[f] || !find_lie(m, points, f, &lies[f]))
            lies[f].rounding = INFINITY;
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *corners = m->corners_of + 3 * (size_t)t;
        uint32_t face;

        if (corners[0] == MATCH_NONE)
            continue;
        face = m->corners.face_of[corners[0]];
        if (lies[face].rounding < INFINITY &&
            is_turned(m, points, &lies[face], corners)) {
            check->report->turned_triangles++;
            m->is_turned[face] = 1;
        }
    }
}

/* -- is there a better cut? -- */

/* Faces whose triangles of any three corners are noted: 1 where it is turned
 * in some frame. */
struct notes {
    uint32_t count;
    uint32_t *faces;
    uint8_t *is_turned; /* by face and triangle_number */
};

static uint32_t triangles_within(uint32_t count)
{
    return count * (count - 1) * (count - 2) / 6;
}

static uint32_t triangle_number(uint32_t a, uint32_t b, uint32_t c)
{
    return triangles_within(c) + b * (b - 1) / 2 + a;
}

static uint32_t count_of(const struct check_mesh *m, uint32_t face)
{
    return (uint32_t)m->corners.topology.counts[face];
}

static void note_frame(const struct check_mesh *m, const double (*points)[3],
                       const struct notes *notes)
{
    uint8_t *is_noted = notes->is_turned;

    for (uint32_t i = 0; i < notes->count; i++) {
        uint32_t face = notes->faces[i];
        uint32_t first = m->corners.first_of[face];
        uint32_t count = count_of(m, face);
        struct lie lie;

        if (!find_lie(m, points, face, &lie))
            lie.rounding = INFINITY;
        for (uint32_t c = 2; c < count; c++)
            for (uint32_t b = 1; b < c; b++)
                for (uint32_t a = 0; a < b; a++, is_noted++) {
                    const uint32_t corners[3] = {first + a, first + c,
                                                 first + b};

                    if (!*is_noted && is_turned(m, points, &lie, corners))
                        *is_noted = 1;
                }
    }
}

/* Can the corners from a to c be cut without a noted triangle? By the cuts of
 * ever longer stretches. */
static bool has_cut(uint32_t count, const uint8_t *is_noted)
{
    bool is_possible[PROVEN_MAX][PROVEN_MAX] = {{false}};

    for (uint32_t a = 0; a + 1 < count; a++)
        is_possible[a][a + 1] = true;
    for (uint32_t span = 2; span < count; span++)
        for (uint32_t a = 0; a + span < count; a++)
            for (uint32_t b = a + 1; b < a + span; b++)
                if (is_possible[a][b] && is_possible[b][a + span] &&
                    !is_noted[triangle_number(a, b, a + span)])
                    is_possible[a][a + span] = true;
    return is_possible[0][count - 1];
}

/* Looks at the noted faces in all frames, whether the mesh is seen or not: so
 * did whoever cut them. */
static bool judge_notes(struct check *check, const struct check_mesh *m,
                        const struct notes *notes)
{
    const uint8_t *is_noted = notes->is_turned;

    for (uint32_t f = 0; f < check->header->frame_count; f++) {
        struct corner_values values;

        arena_reset(&check->mesh);
        if (!corner_values_read(&m->corners, check->archive, check->seconds[f],
                                &check->mesh, &values))
            return false;
        note_frame(m, values.points, notes);
    }
    for (uint32_t i = 0; i < notes->count; i++) {
        uint32_t count = count_of(m, notes->faces[i]);

        check->report->wrong_cuts += has_cut(count, is_noted);
        is_noted += triangles_within(count);
    }
    return true;
}

bool check_cuts(struct check *check, const struct check_mesh *m)
{
    uint32_t face_count = m->corners.topology.face_count;
    struct notes notes = {0};
    uint32_t used = 0;

    arena_reset(&check->frame);
    notes.faces = ARENA_NEW(&check->frame, uint32_t, face_count);
    notes.is_turned = ARENA_NEW(&check->frame, uint8_t, NOTES_MAX);
    for (uint32_t f = 0; f < face_count; f++) {
        uint32_t count = count_of(m, f);

        if (!m->is_turned[f])
            continue;
        if (count > PROVEN_MAX) {
            check->report->wrong_cuts++;
            continue;
        }
        if (used + triangles_within(count) > NOTES_MAX) {
            if (!judge_notes(check, m, &notes))
                return false;
            memset(notes.is_turned, 0, NOTES_MAX);
            notes.count = 0;
            used = 0;
        }
        notes.faces[notes.count++] = f;
        used += triangles_within(count);
    }
    return notes.count == 0 || judge_notes(check, m, &notes);
}

void check_cuts_open(struct check *check, struct check_mesh *m)
{
    uint32_t face_count = m->corners.topology.face_count;

    m->is_cut = ARENA_NEW(&check->arena, uint8_t, face_count);
    m->is_turned = ARENA_NEW(&check->arena, uint8_t, face_count);
    for (uint32_t f = 0; f < face_count; f++)
        m->is_cut[f] = count_of(m, f) > 3 && !m->is_folded[f];
}
