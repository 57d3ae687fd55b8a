/* tangents.c - tangent groups, and QTangents.
 *
 * Written from the published algorithm. Two decisions of the reference code are
 * visible in results and therefore kept: an edge joins the first two triangles
 * that run along it in opposite directions; a triangle without area in texture
 * space joins the first group that reaches it, and contributes nothing.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/tangents.h"

#include "codec/channel.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum uv_winding uv_winding_of(const float *uv0, const float *uv1,
                              const float *uv2)
{
    float u1 = uv1[0] - uv0[0];
    float v1 = uv1[1] - uv0[1];
    float u2 = uv2[0] - uv0[0];
    float v2 = uv2[1] - uv0[1];
    float area = u1 * v2 - v1 * u2;

    if (!(fabsf(area) > FLT_MIN))
        return UV_DEGENERATE;
    return area > 0 ? UV_PLAIN : UV_MIRRORED;
}

/* -- groups -- */

struct edge {
    uint32_t low; /* smaller weld */
    uint32_t high;
    uint32_t corner; /* triangle corner where it begins */
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *e = a;
    const struct edge *f = b;

    if (e->low != f->low)
        return e->low < f->low ? -1 : 1;
    if (e->high != f->high)
        return e->high < f->high ? -1 : 1;
    return e->corner < f->corner ? -1 : 1;
}

static uint32_t corner_after(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t corner_before(uint32_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

static bool is_degenerate(const uint32_t *welds)
{
    return welds[0] == welds[1] || welds[1] == welds[2] || welds[2] == welds[0];
}

/* For each triangle corner, the triangle neighbours the edge that begins there.
 */
static uint32_t *find_neighbours(const uint32_t *welds, uint32_t triangle_count,
                                 struct arena *arena, struct arena *scratch)
{
    uint32_t corner_count = 3 * triangle_count;
    struct edge *edges = ARENA_NEW(scratch, struct edge, corner_count);
    uint32_t *neighbours = ARENA_NEW(arena, uint32_t, corner_count);
    uint32_t count = 0;

    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t a = welds[c];
        uint32_t b = welds[corner_after(c)];

        neighbours[c] = TANGENTS_NONE;
        if (is_degenerate(welds + c / 3 * 3))
            continue;
        edges[count].low = a < b ? a : b;
        edges[count].high = a < b ? b : a;
        edges[count++].corner = c;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = edges[i].corner;

        for (uint32_t k = i + 1;
             neighbours[c] == TANGENTS_NONE && k < count &&
             edges[k].low == edges[i].low && edges[k].high == edges[i].high;
             k++) {
            uint32_t d = edges[k].corner;

            if (neighbours[d] != TANGENTS_NONE || welds[d] == welds[c])
                continue;
            neighbours[c] = d / 3;
            neighbours[d] = c / 3;
        }
    }
    return neighbours;
}

void tangent_topology_make(const uint32_t *welds, uint32_t triangle_count,
                           struct arena *arena, struct arena *scratch,
                           struct tangent_topology *topology)
{
    topology->triangle_count = triangle_count;
    topology->welds = welds;
    topology->neighbours =
        find_neighbours(welds, triangle_count, arena, scratch);
}

struct grouping {
    const uint32_t *welds;
    const uint32_t *neighbours;
    uint8_t *winding; /* a degenerate triangle takes that of its first group */
    uint32_t *group_of;
    uint32_t *stack;
    uint32_t depth;
};

static bool is_untouched(const struct grouping *grouping, uint32_t triangle)
{
    const uint32_t *group = grouping->group_of + 3 * (size_t)triangle;

    return group[0] == TANGENTS_NONE && group[1] == TANGENTS_NONE &&
           group[2] == TANGENTS_NONE;
}

/* Let a triangle join, if it agrees; then its neighbours come next, the one
 * neighbours the edge that begins at the vertex first. */
static void join(struct grouping *grouping, uint32_t triangle, uint32_t weld,
                 uint32_t group, uint8_t winding)
{
    uint32_t corner = 3 * triangle;

    while (grouping->welds[corner] != weld)
        corner++;
    if (grouping->group_of[corner] != TANGENTS_NONE)
        return;
    if (grouping->winding[triangle] == UV_DEGENERATE &&
        is_untouched(grouping, triangle))
        grouping->winding[triangle] = winding;
    if (grouping->winding[triangle] != winding)
        return;
    grouping->group_of[corner] = group;
    if (grouping->neighbours[corner_before(corner)] != TANGENTS_NONE)
        grouping->stack[grouping->depth++] =
            grouping->neighbours[corner_before(corner)];
    if (grouping->neighbours[corner] != TANGENTS_NONE)
        grouping->stack[grouping->depth++] = grouping->neighbours[corner];
}

void tangents_group(const struct tangent_topology *topology,
                    const uint8_t *windings, struct arena *arena,
                    struct tangent_groups *out)
{
    const uint32_t *welds = topology->welds;
    uint32_t triangle_count = topology->triangle_count;
    uint32_t corner_count = 3 * triangle_count;
    struct grouping grouping = {.welds = welds,
                                .neighbours = topology->neighbours};

    out->count = 0;
    out->group_of = ARENA_NEW(arena, uint32_t, corner_count);
    out->is_mirrored = ARENA_NEW(arena, uint8_t, corner_count);
    grouping.group_of = out->group_of;
    grouping.winding = ARENA_NEW(arena, uint8_t, triangle_count);
    /* A corner joins one group, and then pushes at most two triangles. */
    grouping.stack = ARENA_NEW(arena, uint32_t, 2 * (size_t)corner_count + 1);
    for (uint32_t t = 0; t < triangle_count; t++)
        grouping.winding[t] = windings[t];
    for (uint32_t c = 0; c < corner_count; c++)
        out->group_of[c] = TANGENTS_NONE;
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t group = out->count;
        uint8_t winding = windings[c / 3];

        if (winding == UV_DEGENERATE || is_degenerate(welds + c / 3 * 3) ||
            out->group_of[c] != TANGENTS_NONE)
            continue;
        out->is_mirrored[out->count++] = winding == UV_MIRRORED;
        grouping.stack[grouping.depth++] = c / 3;
        while (grouping.depth > 0)
            join(&grouping, grouping.stack[--grouping.depth], welds[c], group,
                 winding);
    }
}

