/* check_match.c - which vertex is which corner, and are the triangles the
 * faces?
 *
 * Corners and vertices are described by their positions and attributes in a
 * few frames spread over the clip, so that points which coincide in one frame
 * are told apart by another.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include <math.h>
#include <string.h>

#define FRAMES_LOOKED_AT 24u
/* Numbers of all rows of the corners together: fewer frames of large meshes. */
#define NUMBERS_MAX (8u << 20)
/* What normals and UVs may differ by to be told apart from others. */
#define NORMAL_UNIT 0.02
/* Normals that the archive lacks are nearly known. */
#define GUESS_UNIT 0.05
#define COLOR_UNIT (1.0 / 255)
/* With less, UVs that are off in all frames could cost more than an unsound
 * fit. */
#define UV_TOLERANCES 4.0

static double scaled(double value, double unit)
{
    return unit > 0 ? value / unit : 0;
}

static void put_position(double *row, const struct check_mesh *m,
                         const double p[3])
{
    for (int c = 0; c < 3; c++)
        row[c] = scaled(p[c], m->tolerance[c]);
}

static void put_uv(double *row, const double *uv, const double tolerance[2])
{
    for (int c = 0; c < 2 && uv; c++)
        row[c] = scaled(uv[c], UV_TOLERANCES * tolerance[c]);
}

/* What is NULL is none. */
static void put_attributes(double *row, const struct check_mesh *m,
                           const double *normal, double normal_unit,
                           const double *uv, const double *color,
                           const double *second_uv)
{
    double length = 0;

    for (int c = 0; c < 3 && normal; c++)
        length += normal[c] * normal[c];
    for (int c = 0; c < 3 && length > 0; c++)
        /* NOLINTNEXTLINE(clang-analyzer-*): none has no length. */
        row[3 + c] = normal[c] / sqrt(length) / normal_unit;
    put_uv(row + 6, uv, m->uv_tolerance);
    for (int c = 0; c < 4 && color; c++)
        row[8 + c] = fmin(fmax(color[c], 0), 1) / COLOR_UNIT;
    put_uv(row + 12, second_uv, m->second_uv_tolerance);
}

/* Each face's normal to the points of its corners, weighted by angle. */
static void add_face(const int32_t *points, int32_t count,
                     const struct corner_values *values, double (*sums)[3])
{
    double normal[3] = {0, 0, 0};
    double length;

    /* Backwards: archives are clockwise. */
    for (int32_t i = 0; i < count; i++) {
        const double *a = values->points[points[(i + 1) % count]];
        const double *b = values->points[points[i]];

        for (int c = 0; c < 3; c++)
            normal[c] += (a[(c + 1) % 3] - b[(c + 1) % 3]) *
                         (a[(c + 2) % 3] + b[(c + 2) % 3]);
    }
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] +
                  normal[2] * normal[2]);
    for (int32_t i = 0; i < count && length > 0; i++) {
        const double *at = values->points[points[i]];
        const double *before = values->points[points[(i + count - 1) % count]];
        const double *after = values->points[points[(i + 1) % count]];
        double back[3];
        double ahead[3];
        double angle;

        for (int c = 0; c < 3; c++) {
            back[c] = before[c] - at[c];
            ahead[c] = after[c] - at[c];
        }
        angle = verify_angle(back, ahead);
        for (int c = 0; c < 3; c++)
            sums[points[i]][c] += angle * normal[c] / length;
    }
}

/* What the compiler makes where the archive has none, but for how faces of
 * more than three corners are cut. */
static const double (*guess_normals(const struct check_mesh *m,
                                    const struct corner_values *values,
                                    struct arena *arena))[3]
{
    const struct abc_topology *topology = &m->corners.topology;
    double(*sums)[3] = arena_alloc(arena, m->corners.point_count, sizeof *sums);

    for (uint32_t f = 0; f < topology->face_count; f++)
        add_face(topology->indices + m->corners.first_of[f],
                 topology->counts[f], values, sums);
    return (const double(*)[3])sums;
}

static void describe_corners(struct check *check, const struct check_mesh *m,
                             const struct corner_values *values,
                             const struct surface *s, uint32_t at,
                             const struct check_rows *rows)
{
    const double(*guess)[3] =
        values->normals ? NULL : guess_normals(m, values, &check->frame);

    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        double *row = rows->corners + (size_t)i * rows->dimension + at;

        put_position(row, m, values->points[m->corners.topology.indices[i]]);
        put_attributes(
            row, m,
            values->normals ? values->normals[i]
                            : guess[m->corners.topology.indices[i]],
            values->normals ? NORMAL_UNIT : GUESS_UNIT,
            values->uvs && s->uvs ? values->uvs[i] : NULL,
            values->colors && s->colors ? values->colors[i] : NULL,
            values->second_uvs && s->second_uvs ? values->second_uvs[i] : NULL);
    }
}

static void describe_vertices(const struct check *check,
                              const struct check_mesh *m,
                              const struct corner_values *values,
                              const struct surface *s, uint32_t at,
                              const struct check_rows *rows)
{
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        double *row = rows->vertices + (size_t)i * rows->dimension + at;
        double p[3];
        double n[3];
        double uv[2];
        double second_uv[2];
        double color[4];

        for (int c = 0; c < 3; c++) {
            p[c] = (double)s->positions[i][c];
            n[c] = (double)s->normals[i][c];
        }
        for (int c = 0; c < 2 && s->uvs; c++)
            uv[c] = (double)s->uvs[i][c];
        for (int c = 0; c < 2 && s->second_uvs; c++)
            second_uv[c] = (double)s->second_uvs[i][c];
        /* Back to where the corners are. */
        if (s->uvs && check->options->flip_v)
            uv[1] = 1 - uv[1];
        if (s->second_uvs && check->options->flip_v)
            second_uv[1] = 1 - second_uv[1];
        for (int c = 0; c < 4 && s->colors; c++)
            color[c] = s->colors[i][c] / 255.0;
        put_position(row, m, p);
        put_attributes(row, m, n, values->normals ? NORMAL_UNIT : GUESS_UNIT,
                       values->uvs && s->uvs ? uv : NULL,
                       values->colors && s->colors ? color : NULL,
                       values->second_uvs && s->second_uvs ? second_uv : NULL);
    }
}

