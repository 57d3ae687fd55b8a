/* check_mesh.c - compares one mesh in one frame: every corner with its
 * vertices.
 *
 * Normals that the archive lacks are computed here from the archive's
 * positions, weighted by the angle of each corner. The triangles of a face are
 * those of the cache; check_triangles.c checks them.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/channel_values.h"
#include "verify/check.h"
#include "verify/vector.h"

#include <math.h>
#include <string.h>

#define NORMAL_WORST_DEGREES 0.5
#define TANGENT_WORST_DEGREES 0.6

/* -- positions, UVs, colours, velocities -- */

static void check_position(struct check *check, const struct check_mesh *m,
                           uint32_t frame, uint32_t vertex,
                           const double truth[3], const float found[3])
{
    double square = 0;
    double allowed = 0;

    for (int c = 0; c < 3; c++) {
        double error = fabs((double)found[c] - truth[c]) * m->axis_scale[c];
        double limit = m->tolerance[c] * m->axis_scale[c];

        verify_add(&check->report->axis[c], error, limit, frame, m->mesh,
                   vertex);
        square += error * error;
        allowed += limit * limit;
    }
    verify_add(&check->report->position, sqrt(square), sqrt(allowed), frame,
               m->mesh, vertex);
}

static void check_param(struct check *check, const struct check_mesh *m,
                        uint32_t frame, const struct corner_vertex *pair,
                        const struct corner_values *values,
                        const struct surface *surface, enum corner_param param,
                        struct verify_error *error)
{
    double truth[CORNER_EXTENT_MAX];
    double found[CORNER_EXTENT_MAX];

    if (!channel_of_corner(values, param, pair->corner, check->options->flip_v,
                           truth) ||
        !channel_of_vertex(surface, param, pair->vertex, found))
        return;
    for (uint32_t c = 0; c < corner_extent(param); c++) {
        double scale = param == CORNER_VELOCITY ? m->axis_scale[c] : 1;

        verify_add(error, fabs(found[c] - truth[c]) * scale,
                   m->param_tolerance[param][c] * scale, frame, m->mesh,
                   pair->vertex);
    }
}

static void check_params(struct check *check, const struct check_mesh *m,
                         uint32_t frame, const struct corner_vertex *pair,
                         const struct corner_values *values,
                         const struct surface *surface)
{
    struct verify_report *report = check->report;

    check_param(check, m, frame, pair, values, surface, CORNER_UV, &report->uv);
    check_param(check, m, frame, pair, values, surface, CORNER_COLOR,
                &report->color);
    check_param(check, m, frame, pair, values, surface, CORNER_SECOND_UV,
                &report->second_uv);
    check_param(check, m, frame, pair, values, surface, CORNER_VELOCITY,
                &report->velocity);
}

/* -- normals -- */

/* Add the angle-weighted normal of each triangle to those of its points.
 * `weight` becomes the sum of the angles of each point. */
static void smooth_normals(const struct check_mesh *m, uint32_t index_count,
                           const struct corner_values *values,
                           double (*normals)[3], double *weight)
{
    for (uint32_t t = 0; t + 2 < index_count; t += 3) {
        const uint32_t *corners = m->corner_of_index + t;
        int32_t point[3];
        double edge[3][3];
        double face[3];
        double length;

        if (corners[0] == MATCH_NONE)
            continue;
        for (int k = 0; k < 3; k++)
            point[k] = m->corners.topology.indices[corners[k]];
        for (int k = 0; k < 3; k++)
            vector_subtract(values->points[point[(k + 1) % 3]],
                            values->points[point[k]], edge[k]);
        vector_cross(edge[0], edge[1], face);
        length = vector_length(face);
        if (!(length > 0))
            continue;
        for (int k = 0; k < 3; k++) {
            const double *before = edge[(k + 2) % 3];
            double back[3] = {-before[0], -before[1], -before[2]};
            double angle = vector_angle(edge[k], back);

            weight[point[k]] += angle;
            for (int c = 0; c < 3; c++)
                normals[point[k]][c] += angle * face[c] / length;
        }
    }
}

static void transform_normal(const double cofactors[9], const double n[3],
                             double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = n[0] * cofactors[c] + n[1] * cofactors[3 + c] +
                 n[2] * cofactors[6 + c];
}

/* Compare a normal in mesh space and in world space. Non-uniform scale may
 * enlarge the error in world space: that is counted, but no failure. */
static void check_normal(struct check *check, const struct check_mesh *m,
                         uint32_t frame, uint32_t vertex, const double truth[3],
                         const float found[3])
{
    double normal[3] = {(double)found[0], (double)found[1], (double)found[2]};
    double degrees = vector_angle(truth, normal) * VECTOR_DEGREES_PER_RADIAN;
    double placed[2][3];

    verify_add(&check->report->normal, degrees, NORMAL_WORST_DEGREES, frame,
               m->mesh, vertex);
    if (!(m->stretch > 0))
        return;
    transform_normal(m->cofactors, truth, placed[0]);
    transform_normal(m->cofactors, normal, placed[1]);
    degrees = vector_angle(placed[0], placed[1]) * VECTOR_DEGREES_PER_RADIAN;
    verify_add(&check->report->world_normal, degrees, 0, frame, m->mesh,
               vertex);
    check->report->stretched_normals += degrees > NORMAL_WORST_DEGREES;
}