uint32_t *tangents_share(const struct tangent_groups *groups,
                         const uint32_t *vertex_of, uint32_t corner_count,
                         uint32_t vertex_count, struct arena *arena)
{
    uint32_t *tangent_source = ARENA_NEW(arena, uint32_t, vertex_count);
    uint32_t *first_of = ARENA_NEW(arena, uint32_t, groups->count);
    bool has_shared = false;

    memset(first_of, 0xff, groups->count * sizeof *first_of);
    for (uint32_t v = 0; v < vertex_count; v++)
        tangent_source[v] = v;
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t group = groups->group_of[c];

        if (group != TANGENTS_NONE && vertex_of[c] < first_of[group])
            first_of[group] = vertex_of[c];
    }
    for (uint32_t c = 0; c < corner_count; c++) {
        if (groups->group_of[c] == TANGENTS_NONE)
            continue;
        tangent_source[vertex_of[c]] = first_of[groups->group_of[c]];
        has_shared = has_shared || tangent_source[vertex_of[c]] != vertex_of[c];
    }
    return has_shared ? tangent_source : NULL;
}

/* -- packing -- */

/* The square of the sine of half an angle of 0.19 degrees. */
#define ROTATION_ERROR_GOOD 2.7487e-6

static double square_of(const int16_t p[4])
{
    double square = 0;

    for (int i = 0; i < 4; i++)
        square += (double)p[i] * p[i];
    return square;
}

/* Return the square of sin(angle / 2), where `angle` is that of the rotation
 * from the unit quaternion q to p. p has any length. */
static double rotation_error(const double q[4], const int16_t p[4])
{
    double dot = 0;

    for (int i = 0; i < 4; i++)
        dot += q[i] * p[i];
    return 1 - dot * dot / square_of(p);
}

/* Try all sixteen roundings of the four components up or down, among those
 * whose length is QTANGENT_ONE within one step, and take the one with the
 * smallest rotation error. The largest error of 2 * 10^7 tangent frames was
 * 0.191 degrees; with rounding to the nearest it is 0.224. */
static void round_by_rotation(const double q[4], int16_t out[4])
{
    const double shortest = (QTANGENT_ONE - 1) * (QTANGENT_ONE - 1);
    const double longest = (QTANGENT_ONE + 1) * (QTANGENT_ONE + 1);
    double least = rotation_error(q, out);

    for (unsigned up = 0; up < 16; up++) {
        int16_t rounded[4];
        double square;
        double error;

        for (int i = 0; i < 4; i++)
            rounded[i] = (int16_t)(floor(q[i] * QTANGENT_ONE) + (up >> i & 1));
        square = square_of(rounded);
        error = rotation_error(q, rounded);
        if (error < least && square >= shortest && square <= longest) {
            least = error;
            memcpy(out, rounded, sizeof rounded);
        }
    }
}

