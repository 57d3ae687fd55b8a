/* check_flipped.c - checks that no triangle of a face is flipped.
 *
 * A triangle is flipped in a frame when its normal points against the normal of
 * its face. The triangulation of a face is the same in all frames. If the face
 * intersects itself in some frame, there may be no triangulation that is right
 * in all of them. Therefore faces with a flipped triangle are examined again
 * after all frames: the triangulation is wrong if another one has no flipped
 * triangle in any frame.
 *
 * The compiler triangulates faces of more than 32 corners for the first frame
 * only. Of these, only the first frame is examined.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_flipped.h"

#include "verify/check.h"
#include "verify/vector.h"

#include <math.h>
#include <string.h>

/* The relative error of coordinates in single precision: the error of an area
 * is this times the largest coordinate times the length of its edges. */
#define ROUNDING 2e-6
/* Faces with more corners are wrong without a search for another
 * triangulation. */
#define SEARCHED_MAX 256u
/* Faces with more corners are examined in frame 0 only. */
#define ALL_FRAMES_MAX 32u
/* Entries of the table of one pass over all frames. */
#define TABLE_MAX (16u << 20)

/* The normal of a face in one frame, outward, as long as twice its area; and
 * the rounding error of its dot product with the normal of a triangle. */
struct face_orientation {
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

/* Returns false if the area of the face is within rounding. */
static bool find_orientation(const struct check_mesh *m,
                             const double (*points)[3], uint32_t face,
                             struct face_orientation *orientation)
{
    uint32_t first = m->corners.first_of[face];
    uint32_t count = (uint32_t)m->corners.topology.counts[face];
    const double *origin = point_of(m, points, first);
    double before[3] = {0, 0, 0};
    double largest = 0;
    double extent = 0;
    double length;

    memset(orientation, 0, sizeof *orientation);
    for (uint32_t i = 0; i < count; i++) {
        const double *p = point_of(m, points, first + i);
        double at[3];

        vector_subtract(p, origin, at);
        /* Faces are clockwise, triangles are not. */
        add_cross(at, before, orientation->area);
        memcpy(before, at, sizeof before);
        extent = fmax(extent, vector_length(at));
        for (int c = 0; c < 3; c++)
            largest = fmax(largest, fabs(p[c]));
    }
    length = vector_length(orientation->area);
    orientation->rounding = ROUNDING * largest * extent * length;
    return length * length > orientation->rounding;
}

static bool is_flipped(const struct check_mesh *m, const double (*points)[3],
                       const struct face_orientation *orientation,
                       const uint32_t corners[3])
{
    const double *a = point_of(m, points, corners[0]);
    double edges[2][3];
    double area[3];

    vector_subtract(point_of(m, points, corners[1]), a, edges[0]);
    vector_subtract(point_of(m, points, corners[2]), a, edges[1]);
    vector_cross(edges[0], edges[1], area);
    return vector_dot(area, orientation->area) < -orientation->rounding;
}

static uint32_t count_of(const struct check_mesh *m, uint32_t face)
{
    return (uint32_t)m->corners.topology.counts[face];
}

static bool is_examined(const struct check_mesh *m, uint32_t face,
                        uint32_t frame)
{
    return frame == 0 || count_of(m, face) <= ALL_FRAMES_MAX;
}

void check_flipped_frame(struct check *check, const struct check_mesh *m,
                         uint32_t frame, const double (*points)[3])
{
    uint32_t triangle_count = check->tables->meshes[m->mesh].index_count / 3;
    uint32_t face_count = m->corners.topology.face_count;
    struct face_orientation *faces =
        ARENA_NEW(&check->mesh_arena, struct face_orientation, face_count);

    for (uint32_t f = 0; f < face_count; f++)
        if (!m->flips.is_divided[f] ||
            !find_orientation(m, points, f, &faces[f]))
            faces[f].rounding = INFINITY;
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *corners = m->pairs.corner_of_index + 3 * (size_t)t;
        uint32_t face;

        if (corners[0] == MATCH_NONE)
            continue;
        face = m->corners.face_of[corners[0]];
        if (faces[face].rounding < INFINITY &&
            is_flipped(m, points, &faces[face], corners)) {
            check->report->flipped_triangles++;
            m->flips.is_flipped[face] |= is_examined(m, face, frame);
        }
    }
}

/* -- is another triangulation right? -- */

/* For some faces, and each triangle of any three of their corners: 1 where it
 * is flipped in some frame. */
struct flip_table {
    uint32_t count;
    uint32_t *faces;
    uint8_t *is_flipped; /* faces one after the other, in each by
                          * triangle_number */
};

