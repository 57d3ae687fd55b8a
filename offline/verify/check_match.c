/* check_match.c - pairs the corners of a mesh with vertices.
 *
 * Corners and vertices are described by rows of numbers (corner_match.h):
 * their positions and parameters in up to 24 frames spread over the clip, so
 * that points with the same position in one frame are distinguished by another.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_match.h"

#include "render/cache_surface.h"
#include "verify/channel_values.h"
#include "verify/check.h"
#include "verify/check_coverage.h"
#include "verify/vector.h"

#include <string.h>

#define FRAMES_SAMPLED_MAX 24u
/* The size of the rows of all corners together. Of large meshes, fewer frames
 * are sampled. */
#define NUMBERS_MAX (8u << 20)

/* Weights: differences that count as much as the tolerance of positions. */
#define NORMAL_UNIT 0.02
/* For normals that are estimated here, since the archive has none. */
#define ESTIMATED_NORMAL_UNIT 0.05
#define COLOR_UNIT 1.0 /* of 255 */
/* In tolerances. If it were smaller, wrong UVs in all frames could cost more
 * than an unsound fit. */
#define UV_TOLERANCES 4.0

/* -- rows -- */

/* The values of one frame, of the archive and of the cache. */
struct row_source {
    const struct corner_values *values;
    const struct surface *surface;
    const double (*estimated_normals)[3]; /* per point; NULL: not needed */
    double units[CORNER_PARAM_COUNT][CORNER_EXTENT_MAX]; /* 0: write 0 */
};

/* Add the angle-weighted normal of one face to those of its points. */
static void add_face_normal(const int32_t *points, int32_t count,
                            const struct corner_values *values,
                            double (*sums)[3])
{
    double normal[3] = {0, 0, 0};
    double length;

    /* Backwards: faces of archives are clockwise. */
    for (int32_t i = 0; i < count; i++) {
        const double *a = values->points[points[(i + 1) % count]];
        const double *b = values->points[points[i]];

        for (int c = 0; c < 3; c++)
            normal[c] += (a[(c + 1) % 3] - b[(c + 1) % 3]) *
                         (a[(c + 2) % 3] + b[(c + 2) % 3]);
    }
    length = vector_length(normal);
    for (int32_t i = 0; i < count && length > 0; i++) {
        const double *at = values->points[points[i]];
        double back[3];
        double ahead[3];
        double angle;

        vector_subtract(values->points[points[(i + count - 1) % count]], at,
                        back);
        vector_subtract(values->points[points[(i + 1) % count]], at, ahead);
        angle = vector_angle(back, ahead);
        for (int c = 0; c < 3; c++)
            sums[points[i]][c] += angle * normal[c] / length;
    }
}

/* The normals that the compiler computes where the archive has none; those of
 * faces with more than three corners differ slightly, since they depend on how
 * the face is triangulated. */
static const double (*estimate_normals(const struct check_mesh *m,
                                       const struct corner_values *values,
                                       struct arena *arena))[3]
{
    const struct abc_topology *topology = &m->corners.topology;
    double(*sums)[3] = arena_alloc(arena, m->corners.point_count, sizeof *sums);

    for (uint32_t f = 0; f < topology->face_count; f++)
        add_face_normal(topology->indices + m->corners.first_of[f],
                        topology->counts[f], values, sums);
    return (const double(*)[3])sums;
}

static void set_units(const struct check_mesh *m, struct row_source *source)
{
    const struct corner_values *values = source->values;
    const struct surface *s = source->surface;
    double normal_unit =
        values->params[CORNER_NORMAL] ? NORMAL_UNIT : ESTIMATED_NORMAL_UNIT;

    memset(source->units, 0, sizeof source->units);
    for (int c = 0; c < 3; c++)
        source->units[CORNER_NORMAL][c] = normal_unit;
    for (int c = 0; c < 2; c++) {
        if (values->params[CORNER_UV] && s->uvs)
            source->units[CORNER_UV][c] =
                UV_TOLERANCES * m->tolerance.params[CORNER_UV][c];
        if (values->params[CORNER_SECOND_UV] && s->second_uvs)
            source->units[CORNER_SECOND_UV][c] =
                UV_TOLERANCES * m->tolerance.params[CORNER_SECOND_UV][c];
    }
    for (int c = 0; c < 4 && values->params[CORNER_COLOR] && s->colors; c++)
        source->units[CORNER_COLOR][c] = COLOR_UNIT;
}

static double *write_numbers(double *row, const double *value,
                             const double *units, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        *row++ = units[c] > 0 ? value[c] / units[c] : 0;
    return row;
}

static void write_corner(double *row, const struct check_mesh *m,
                         const struct row_source *source, uint32_t corner,
                         bool flip_v)
{
    int32_t point = m->corners.topology.indices[corner];

    row = write_numbers(row, source->values->points[point],
                        m->tolerance.position, 3);
    for (int p = CORNER_NORMAL; p <= CORNER_SECOND_UV; p++) {
        enum corner_param param = (enum corner_param)p;
        double value[CORNER_EXTENT_MAX] = {0};

        if (!channel_of_corner(source->values, param, corner, flip_v, value) &&
            param == CORNER_NORMAL)
            memcpy(value, source->estimated_normals[point],
                   sizeof *source->estimated_normals);
        if (param == CORNER_NORMAL)
            vector_normalize(value);
        row = write_numbers(row, value, source->units[p], corner_extent(param));
    }
}

