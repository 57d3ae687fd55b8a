/* mikkt_frame.c - sums the tangents of each group in one frame, in doubles.
 *
 * The reference computes in single precision. Where its rounding may change the
 * direction (slivers, cancellation), the sum is uncertain and is not compared.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/mikkt.h"

#include "verify/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sums with a larger relative uncertainty are not compared; 0.06 degrees. */
#define UNCERTAINTY_MAX 1e-3
/* Relative rounding error of a few operations in single precision. */
#define ROUNDING 1e-6
/* This many of the groups that may be connected are tried in all combinations;
 * further ones are combined with the last. */
#define UNITED_MAX 6u

/* -- a triangle -- */

static void load_uv(const struct mikkt *mikkt,
                    const struct corner_values *values, uint32_t corner,
                    float uv[2])
{
    const double *value = corner_value(values, CORNER_UV, corner);

    uv[0] = (float)value[0];
    uv[1] = (float)value[1];
    if (mikkt->flip_v)
        uv[1] = 1 - uv[1];
}

uint8_t mikkt_orientation(const struct mikkt *mikkt,
                          const struct corner_values *values, uint32_t triangle,
                          float uv_edges[2][2])
{
    const uint32_t *corners = mikkt->corners + 3 * (size_t)triangle;
    float uv[3][2];
    float area;

    for (int k = 0; k < 3; k++)
        load_uv(mikkt, values, corners[k], uv[k]);
    for (int k = 0; k < 2; k++) {
        uv_edges[k][0] = uv[k + 1][0] - uv[0][0];
        uv_edges[k][1] = uv[k + 1][1] - uv[0][1];
    }
    area = uv_edges[0][0] * uv_edges[1][1] - uv_edges[0][1] * uv_edges[1][0];
    if (!(fabsf(area) > FLT_MIN))
        return MIKKT_NO_AREA;
    return area > 0 ? MIKKT_PRESERVING : MIKKT_MIRRORED;
}

/* Project v onto the plane across the unit vector n. */
static void project(const double n[3], double v[3])
{
    double along = vector_dot(n, v);

    for (int c = 0; c < 3; c++)
        v[c] -= along * n[c];
}

static void edge_of(const struct corner_mesh *mesh,
                    const struct corner_values *values, uint32_t from,
                    uint32_t to, double edge[3])
{
    const double *p = values->points[mesh->topology.indices[from]];
    const double *q = values->points[mesh->topology.indices[to]];

    for (int c = 0; c < 3; c++)
        edge[c] = (double)(float)q[c] - (double)(float)p[c];
}

/* Compute the unit direction in which u grows, and a bound on its error by
 * rounding. Returns false if there is none. */
static bool direction_of(const struct mikkt *mikkt,
                         const struct corner_mesh *mesh,
                         const struct corner_values *values, uint32_t triangle,
                         double out[3], double *uncertainty)
{
    const uint32_t *corners = mikkt->corners + 3 * (size_t)triangle;
    float uv_edges[2][2];
    double edges[2][3];
    double terms[2];
    double length;
    double area;
    double spread;
    uint8_t orientation = mikkt_orientation(mikkt, values, triangle, uv_edges);

    if (orientation == MIKKT_NO_AREA)
        return false;
    edge_of(mesh, values, corners[0], corners[1], edges[0]);
    edge_of(mesh, values, corners[0], corners[2], edges[1]);
    for (int c = 0; c < 3; c++)
        out[c] = (edges[0][c] * (double)uv_edges[1][1] -
                  edges[1][c] * (double)uv_edges[0][1]) *
                 (orientation == MIKKT_MIRRORED ? -1 : 1);
    for (int k = 0; k < 2; k++)
        terms[k] = vector_length(edges[k]) * fabs((double)uv_edges[!k][1]);
    length = vector_normalize(out);
    if (!(length > 0))
        return false;
    area = (double)uv_edges[0][0] * (double)uv_edges[1][1] -
           (double)uv_edges[0][1] * (double)uv_edges[1][0];
    spread = fabs((double)uv_edges[0][0] * (double)uv_edges[1][1]) +
             fabs((double)uv_edges[0][1] * (double)uv_edges[1][0]);
    *uncertainty = ROUNDING * (terms[0] + terms[1]) / length;
    if (fabs(area) < ROUNDING * spread)
        *uncertainty = 2;
    return true;
}

static void add_sum(struct mikkt_sum *sum, const double tangent[3],
                    double angle, double uncertainty)
{
    for (int c = 0; c < 3; c++)
        sum->tangent[c] += angle * tangent[c];
    sum->uncertainty += uncertainty;
}