static uint32_t triangles_within(uint32_t count)
{
    return count * (count - 1) * (count - 2) / 6;
}

static uint32_t triangle_number(uint32_t a, uint32_t b, uint32_t c)
{
    return triangles_within(c) + b * (b - 1) / 2 + a;
}

static void record_frame(const struct check_mesh *m, uint32_t frame,
                         const double (*points)[3],
                         const struct flip_table *table)
{
    uint8_t *is_flipped_ever = table->is_flipped;

    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t face = table->faces[i];
        uint32_t first = m->corners.first_of[face];
        uint32_t count = count_of(m, face);
        struct face_orientation orientation;

        if (!is_examined(m, face, frame) ||
            !find_orientation(m, points, face, &orientation))
            orientation.rounding = INFINITY;
        for (uint32_t c = 2; c < count; c++)
            for (uint32_t b = 1; b < c; b++)
                for (uint32_t a = 0; a < b; a++, is_flipped_ever++) {
                    const uint32_t corners[3] = {first + a, first + c,
                                                 first + b};

                    if (!*is_flipped_ever &&
                        is_flipped(m, points, &orientation, corners))
                        *is_flipped_ever = 1;
                }
    }
}

/* Return whether the face can be divided into triangles that are never flipped.
 * Tried for ranges of corners, from the shortest to the whole face. */
static bool has_triangulation(uint32_t count, const uint8_t *is_flipped_ever)
{
    bool is_possible[SEARCHED_MAX][SEARCHED_MAX] = {{false}};

    for (uint32_t a = 0; a + 1 < count; a++)
        is_possible[a][a + 1] = true;
    for (uint32_t span = 2; span < count; span++)
        for (uint32_t a = 0; a + span < count; a++)
            for (uint32_t b = a + 1; b < a + span; b++)
                if (is_possible[a][b] && is_possible[b][a + span] &&
                    !is_flipped_ever[triangle_number(a, b, a + span)])
                    is_possible[a][a + span] = true;
    return is_possible[0][count - 1];
}

/* Fill the table from all frames, and count the faces whose triangulation is
 * wrong. The compiler considers frames in which the mesh is invisible, too. */
static bool find_wrong_faces(struct check *check, const struct check_mesh *m,
                             const struct flip_table *table)
{
    const uint8_t *is_flipped_ever = table->is_flipped;

    for (uint32_t f = 0; f < check->header->frame_count; f++) {
        struct corner_values values;

        arena_reset(&check->mesh_arena);
        if (!corner_values_read(&m->corners, check->archive, check->seconds[f],
                                &check->mesh_arena, &values))
            return false;
        record_frame(m, f, values.points, table);
    }
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t count = count_of(m, table->faces[i]);

        check->report->wrong_triangulations +=
            has_triangulation(count, is_flipped_ever);
        is_flipped_ever += triangles_within(count);
    }
    return true;
}

bool check_flipped(struct check *check, const struct check_mesh *m)
{
    uint32_t face_count = m->corners.topology.face_count;
    struct flip_table table = {0};
    uint32_t used = 0;

    arena_reset(&check->frame_arena);
    table.faces = ARENA_NEW(&check->frame_arena, uint32_t, face_count);
    table.is_flipped = ARENA_NEW(&check->frame_arena, uint8_t, TABLE_MAX);
    for (uint32_t f = 0; f < face_count; f++) {
        uint32_t count = count_of(m, f);

        if (!m->flips.is_flipped[f])
            continue;
        if (count > SEARCHED_MAX) {
            check->report->wrong_triangulations++;
            continue;
        }
        if (used + triangles_within(count) > TABLE_MAX) {
            if (!find_wrong_faces(check, m, &table))
                return false;
            memset(table.is_flipped, 0, TABLE_MAX);
            table.count = 0;
            used = 0;
        }
        table.faces[table.count++] = f;
        used += triangles_within(count);
    }
    return table.count == 0 || find_wrong_faces(check, m, &table);
}

void check_flipped_open(struct check *check, struct check_mesh *m)
{
    uint32_t face_count = m->corners.topology.face_count;

    m->flips.is_divided = ARENA_NEW(&check->run_arena, uint8_t, face_count);
    m->flips.is_flipped = ARENA_NEW(&check->run_arena, uint8_t, face_count);
    for (uint32_t f = 0; f < face_count; f++)
        m->flips.is_divided[f] =
            count_of(m, f) > 3 && !m->pairs.repeats_point[f];
}
