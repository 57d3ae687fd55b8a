/* triangulate.c - fans for convex faces, ear clipping for concave ones.
 *
 * A face is projected along the largest component of its area vector (Newell
 * 1972) so that it runs counter-clockwise in the plane. A face without area
 * becomes a fan.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/triangulate.h"

#include "compile/math/arith.h"
#include "compile/mesh/ear_clipping.h"

#include <stdbool.h>

/* A face in the first sample. */
struct polygon {
    uint32_t count;
    const uint32_t *points;
    const float *positions; /* xyz of all points */
};

static struct vec3 corner_position(const struct polygon *polygon, uint32_t i)
{
    return vec3_load(polygon->positions + 3 * (size_t)polygon->points[i]);
}

/* False when the face has no area. */
static bool project(const struct polygon *polygon, double (*plane)[2])
{
    struct vec3 origin = corner_position(polygon, 0);
    struct vec3 area = {0, 0, 0};
    struct vec3 before = {0, 0, 0};
    int drop;

    for (uint32_t i = 1; i < polygon->count; i++) {
        struct vec3 at = vec3_sub(corner_position(polygon, i), origin);
        area = vec3_add(area, vec3_cross(before, at));
        before = at;
    }
    if (!(vec3_length(area) > 0))
        return false;
    drop = 2;
    if (fabs(area.x) >= fabs(area.y) && fabs(area.x) >= fabs(area.z))
        drop = 0;
    else if (fabs(area.y) >= fabs(area.z))
        drop = 1;
    for (uint32_t i = 0; i < polygon->count; i++) {
        struct vec3 at = vec3_sub(corner_position(polygon, i), origin);
        double u = drop == 0 ? at.y : drop == 1 ? at.z : at.x;
        double v = drop == 0 ? at.z : drop == 1 ? at.x : at.y;
        double along = drop == 0 ? area.x : drop == 1 ? area.y : area.z;

        plane[i][0] = along > 0 ? u : -u;
        plane[i][1] = v;
    }
    return true;
}

/* A polygon is convex if no corner is reflex and it winds around once. A star
 * that winds around twice has no reflex corner either, but the direction of its
 * edges along an axis changes sign four times instead of twice. */
static bool is_convex(const double (*plane)[2], uint32_t n)
{
    uint32_t changes = 0;
    int sign = 0;
    int first = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = i == 0 ? n - 1 : i - 1;
        uint32_t c = i + 1 == n ? 0 : i + 1;
        double along = plane[c][0] - plane[i][0];
        int edge_sign = along > 0 ? 1 : along < 0 ? -1 : 0;

        if (orient2d(plane[a], plane[i], plane[c]) < 0)
            return false;
        if (edge_sign == 0)
            continue;
        if (sign != 0 && edge_sign != sign)
            changes++;
        if (first == 0)
            first = edge_sign;
        sign = edge_sign;
    }
    return changes + (first != sign ? 1u : 0u) <= 2;
}

static void fan(uint32_t count, uint32_t *triangles)
{
    for (uint32_t i = 1; i + 1 < count; i++) {
        *triangles++ = 0;
        *triangles++ = i;
        *triangles++ = i + 1;
    }
}

/* Memory for one face, reused for the next one. */
struct face_memory {
    double (*plane)[2];
    struct ear_clipping ears;
    uint32_t *triangles; /* three corners each, counted within the face */
};

static void triangulate_face(struct face_memory *memory,
                             const struct polygon *polygon)
{
    const double(*plane)[2] = (const double(*)[2])memory->plane;
    uint32_t *triangles = memory->triangles;

    if (polygon->count == 3 || !project(polygon, memory->plane) ||
        is_convex(plane, polygon->count))
        fan(polygon->count, triangles);
    else
        ear_clipping_clip(&memory->ears, plane, polygon->count, triangles);
    /* From the orientation of the face to that of the cache. */
    for (uint32_t i = 0; i < 3 * (polygon->count - 2); i += 3) {
        uint32_t second = triangles[i + 1];

        triangles[i + 1] = triangles[i + 2];
        triangles[i + 2] = second;
    }
}

static void add_triangle(struct triangulation *out, const uint32_t *points,
                         const uint32_t corners[3], uint32_t first_corner,
                         uint32_t face)
{
    uint32_t *to = out->corners + 3 * (size_t)out->triangle_count;

    if (points[corners[0]] == points[corners[1]] ||
        points[corners[1]] == points[corners[2]] ||
        points[corners[2]] == points[corners[0]]) {
        out->collapsed++;
        return;
    }
    for (int i = 0; i < 3; i++)
        to[i] = first_corner + corners[i];
    out->faces[out->triangle_count++] = face;
}

void triangulate(const struct abc_topology *topology, const float *positions,
                 struct arena *arena, struct arena *scratch,
                 struct triangulation *out)
{
    struct face_memory memory;
    uint32_t corner = 0;
    uint32_t largest = 0;
    size_t triangle_count = 0;

    *out = (struct triangulation){0};
    for (uint32_t f = 0; f < topology->face_count; f++) {
        uint32_t count = (uint32_t)topology->counts[f];
        largest = count > largest ? count : largest;
        triangle_count += count > 2 ? count - 2 : 0;
    }
    out->corners = ARENA_NEW(arena, uint32_t, 3 * triangle_count);
    out->faces = ARENA_NEW(arena, uint32_t, triangle_count);
    memory.plane = arena_alloc(scratch, largest, sizeof *memory.plane);
    memory.triangles = ARENA_NEW(scratch, uint32_t, 3 * (size_t)largest);
    ear_clipping_open(&memory.ears, largest, scratch);
    for (uint32_t f = 0; f < topology->face_count; f++) {
        const uint32_t *points = (const uint32_t *)topology->indices + corner;
        uint32_t count = (uint32_t)topology->counts[f];

        if (count < 3) {
            out->short_faces++;
        } else {
            struct polygon polygon = {count, points, positions};

            triangulate_face(&memory, &polygon);
            for (uint32_t t = 0; t < count - 2; t++)
                add_triangle(out, points, memory.triangles + 3 * (size_t)t,
                             corner, f);
        }
        corner += count;
    }
}