/* The normal of each corner: length 1, or 0 where the direction is unknown. */
static const double (*find_normals(struct check *check,
                                   const struct check_mesh *m,
                                   const struct surface *surface,
                                   const struct corner_values *values))[3]
{
    const int32_t *points = m->corners.topology.indices;
    uint32_t count = m->corners.topology.corner_count;
    double(*normals)[3] =
        arena_alloc(&check->mesh_arena, count, sizeof *normals);
    double(*sums)[3] = NULL;
    double *weight = NULL;

    if (!values->params[CORNER_NORMAL]) {
        sums = arena_alloc(&check->mesh_arena, m->corners.point_count,
                           sizeof *sums);
        weight = ARENA_NEW(&check->mesh_arena, double, m->corners.point_count);
        smooth_normals(m, surface->index_count, values, sums, weight);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *truth =
            sums ? sums[points[i]] : corner_value(values, CORNER_NORMAL, i);
        double length = vector_length(truth);

        /* Normals of faces that cancel each other leave no direction. */
        if (!(length > 1e-20) || (weight && length < 1e-3 * weight[points[i]]))
            continue;
        for (int c = 0; c < 3; c++)
            normals[i][c] = truth[c] / length;
    }
    return (const double(*)[3])normals;
}

/* -- tangents -- */

static void mark_welds(const struct check_mesh *m, const uint8_t *orientations)
{
    for (uint32_t c = 0; c < 3 * m->mikkt.triangle_count; c++)
        if (orientations[c / 3] != MIKKT_NO_AREA)
            m->weld_seen[m->mikkt.welds[m->mikkt.corners[c]]] = 1;
}

/* A cache has one handedness for each vertex: that of the first frame in which
 * the texture of its triangle has an area. */
void check_handedness_open(struct check *check, struct check_mesh *m)
{
    uint32_t count = m->mikkt.triangle_count;

    m->orientation_seen = ARENA_NEW(&check->run_arena, uint8_t, count);
    m->handedness_state = ARENA_NEW(&check->run_arena, uint8_t, count);
    m->weld_seen = ARENA_NEW(&check->run_arena, uint8_t, m->mikkt.weld_count);
    memcpy(m->orientation_seen, m->mikkt.first.orientations, count);
    mark_welds(m, m->orientation_seen);
}

static bool has_marked_weld(const struct check_mesh *m, uint32_t triangle)
{
    const uint32_t *corners = m->mikkt.corners + 3 * (size_t)triangle;

    for (int k = 0; k < 3; k++)
        if (m->weld_seen[m->mikkt.welds[corners[k]]])
            return true;
    return false;
}

/* Compare the handedness of a triangle in the first frame in which its texture
 * has an area. A triangle whose texture has no area in the first frame may
 * share vertices with other triangles, which determine its handedness: it is
 * not compared. */
static void check_handedness(struct check *check, const struct check_mesh *m,
                             const struct surface *s,
                             const uint8_t *orientations)
{
    for (uint32_t t = 0; t < m->mikkt.triangle_count; t++) {
        if (orientations[t] == MIKKT_NO_AREA ||
            m->handedness_state[t] == HANDEDNESS_VARIES)
            continue;
        if (m->orientation_seen[t] == MIKKT_NO_AREA) {
            m->orientation_seen[t] = orientations[t];
            if (has_marked_weld(m, t))
                m->handedness_state[t] = HANDEDNESS_COMPARED;
        }
        if (m->orientation_seen[t] != orientations[t]) {
            check->report->handedness_changes++;
            m->handedness_state[t] = HANDEDNESS_VARIES;
        }
        if (m->handedness_state[t] != HANDEDNESS_UNKNOWN)
            continue;
        m->handedness_state[t] = HANDEDNESS_COMPARED;
        for (uint32_t i = 3 * t; i < 3 * t + 3; i++)
            if ((s->tangents[s->indices[i]][3] < 0) !=
                (orientations[t] == MIKKT_MIRRORED))
                check->report->wrong_handedness++;
    }
    mark_welds(m, orientations);
}

static void check_tangents(struct check *check, const struct check_mesh *m,
                           uint32_t frame, const struct surface *s,
                           const struct corner_values *values,
                           const double (*normals)[3])
{
    struct mikkt_frame sums;

    mikkt_frame(&m->mikkt, &m->corners, values, normals, &check->mesh_arena,
                &sums);
    for (uint32_t i = 0; i < s->index_count; i++) {
        const float *t = s->tangents[s->indices[i]];
        double found[3] = {(double)t[0], (double)t[1], (double)t[2]};
        double degrees;

        if (mikkt_angle(&sums, i, found, &degrees))
            verify_add(&check->report->tangent, degrees, TANGENT_WORST_DEGREES,
                       frame, m->mesh, s->indices[i]);
    }
    check_handedness(check, m, s, sums.groups.orientations);
}

/* -- all of it -- */

bool check_mesh_frame(struct check *check, const struct check_mesh *m,
                      uint32_t frame, const struct surface *surface)
{
    const double(*normals)[3];
    struct corner_values values;

    arena_reset(&check->mesh_arena);
    if (!corner_values_read(&m->corners, check->archive, check->seconds[frame],
                            &check->mesh_arena, &values))
        return false;
    normals = find_normals(check, m, surface, &values);
    for (uint32_t i = 0; i < m->pair_count; i++) {
        const struct corner_vertex *pair = &m->pairs[i];
        int32_t point = m->corners.topology.indices[pair->corner];

        check_position(check, m, frame, pair->vertex, values.points[point],
                       surface->positions[pair->vertex]);
        check_params(check, m, frame, pair, &values, surface);
        if (vector_length(normals[pair->corner]) > 0)
            check_normal(check, m, frame, pair->vertex, normals[pair->corner],
                         surface->normals[pair->vertex]);
    }
    check_triangulation_frame(check, m, frame, values.points);
    if (values.params[CORNER_UV] && surface->tangents)
        check_tangents(check, m, frame, surface, &values, normals);
    return true;
}
