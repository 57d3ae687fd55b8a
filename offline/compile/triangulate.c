/* triangulate.c - fans for convex faces, ear clipping for concave ones.
 *
 * A face is projected along the largest component of its area vector (Newell
 * 1972), turned so that it runs counter-clockwise in the plane. Ears are cut
 * in order of the corners, so the same face gives the same triangles always.
 * A face that has no ear left (it crosses itself, or has no area) is finished
 * as a fan of what remains. It looks at one sample only: a face that is
 * convex there may be cut badly for a later one.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/triangulate.h"

#include "compile/arith.h"

#include <stdbool.h>

struct polygon {
    uint32_t count;
    const int32_t *points;  /* of the mesh, per corner */
    const float *positions; /* of all points */
    double (*plane)[2];     /* projected corners, counter-clockwise */
    uint32_t *next;         /* ring of the corners that remain */
    uint32_t *previous;
    bool *is_reflex;
    bool *is_ear;
};

struct output {
    struct triangulation *out;
    uint32_t first_corner;
    uint32_t face;
};

/* Corners of the polygon, in its own order; turned as they are written. */
static void emit(struct output *output, const struct polygon *polygon,
                 uint32_t a, uint32_t b, uint32_t c)
{
    struct triangulation *out = output->out;
    const int32_t *points = polygon->points;
    uint32_t *corner = out->corners + 3 * (size_t)out->triangle_count;

    if (points[a] == points[b] || points[b] == points[c] ||
        points[c] == points[a]) {
        out->collapsed++;
        return;
    }
    corner[0] = output->first_corner + a;
    corner[1] = output->first_corner + c;
    corner[2] = output->first_corner + b;
    out->faces[out->triangle_count++] = output->face;
}

static struct vec3 corner_position(const struct polygon *polygon, uint32_t i)
{
    return vec3_load(polygon->positions + 3 * (size_t)polygon->points[i]);
}

/* False when the face has no area. */
static bool project(struct polygon *polygon)
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

        polygon->plane[i][0] = along > 0 ? u : -u;
        polygon->plane[i][1] = v;
    }
    return true;
}

/* Twice the area of a, b, c; positive when they turn left. */
static double turn(const struct polygon *polygon, uint32_t a, uint32_t b,
                   uint32_t c)
{
    const double *p = polygon->plane[a];
    const double *q = polygon->plane[b];
    const double *r = polygon->plane[c];

    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Never turns right, and turns once in all: a star that goes round twice
 * turns left everywhere, too. The turns are counted by the changes of sign
 * of the edges' direction along one axis. */
static bool is_convex(const struct polygon *polygon)
{
    uint32_t n = polygon->count;
    uint32_t changes = 0;
    int sign = 0;
    int first = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = i == 0 ? n - 1 : i - 1;
        uint32_t c = i + 1 == n ? 0 : i + 1;
        double along = polygon->plane[c][0] - polygon->plane[i][0];
        int now = along > 0 ? 1 : along < 0 ? -1 : 0;

        if (turn(polygon, a, i, c) < 0)
            return false;
        if (now == 0)
            continue;
        if (sign != 0 && now != sign)
            changes++;
        if (first == 0)
            first = now;
        sign = now;
    }
    return changes + (first != sign ? 1u : 0u) <= 2;
}

static bool is_same_place(const struct polygon *polygon, uint32_t a, uint32_t b)
{
    return polygon->plane[a][0] == polygon->plane[b][0] &&
           polygon->plane[a][1] == polygon->plane[b][1];
}

/* A corner that repeats the place of an ear's corner (the two sides of a
 * bridge to a hole) does not block it. */
static bool judge_ear(const struct polygon *polygon, uint32_t b)
{
    uint32_t a = polygon->previous[b];
    uint32_t c = polygon->next[b];

    if (!(turn(polygon, a, b, c) > 0))
        return false;
    for (uint32_t i = polygon->next[c]; i != a; i = polygon->next[i])
        if (polygon->is_reflex[i] && turn(polygon, a, b, i) >= 0 &&
            turn(polygon, b, c, i) >= 0 && turn(polygon, c, a, i) >= 0 &&
            !is_same_place(polygon, i, a) && !is_same_place(polygon, i, b) &&
            !is_same_place(polygon, i, c))
            return false;
    return true;
}

