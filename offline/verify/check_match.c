/* check_match.c - which vertex is which corner, and are the triangles the
 * faces?
 *
 * Corners and vertices are described by their positions and attributes in a
 * few frames spread over the clip, so that points which coincide in one frame
 * are told apart by another.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include "verify/match.h"

#include <math.h>
#include <string.h>

#define FRAMES_LOOKED_AT 5u
/* Numbers a frame: position, normal, UV, colour. */
#define ROW_NUMBERS 12u
/* What normals and UVs may differ by to be told apart from others. */
#define NORMAL_UNIT 0.02
#define COLOR_UNIT 1.0

struct rows {
    uint32_t dimension;
    double *corners;
    double *vertices;
};

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

static void put_attributes(double *row, const struct check *check,
                           const struct check_mesh *m, const double *normal,
                           const double *uv, const double *color)
{
    double length = 0;

    for (int c = 0; c < 3 && normal; c++)
        length += normal[c] * normal[c];
    for (int c = 0; c < 3 && length > 0; c++)
        row[3 + c] = normal[c] / sqrt(length) / NORMAL_UNIT;
    for (int c = 0; c < 2 && uv; c++)
        row[6 + c] =
            scaled(c == 1 && check->options->flip_v ? 1 - uv[1] : uv[c],
                   m->uv_tolerance[c] * 4);
    for (int c = 0; c < 4 && color; c++)
        row[8 + c] = (color[c] < 0   ? 0
                      : color[c] > 1 ? 1
                                     : color[c]) *
                     255 / COLOR_UNIT;
}

static void describe_corners(const struct check *check,
                             const struct check_mesh *m,
                             const struct corner_values *values,
                             const struct surface *s, uint32_t at,
                             const struct rows *rows)
{
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        double *row = rows->corners + (size_t)i * rows->dimension + at;

        put_position(row, m, values->points[m->corners.topology.indices[i]]);
        put_attributes(row, check, m,
                       values->normals ? values->normals[i] : NULL,
                       values->uvs && s->uvs ? values->uvs[i] : NULL,
                       values->colors && s->colors ? values->colors[i] : NULL);
    }
}

static void describe_vertices(const struct check *check,
                              const struct check_mesh *m,
                              const struct corner_values *values,
                              const struct surface *s, uint32_t at,
                              const struct rows *rows)
{
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        double *row = rows->vertices + (size_t)i * rows->dimension + at;
        double p[3];
        double n[3];
        double uv[2];
        double color[4];

        for (int c = 0; c < 3; c++) {
            p[c] = (double)s->positions[i][c];
            n[c] = (double)s->normals[i][c];
        }
        for (int c = 0; c < 2 && s->uvs; c++)
            uv[c] = (double)s->uvs[i][c];
        /* put_attributes flips once more: to where the corners are. */
        if (s->uvs && check->options->flip_v)
            uv[1] = 1 - uv[1];
        for (int c = 0; c < 4 && s->colors; c++)
            color[c] = s->colors[i][c] / 255.0;
        put_position(row, m, p);
        put_attributes(row, check, m, values->normals ? n : NULL,
                       values->uvs && s->uvs ? uv : NULL,
                       values->colors && s->colors ? color : NULL);
    }
}

static bool describe_frame(struct check *check, struct check_mesh *m,
                           uint32_t frame, uint32_t at, struct rows *rows,
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
                          uint32_t chosen[FRAMES_LOOKED_AT], uint32_t *count)
{
    uint32_t frame_count = check->header->frame_count;
    uint32_t wanted =
        check->tables->meshes[mesh].animated_mask ? FRAMES_LOOKED_AT : 1;
    bool is_present = false;

    *count = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t f = (uint32_t)((uint64_t)(frame_count - 1) * i /
                                (FRAMES_LOOKED_AT - 1));

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

/* Lists of corners per vertex, and what was left over. */
static void invert_match(struct check *check, struct check_mesh *m,
                         uint32_t vertex_count)
{
    uint32_t corner_count = m->corners.topology.corner_count;
    uint32_t *fill = ARENA_NEW(&check->arena, uint32_t, vertex_count + 1);

    m->corner_of = ARENA_NEW(&check->arena, uint32_t, vertex_count);
    m->first_corner = ARENA_NEW(&check->arena, uint32_t, vertex_count + 1);
    m->corner_list = ARENA_NEW(&check->arena, uint32_t, corner_count);
    for (uint32_t i = 0; i < corner_count; i++)
        if (m->vertex_of[i] != MATCH_NONE)
            m->first_corner[m->vertex_of[i] + 1]++;
        else if (m->corners.topology.counts[m->corners.face_of[i]] >= 3 &&
                 !check_face_is_folded(m, m->corners.face_of[i]))
            check->report->unmatched_corners++;
    for (uint32_t v = 0; v < vertex_count; v++) {
        m->corner_of[v] = MATCH_NONE;
        check->report->unmatched_vertices += m->first_corner[v + 1] == 0;
        m->first_corner[v + 1] += m->first_corner[v];
        fill[v] = m->first_corner[v];
    }
    for (uint32_t i = corner_count; i-- > 0;)
        if (m->vertex_of[i] != MATCH_NONE)
            m->corner_of[m->vertex_of[i]] = i;
    for (uint32_t i = 0; i < corner_count; i++)
        if (m->vertex_of[i] != MATCH_NONE)
            m->corner_list[fill[m->vertex_of[i]]++] = i;
}

bool check_match(struct check *check, struct check_mesh *m)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    uint32_t frames[FRAMES_LOOKED_AT];
    uint32_t count = 0;
    struct match_side corners = {m->corners.topology.corner_count, NULL};
    struct match_side vertices = {mesh->vertex_count, NULL};
    struct surface surface;
    struct rows rows;

    arena_reset(&check->mesh);
    if (!choose_frames(check, m->mesh, frames, &count))
        return false;
    rows.dimension = count * ROW_NUMBERS;
    rows.corners =
        ARENA_NEW(&check->mesh, double, (size_t)corners.count *rows.dimension);
    rows.vertices =
        ARENA_NEW(&check->mesh, double, (size_t)vertices.count *rows.dimension);
    for (uint32_t i = 0; i < count; i++)
        if (!describe_frame(check, m, frames[i], i * ROW_NUMBERS, &rows,
                            &surface))
            return false;
    m->vertex_of = ARENA_NEW(&check->arena, uint32_t, corners.count);
    corners.rows = rows.corners;
    vertices.rows = rows.vertices;
    if (count > 0)
        match_nearest(&corners, &vertices, rows.dimension, &check->mesh,
                      m->vertex_of);
    invert_match(check, m, mesh->vertex_count);
    if (count > 0)
        check_triangles(check, m, &surface);
    return true;
}