static void write_vertex(double *row, const struct check_mesh *m,
                         const struct row_source *source, uint32_t vertex)
{
    const float *position = source->surface->positions[vertex];
    double at[3] = {(double)position[0], (double)position[1],
                    (double)position[2]};

    row = write_numbers(row, at, m->tolerance.position, 3);
    for (int p = CORNER_NORMAL; p <= CORNER_SECOND_UV; p++) {
        enum corner_param param = (enum corner_param)p;
        double value[CORNER_EXTENT_MAX] = {0};

        channel_of_vertex(source->surface, param, vertex, value);
        if (param == CORNER_NORMAL)
            vector_normalize(value);
        row = write_numbers(row, value, source->units[p], corner_extent(param));
    }
}

/* Write the numbers of one frame into all rows, from index `at` on. */
static bool describe_frame(struct check *check, const struct check_mesh *m,
                           uint32_t frame, uint32_t at,
                           const struct check_rows *rows)
{
    struct corner_values values;
    struct surface surface;
    struct row_source source = {.values = &values, .surface = &surface};

    arena_reset(&check->frame_arena);
    if (!cache_surface_mesh(check->reader, frame, m->mesh, &check->frame_arena,
                            &surface) ||
        !corner_values_read(&m->corners, check->archive, check->seconds[frame],
                            &check->frame_arena, &values))
        return false;
    if (!values.params[CORNER_NORMAL])
        source.estimated_normals =
            estimate_normals(m, &values, &check->frame_arena);
    set_units(m, &source);
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++)
        write_corner(rows->corners + (size_t)i * rows->dimension + at, m,
                     &source, i, check->options->flip_v);
    for (uint32_t i = 0; i < surface.vertex_count; i++)
        write_vertex(rows->vertices + (size_t)i * rows->dimension + at, m,
                     &source, i);
    return true;
}

/* -- frames -- */

/* Choose evenly spread frames that have the mesh. If none of these has it,
 * choose the first frame that does. */
static bool choose_frames(struct check *check, uint32_t mesh,
                          uint32_t corner_count,
                          uint32_t chosen[FRAMES_SAMPLED_MAX], uint32_t *count)
{
    uint32_t frame_count = check->header->frame_count;
    uint32_t wanted = FRAMES_SAMPLED_MAX;
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

/* -- the mesh -- */

static void find_repeated_points(struct check *check, struct check_mesh *m)
{
    const struct abc_topology *topology = &m->corners.topology;
    uint32_t *seen =
        ARENA_NEW(&check->mesh_arena, uint32_t, m->corners.point_count);

    m->pairs.repeats_point =
        ARENA_NEW(&check->run_arena, bool, topology->face_count);
    for (uint32_t i = 0; i < topology->corner_count; i++) {
        uint32_t face = m->corners.face_of[i];
        uint32_t *last = &seen[topology->indices[i]];

        m->pairs.repeats_point[face] =
            m->pairs.repeats_point[face] || *last == face + 1;
        *last = face + 1;
    }
}

/* Count the corners and vertices that no triangle was assigned to. */
static void count_unmatched(struct check *check, const struct check_mesh *m,
                            uint32_t vertex_count)
{
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        uint32_t face = m->corners.face_of[i];

        if (m->pairs.vertex_of[i] == MATCH_NONE &&
            m->corners.topology.counts[face] >= 3 &&
            !m->pairs.repeats_point[face])
            check->report->unmatched_corners++;
    }
    for (uint32_t v = 0; v < vertex_count; v++)
        check->report->unmatched_vertices +=
            m->pairs.corner_of[v] == MATCH_NONE;
}

bool check_match(struct check *check, struct check_mesh *m)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    uint32_t frames[FRAMES_SAMPLED_MAX];
    uint32_t count = 0;
    struct match_side corners = {m->corners.topology.corner_count, NULL};
    struct match_side vertices = {mesh->vertex_count, NULL};
    struct check_rows rows;
    struct match_lists lists;

    arena_reset(&check->mesh_arena);
    if (!choose_frames(check, m->mesh, corners.count, frames, &count))
        return false;
    rows.dimension = count * CHECK_ROW_NUMBERS;
    rows.corners = ARENA_NEW(&check->mesh_arena, double,
                             (size_t)corners.count *rows.dimension);
    rows.vertices = ARENA_NEW(&check->mesh_arena, double,
                              (size_t)vertices.count *rows.dimension);
    for (uint32_t i = 0; i < count; i++)
        if (!describe_frame(check, m, frames[i], i * CHECK_ROW_NUMBERS, &rows))
            return false;
    find_repeated_points(check, m);
    m->pairs.vertex_of = ARENA_NEW(&check->run_arena, uint32_t, corners.count);
    m->pairs.corner_of = ARENA_NEW(&check->run_arena, uint32_t, vertices.count);
    memset(m->pairs.vertex_of, 0xff,
           corners.count * sizeof *m->pairs.vertex_of);
    memset(m->pairs.corner_of, 0xff,
           vertices.count * sizeof *m->pairs.corner_of);
    if (count == 0)
        return true;
    corners.rows = rows.corners;
    vertices.rows = rows.vertices;
    match_near(&corners, &vertices, rows.dimension, &check->mesh_arena, &lists);
    check_coverage(check, m, &rows, &lists);
    count_unmatched(check, m, vertices.count);
    check_flipped_open(check, m);
    return check_tangents_open(check, m);
}
