/* check_mesh.c - one mesh in one frame: every corner against its vertex.
 *
 * Normals that the archive lacks are computed here, weighted by the corners'
 * angles, from the archive's positions over the cache's triangles (which were
 * judged before).
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include <math.h>
#include <string.h>

#define DEGREES 57.295779513082320877
#define NORMAL_WORST_DEGREES 0.5
#define TANGENT_WORST_DEGREES 0.6
/* Half a step of 8 bits, and float rounding. */
#define COLOR_TOLERANCE 0.501

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* -- positions, UVs, colours -- */

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

static void check_uv(struct check *check, const struct check_mesh *m,
                     uint32_t frame, uint32_t vertex, const double truth[2],
                     const float found[2], const double tolerance[2],
                     struct verify_error *error)
{
    for (int c = 0; c < 2; c++) {
        double wanted =
            c == 1 && check->options->flip_v ? 1 - truth[1] : truth[c];

        verify_add(error, fabs((double)found[c] - wanted), tolerance[c], frame,
                   m->mesh, vertex);
    }
}

static void check_velocity(struct check *check, const struct check_mesh *m,
                           uint32_t frame, uint32_t vertex,
                           const double truth[3], const float found[3])
{
    for (int c = 0; c < 3; c++)
        verify_add(&check->report->velocity,
                   fabs((double)found[c] - truth[c]) * m->axis_scale[c],
                   m->velocity_tolerance[c] * m->axis_scale[c], frame, m->mesh,
                   vertex);
}

static void check_color(struct check *check, const struct check_mesh *m,
                        uint32_t frame, uint32_t vertex, const double truth[4],
                        const uint8_t found[4])
{
    for (int c = 0; c < 4; c++) {
        double wanted = truth[c] < 0 ? 0 : truth[c] > 1 ? 1 : truth[c];

        verify_add(&check->report->color, fabs(found[c] - wanted * 255),
                   COLOR_TOLERANCE, frame, m->mesh, vertex);
    }
}

/* -- normals -- */

/* Sums per point, weighted by angle; `weight` is the sum of the angles. */
static void smooth_normals(const struct check_mesh *m,
                           const struct surface *surface,
                           const struct corner_values *values,
                           double (*normals)[3], double *weight)
{
    for (uint32_t t = 0; t + 2 < surface->index_count; t += 3) {
        uint32_t point[3];
        double edge[3][3];
        double face[3];
        double length;
        bool is_known = true;

        for (uint32_t k = 0; k < 3; k++) {
            uint32_t corner = m->corner_of[surface->indices[t + k]];

            is_known = is_known && corner != MATCH_NONE;
            point[k] = corner == MATCH_NONE
                           ? 0
                           : (uint32_t)m->corners.topology.indices[corner];
        }
        if (!is_known)
            continue;
        for (int k = 0; k < 3; k++)
            subtract(values->points[point[(k + 1) % 3]],
                     values->points[point[k]], edge[k]);
        face[0] = edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1];
        face[1] = edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2];
        face[2] = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
        length = length_of(face);
        if (!(length > 0))
            continue;
        for (int k = 0; k < 3; k++) {
            const double *before = edge[(k + 2) % 3];
            double back[3] = {-before[0], -before[1], -before[2]};
            double angle = verify_angle(edge[k], back);

            weight[point[k]] += angle;
            for (int c = 0; c < 3; c++)
                normals[point[k]][c] += angle * face[c] / length;
        }
    }
}

static void into_world(const double cofactors[9], const double n[3],
                       double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = n[0] * cofactors[c] + n[1] * cofactors[3 + c] +
                 n[2] * cofactors[6 + c];
}

/* Where the world stretches the mesh, a normal is further off than its steps
 * explain: that is counted, and no failure. */
static void check_normal(struct check *check, const struct check_mesh *m,
                         uint32_t frame, uint32_t vertex, const double truth[3],
                         const float found[3])
{
    double normal[3] = {(double)found[0], (double)found[1], (double)found[2]};
    double degrees = verify_angle(truth, normal) * DEGREES;
    double placed[2][3];

    verify_add(&check->report->normal, degrees, NORMAL_WORST_DEGREES, frame,
               m->mesh, vertex);
    if (!(m->stretch > 0))
        return;
    into_world(m->cofactors, truth, placed[0]);
    into_world(m->cofactors, normal, placed[1]);
    degrees = verify_angle(placed[0], placed[1]) * DEGREES;
    verify_add(&check->report->world_normal, degrees, 0, frame, m->mesh,
               vertex);
    check->report->stretched_normals += degrees > NORMAL_WORST_DEGREES;
}

/* Of each corner, of length one; 0 where there is no direction. */
static const double (*find_normals(struct check *check,
                                   const struct check_mesh *m,
                                   const struct surface *surface,
                                   const struct corner_values *values))[3]
{
    const int32_t *points = m->corners.topology.indices;
    uint32_t count = m->corners.topology.corner_count;
    double(*normals)[3] = arena_alloc(&check->mesh, count, sizeof *normals);
    double(*sums)[3] = NULL;
    double *weight = NULL;

    if (!values->normals) {
        sums = arena_alloc(&check->mesh, m->corners.point_count, sizeof *sums);
        weight = ARENA_NEW(&check->mesh, double, m->corners.point_count);
        smooth_normals(m, surface, values, sums, weight);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *truth =
            values->normals ? values->normals[i] : sums[points[i]];
        double length = length_of(truth);

        /* Faces that cancel each other out leave no direction. */
        if (!(length > 1e-20) || (weight && length < 1e-3 * weight[points[i]]))
            continue;
        for (int c = 0; c < 3; c++)
            normals[i][c] = truth[c] / length;
    }
    return (const double(*)[3])normals;
}

