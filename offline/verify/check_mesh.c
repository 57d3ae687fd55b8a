/* check_mesh.c - compares the values of every corner with those of its
 * vertices.
 *
 * Normals that the archive lacks are computed here from the archive's
 * positions, weighted by the angle of each corner. The triangles of a face are
 * those of the cache; check_coverage.c checks them.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_mesh.h"

#include "render/surface.h"
#include "verify/channel_values.h"
#include "verify/check.h"
#include "verify/vector.h"

#include <math.h>

#define NORMAL_WORST_DEGREES 0.5

/* -- positions, UVs, colours, velocities -- */

static void check_position(struct check *check, const struct check_mesh *m,
                           uint32_t frame, uint32_t vertex,
                           const double truth[3], const float found[3])
{
    double square = 0;
    double allowed = 0;

    for (int c = 0; c < 3; c++) {
        double error =
            fabs((double)found[c] - truth[c]) * m->tolerance.axis_mm[c];
        double limit = m->tolerance.position[c] * m->tolerance.axis_mm[c];

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
        double scale = param == CORNER_VELOCITY ? m->tolerance.axis_mm[c] : 1;

        verify_add(error, fabs(found[c] - truth[c]) * scale,
                   m->tolerance.params[param][c] * scale, frame, m->mesh,
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
        const uint32_t *corners = m->pairs.corner_of_index + t;
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
    if (!(m->stretch.amount > 0))
        return;
    transform_normal(m->stretch.cofactors, truth, placed[0]);
    transform_normal(m->stretch.cofactors, normal, placed[1]);
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
    for (uint32_t i = 0; i < m->pairs.count; i++) {
        const struct corner_vertex *pair = &m->pairs.list[i];
        int32_t point = m->corners.topology.indices[pair->corner];

        check_position(check, m, frame, pair->vertex, values.points[point],
                       surface->positions[pair->vertex]);
        check_params(check, m, frame, pair, &values, surface);
        if (vector_length(normals[pair->corner]) > 0)
            check_normal(check, m, frame, pair->vertex, normals[pair->corner],
                         surface->normals[pair->vertex]);
    }
    check_flipped_frame(check, m, frame, values.points);
    if (values.params[CORNER_UV] && surface->tangents)
        check_tangents_frame(check, m, frame, surface, &values, normals);
    return true;
}