static void judge_corner(struct polygon *polygon, uint32_t b)
{
    polygon->is_reflex[b] =
        !(turn(polygon, polygon->previous[b], b, polygon->next[b]) > 0);
}

static void clip_ears(struct polygon *polygon, struct output *output)
{
    uint32_t n = polygon->count;
    uint32_t at = 0;
    uint32_t since = 0; /* corners looked at since the last ear */

    for (uint32_t i = 0; i < n; i++) {
        polygon->next[i] = i + 1 == n ? 0 : i + 1;
        polygon->previous[i] = i == 0 ? n - 1 : i - 1;
    }
    for (uint32_t i = 0; i < n; i++)
        judge_corner(polygon, i);
    for (uint32_t i = 0; i < n; i++)
        polygon->is_ear[i] = judge_ear(polygon, i);
    while (n > 3) {
        uint32_t a = polygon->previous[at];
        uint32_t c = polygon->next[at];

        if (!polygon->is_ear[at] && since < n) {
            since++;
            at = c;
            continue;
        }
        emit(output, polygon, a, at, c);
        polygon->next[a] = c;
        polygon->previous[c] = a;
        n--;
        since = 0;
        judge_corner(polygon, a);
        judge_corner(polygon, c);
        polygon->is_ear[a] = judge_ear(polygon, a);
        polygon->is_ear[c] = judge_ear(polygon, c);
        /* Skipping one gives rounder triangles than cutting on. */
        at = polygon->next[c];
    }
    emit(output, polygon, polygon->previous[at], at, polygon->next[at]);
}

static void fan(const struct polygon *polygon, struct output *output)
{
    for (uint32_t i = 1; i + 1 < polygon->count; i++)
        emit(output, polygon, 0, i, i + 1);
}

static void cut_face(struct polygon *polygon, struct output *output)
{
    if (polygon->count == 3 || !project(polygon) || is_convex(polygon)) {
        fan(polygon, output);
        return;
    }
    if (polygon->count > TRIANGULATE_EARS_MAX) {
        if (output->out->large_concave++ == 0)
            output->out->first_large = output->face;
        fan(polygon, output);
        return;
    }
    clip_ears(polygon, output);
}

void triangulate(const struct abc_topology *topology, const float *positions,
                 struct arena *arena, struct arena *scratch,
                 struct triangulation *out)
{
    struct output output = {out, 0, 0};
    struct polygon polygon = {.positions = positions};
    uint32_t largest = 0;
    size_t triangles = 0;

    *out = (struct triangulation){0};
    for (uint32_t f = 0; f < topology->face_count; f++) {
        uint32_t count = (uint32_t)topology->counts[f];
        largest = count > largest ? count : largest;
        triangles += count > 2 ? count - 2 : 0;
    }
    out->corners = ARENA_NEW(arena, uint32_t, 3 * triangles);
    out->faces = ARENA_NEW(arena, uint32_t, triangles);
    polygon.plane = arena_alloc(scratch, largest, sizeof *polygon.plane);
    polygon.next = ARENA_NEW(scratch, uint32_t, largest);
    polygon.previous = ARENA_NEW(scratch, uint32_t, largest);
    polygon.is_reflex = ARENA_NEW(scratch, bool, largest);
    polygon.is_ear = ARENA_NEW(scratch, bool, largest);
    for (uint32_t f = 0; f < topology->face_count; f++) {
        polygon.count = (uint32_t)topology->counts[f];
        polygon.points = topology->indices + output.first_corner;
        output.face = f;
        if (polygon.count < 3)
            out->short_faces++;
        else
            cut_face(&polygon, &output);
        output.first_corner += polygon.count;
    }
}