static void check_normals(struct check *check, const struct check_mesh *m,
                          uint32_t frame, const struct surface *surface,
                          const double (*normals)[3])
{
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        uint32_t vertex = m->vertex_of[i];

        if (vertex != MATCH_NONE && length_of(normals[i]) > 0)
            check_normal(check, m, frame, vertex, normals[i],
                         surface->normals[vertex]);
    }
}

/* -- tangents -- */

static void see_welds(const struct check_mesh *m, const uint8_t *sides)
{
    for (uint32_t c = 0; c < 3 * m->mikkt.triangle_count; c++)
        if (sides[c / 3] != MIKKT_FLAT)
            m->weld_seen[m->mikkt.welds[m->mikkt.corners[c]]] = 1;
}

/* A cache keeps one handedness, where the texture is first seen: in the first
 * sample, most likely. */
void check_sides_open(struct check *check, struct check_mesh *m)
{
    uint32_t count = m->mikkt.triangle_count;

    m->side_seen = ARENA_NEW(&check->arena, uint8_t, count);
    m->side_state = ARENA_NEW(&check->arena, uint8_t, count);
    m->weld_seen = ARENA_NEW(&check->arena, uint8_t, m->mikkt.weld_count);
    memcpy(m->side_seen, m->mikkt.first.sides, count);
    see_welds(m, m->side_seen);
}

static bool has_seen_weld(const struct check_mesh *m, uint32_t triangle)
{
    const uint32_t *corners = m->mikkt.corners + 3 * (size_t)triangle;

    for (int k = 0; k < 3; k++)
        if (m->weld_seen[m->mikkt.welds[corners[k]]])
            return true;
    return false;
}

enum side_state { SIDE_UNJUDGED, SIDE_JUDGED, SIDE_TURNED };

/* A triangle whose texture gets an area late may have joined others before,
 * and has their handedness then. */
static void check_handedness(struct check *check, const struct check_mesh *m,
                             const struct surface *s, const uint8_t *sides)
{
    for (uint32_t t = 0; t < m->mikkt.triangle_count; t++) {
        if (sides[t] == MIKKT_FLAT || m->side_state[t] == SIDE_TURNED)
            continue;
        if (m->side_seen[t] == MIKKT_FLAT) {
            m->side_seen[t] = sides[t];
            if (has_seen_weld(m, t))
                m->side_state[t] = SIDE_JUDGED;
        }
        if (m->side_seen[t] != sides[t]) {
            check->report->turned_textures++;
            m->side_state[t] = SIDE_TURNED;
        }
        if (m->side_state[t] != SIDE_UNJUDGED)
            continue;
        m->side_state[t] = SIDE_JUDGED;
        for (uint32_t i = 3 * t; i < 3 * t + 3; i++)
            if ((s->tangents[s->indices[i]][3] < 0) !=
                (sides[t] == MIKKT_MIRRORED))
                check->report->wrong_handedness++;
    }
    see_welds(m, sides);
}

static void check_tangents(struct check *check, const struct check_mesh *m,
                           uint32_t frame, const struct surface *s,
                           const struct corner_values *values,
                           const double (*normals)[3])
{
    struct mikkt_frame sums;

    mikkt_frame(&m->mikkt, &m->corners, values, normals, &check->mesh, &sums);
    for (uint32_t i = 0; i < s->index_count; i++) {
        const float *t = s->tangents[s->indices[i]];
        double found[3] = {(double)t[0], (double)t[1], (double)t[2]};
        double degrees;

        if (mikkt_angle(&sums, i, found, &degrees))
            verify_add(&check->report->tangent, degrees, TANGENT_WORST_DEGREES,
                       frame, m->mesh, s->indices[i]);
    }
    check_handedness(check, m, s, sums.groups.sides);
}

/* -- all of it -- */

bool check_mesh_frame(struct check *check, const struct check_mesh *m,
                      uint32_t frame, const struct surface *surface)
{
    const double(*normals)[3];
    struct corner_values values;

    arena_reset(&check->mesh);
    if (!corner_values_read(&m->corners, check->archive, check->seconds[frame],
                            &check->mesh, &values))
        return false;
    for (uint32_t i = 0; i < m->corners.topology.corner_count; i++) {
        uint32_t vertex = m->vertex_of[i];
        uint32_t point = (uint32_t)m->corners.topology.indices[i];

        if (vertex == MATCH_NONE)
            continue;
        check_position(check, m, frame, vertex, values.points[point],
                       surface->positions[vertex]);
        if (values.uvs && surface->uvs)
            check_uv(check, m, frame, vertex, values.uvs[i],
                     surface->uvs[vertex], m->uv_tolerance, &check->report->uv);
        if (values.second_uvs && surface->second_uvs)
            check_uv(check, m, frame, vertex, values.second_uvs[i],
                     surface->second_uvs[vertex], m->second_uv_tolerance,
                     &check->report->second_uv);
        if (values.velocities && surface->velocities)
            check_velocity(check, m, frame, vertex, values.velocities[i],
                           surface->velocities[vertex]);
        if (values.colors && surface->colors)
            check_color(check, m, frame, vertex, values.colors[i],
                        surface->colors[vertex]);
    }
    check_cuts_frame(check, m, values.points);
    normals = find_normals(check, m, surface, &values);
    check_normals(check, m, frame, surface, normals);
    if (values.uvs && surface->tangents)
        check_tangents(check, m, frame, surface, &values, normals);
    return true;
}