static bool describe_frame(struct check *check, struct check_mesh *m,
                           uint32_t frame, uint32_t at, struct check_rows *rows,
                           struct surface *surface)
{
    struct corner_values values;

    arena_reset(&check->frame);
    if (!cache_surface_mesh(check->reader, frame, m->mesh, &check->frame,
                            surface) ||
        !corner_values_read(&m->corners, check->archive, check->seconds[frame],
                            &check->frame, &values))
        return false;
    describe_corners(check, m, &values, surface, at, rows);
    describe_vertices(check, m, &values, surface, at, rows);
    return true;
}

/* Frames in which the mesh is there to be looked at, spread evenly: or else
 * the first one that has it. */
static bool choose_frames(struct check *check, uint32_t mesh,
                          uint32_t corner_count,
                          uint32_t chosen[FRAMES_LOOKED_AT], uint32_t *count)
{
    uint32_t frame_count = check->header->frame_count;
    uint32_t wanted = FRAMES_LOOKED_AT;
    bool is_present = false;

    if (wanted > NUMBERS_MAX / CHECK_ROW_NUMBERS / (corner_count + 1))
        wanted = NUMBERS_MAX / CHECK_ROW_NUMBERS / (corner_count + 1);
    if (wanted < 2)
        wanted = 2;
    if (check->tables->meshes[mesh].animated_mask == 0)
        wanted = 1;
    *count = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t f =
            wanted < 2
                ? 0
                : (uint32_t)((uint64_t)(frame_count - 1) * i / (wanted - 1));

        if (*count > 0 && chosen[*count - 1] == f)
            continue;
        if (!cache_surface_is_present(check->reader, f, mesh, &is_present))
            return false;
        if (is_present)
            chosen[(*count)++] = f;
    }
    for (uint32_t f = 0; f < frame_count && *count == 0; f++) {
        if (!cache_surface_is_present(check->reader, f, mesh, &is_present))
            return false;
        if (is_present)
            chosen[(*count)++] = f;
    }
    return true;
}

static void find_folded(struct check *check, struct check_mesh *m)
{
    const struct abc_topology *topology = &m->corners.topology;
    uint32_t *seen = ARENA_NEW(&check->mesh, uint32_t, m->corners.point_count);

    m->is_folded = ARENA_NEW(&check->arena, bool, topology->face_count);
    for (uint32_t i = 0; i < topology->corner_count; i++) {
        uint32_t face = m->corners.face_of[i];
        uint32_t *last = &seen[topology->indices[i]];

        m->is_folded[face] = m->is_folded[face] || *last == face + 1;
        *last = face + 1;
    }
}

/* What no triangle has spoken for. */
static void count_unmatched(struct check *check, const struct check_mesh *m,
                            uint32_t vertex_count)
{
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        uint32_t face = m->corners.face_of[i];

        if (m->vertex_of[i] == MATCH_NONE &&
            m->corners.topology.counts[face] >= 3 && !m->is_folded[face])
            check->report->unmatched_corners++;
    }
    for (uint32_t v = 0; v < vertex_count; v++)
        check->report->unmatched_vertices += m->corner_of[v] == MATCH_NONE;
}

bool check_match(struct check *check, struct check_mesh *m)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    uint32_t frames[FRAMES_LOOKED_AT];
    uint32_t count = 0;
    struct match_side corners = {m->corners.topology.corner_count, NULL};
    struct match_side vertices = {mesh->vertex_count, NULL};
    struct surface surface;
    struct check_rows rows;
    struct match_lists lists;

    arena_reset(&check->mesh);
    if (!choose_frames(check, m->mesh, corners.count, frames, &count))
        return false;
    rows.dimension = count * CHECK_ROW_NUMBERS;
    rows.corners =
        ARENA_NEW(&check->mesh, double, (size_t)corners.count *rows.dimension);
    rows.vertices =
        ARENA_NEW(&check->mesh, double, (size_t)vertices.count *rows.dimension);
    for (uint32_t i = 0; i < count; i++)
        if (!describe_frame(check, m, frames[i], i * CHECK_ROW_NUMBERS, &rows,
                            &surface))
            return false;
    find_folded(check, m);
    m->vertex_of = ARENA_NEW(&check->arena, uint32_t, corners.count);
    m->corner_of = ARENA_NEW(&check->arena, uint32_t, vertices.count);
    memset(m->vertex_of, 0xff, corners.count * sizeof *m->vertex_of);
    memset(m->corner_of, 0xff, vertices.count * sizeof *m->corner_of);
    if (count == 0)
        return true;
    corners.rows = rows.corners;
    vertices.rows = rows.vertices;
    match_near(&corners, &vertices, rows.dimension, &check->mesh, &lists);
    check_triangles(check, m, &rows, &lists);
    count_unmatched(check, m, vertices.count);
    check_cuts_open(check, m);
    if (!mikkt_open(&m->mikkt, &m->corners, check->archive,
                    check->options->flip_v, m->corners_of,
                    mesh->index_count / 3, &check->arena))
        return false;
    check_sides_open(check, m);
    return true;
}