static void make_sign_canonical(int16_t out[4])
{
    int sign = out[3];

    for (int i = 0; i < 3 && sign == 0; i++)
        sign = out[i];
    for (int i = 0; i < 4 && sign < 0; i++)
        out[i] = (int16_t)-out[i];
}

void tangents_pack(struct vec3 normal, struct vec3 tangent, int16_t out[4])
{
    struct vec3 bitangent = vec3_cross(normal, tangent);
    double q[4];

    arith_quaternion(tangent, bitangent, normal, q);
    for (int i = 0; i < 4; i++)
        out[i] = (int16_t)floor(q[i] * QTANGENT_ONE + 0.5);
    if (rotation_error(q, out) > ROTATION_ERROR_GOOD)
        round_by_rotation(q, out);
    make_sign_canonical(out);
}

/* -- packing for world matrices that stretch -- */

/* The square of sin(0.2 degrees / 2). */
#define ROTATION_ERROR_MAX 3.0461e-6

struct vec3 tangents_normal(const int16_t qtangent[4])
{
    double scale = 1 / sqrt(square_of(qtangent));
    double x = qtangent[0] * scale;
    double y = qtangent[1] * scale;
    double z = qtangent[2] * scale;
    double w = qtangent[3] * scale;

    return vec3_make(2 * (x * z + w * y), 2 * (y * z - w * x),
                     1 - 2 * (x * x + y * y));
}

static struct vec3 transform_normal(const double m[9], struct vec3 n)
{
    return vec3_make(n.x * m[0] + n.y * m[3] + n.z * m[6],
                     n.x * m[1] + n.y * m[4] + n.z * m[7],
                     n.x * m[2] + n.y * m[5] + n.z * m[8]);
}

/* Return the square of the sine of the angle between two normals in the world;
 * 1 for 90 degrees and more; 0 if one has no length there. */
static double world_error(const double cofactors[9], struct vec3 a,
                          struct vec3 b)
{
    struct vec3 in_world = transform_normal(cofactors, a);
    struct vec3 other = transform_normal(cofactors, b);
    struct vec3 cross = vec3_cross(in_world, other);
    double lengths = vec3_dot(in_world, in_world) * vec3_dot(other, other);

    if (!(lengths > 0))
        return 0;
    return vec3_dot(in_world, other) > 0 ? vec3_dot(cross, cross) / lengths : 1;
}

double tangents_world_angle(const double cofactors[9], struct vec3 a,
                            struct vec3 b)
{
    double square = world_error(cofactors, a, b);

    return asin(sqrt(square < 1 ? square : 1)) * (180 / ARITH_PI);
}

/* The square of sin(0.4 degrees), a little less than TANGENTS_WORLD_DEGREES. */
#define WORLD_ERROR_GOOD 4.8738e-5

void tangents_pack_stretched(struct vec3 normal, struct vec3 tangent,
                             const double cofactors[9], int16_t out[4])
{
    const double shortest = (QTANGENT_ONE - 1) * (QTANGENT_ONE - 1);
    const double longest = (QTANGENT_ONE + 1) * (QTANGENT_ONE + 1);
    double q[4];
    double least;

    tangents_pack(normal, tangent, out);
    least = world_error(cofactors, normal, tangents_normal(out));
    if (least <= WORLD_ERROR_GOOD)
        return;
    arith_quaternion(tangent, vec3_cross(normal, tangent), normal, q);
    for (unsigned step = 0; step < 256; step++) {
        int16_t rounded[4];
        double square;
        double error;

        for (int i = 0; i < 4; i++)
            rounded[i] = (int16_t)(floor(q[i] * QTANGENT_ONE) - 1 +
                                   (step >> (2 * i) & 3));
        square = square_of(rounded);
        if (square < shortest || square > longest ||
            rotation_error(q, rounded) > ROTATION_ERROR_MAX)
            continue;
        error = world_error(cofactors, normal, tangents_normal(rounded));
        if (error < least) {
            least = error;
            memcpy(out, rounded, sizeof rounded);
        }
    }
    make_sign_canonical(out);
}