static void add_corner(const struct mikkt *mikkt,
                       const struct corner_mesh *mesh,
                       const struct corner_values *values,
                       const double normal[3], uint32_t corner,
                       const double direction[3], double uncertainty,
                       const struct mikkt_frame *frame)
{
    uint32_t own = mikkt->corners[corner];
    double tangent[3] = {direction[0], direction[1], direction[2]};
    double edges[2][3];
    double angle;
    double length;

    project(normal, tangent);
    length = vector_normalize(tangent);
    edge_of(mesh, values, own, mikkt->corners[mikkt_after(corner)], edges[0]);
    edge_of(mesh, values, own, mikkt->corners[mikkt_after(mikkt_after(corner))],
            edges[1]);
    for (int k = 0; k < 2; k++) {
        project(normal, edges[k]);
        vector_normalize(edges[k]);
    }
    angle = acos(fmax(-1, fmin(1, vector_dot(edges[0], edges[1]))));
    uncertainty = length > 0 ? uncertainty + ROUNDING / length : 2;
    /* The cosine of the angle is rounded. */
    uncertainty = angle * fmin(uncertainty, 2) +
                  fmin(angle, 2 * ROUNDING / fmax(angle, ROUNDING));
    if (!(vector_dot(normal, normal) > 0.5))
        uncertainty = INFINITY;
    add_sum(&frame->sums[frame->groups.group[corner]], tangent, angle,
            uncertainty);
}

/* With the orientations of the first sample, the groups are the same, too. */
static void find_groups(const struct mikkt *mikkt,
                        const struct corner_values *values, struct arena *arena,
                        struct mikkt_frame *frame)
{
    uint8_t *orientations = ARENA_NEW(arena, uint8_t, mikkt->triangle_count);

    mikkt_orientations(mikkt, values, orientations);
    frame->groups = mikkt->first;
    if (memcmp(orientations, mikkt->first.orientations,
               mikkt->triangle_count) == 0)
        return;
    frame->groups.orientations = orientations;
    mikkt_group(mikkt, arena, &frame->groups);
}

void mikkt_frame(const struct mikkt *mikkt, const struct corner_mesh *mesh,
                 const struct corner_values *values, const double (*normals)[3],
                 struct arena *arena, struct mikkt_frame *frame)
{
    uint32_t count = 3 * mikkt->triangle_count;

    find_groups(mikkt, values, arena, frame);
    frame->sums = ARENA_NEW(arena, struct mikkt_sum, count);
    for (uint32_t t = 0; t < mikkt->triangle_count; t++) {
        double direction[3];
        double uncertainty;

        if (frame->groups.orientations[t] == MIKKT_NO_AREA ||
            !direction_of(mikkt, mesh, values, t, direction, &uncertainty))
            continue;
        for (uint32_t c = 3 * t; c < 3 * t + 3; c++)
            add_corner(mikkt, mesh, values, normals[mikkt->corners[c]], c,
                       direction, uncertainty, frame);
    }
}

static bool angle_to(const struct mikkt_sum *sum, const double found[3],
                     double *degrees)
{
    double length = vector_length(sum->tangent);

    if (!(sum->uncertainty < UNCERTAINTY_MAX * length))
        return false;
    *degrees = vector_angle(sum->tangent, found) * VECTOR_DEGREES_PER_RADIAN;
    return true;
}

/* Try all unions with groups that may be connected, and keep the smallest
 * angle. Returns false if a sum is uncertain: then any tangent may be right. */
static bool try_unions(const struct mikkt_frame *frame, uint32_t root,
                       const double found[3], double *degrees)
{
    const uint32_t *next = frame->groups.next;
    uint32_t others = 0;

    for (uint32_t i = next[root]; i != root; i = next[i])
        others++;
    if (others > UNITED_MAX)
        others = UNITED_MAX;
    for (uint32_t chosen = 1; chosen < 1u << others; chosen++) {
        struct mikkt_sum sum = frame->sums[root];
        uint32_t turn = 0;
        double angle;

        for (uint32_t i = next[root]; i != root; i = next[i], turn++)
            if (chosen >> (turn < others ? turn : others - 1) & 1)
                add_sum(&sum, frame->sums[i].tangent, 1,
                        frame->sums[i].uncertainty);
        if (!angle_to(&sum, found, &angle))
            return false;
        *degrees = fmin(*degrees, angle);
    }
    return true;
}

bool mikkt_angle(const struct mikkt_frame *frame, uint32_t corner,
                 const double found[3], double *degrees)
{
    uint32_t root = frame->groups.group[corner];

    if (frame->groups.orientations[corner / 3] == MIKKT_NO_AREA ||
        !angle_to(&frame->sums[root], found, degrees))
        return false;
    return frame->groups.next[root] == root ||
           try_unions(frame, root, found, degrees);
}
