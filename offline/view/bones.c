/* bones.c - octahedra with flat faces. */
/* SPDX-License-Identifier: MIT */
#include "view/bones.h"

#include "render/float3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The edge in the middle of a bone: its distance from the joint and its
 * half diagonal, as shares of the bone's length. */
#define RING_AT 0.2f
#define RING_RADIUS 0.09f
/* Shorter bones are not drawn; in radii of a root. */
#define SHORTEST 1e-3f

/* The corners of an octahedron: two ends, and an edge of four around. */
struct octahedron {
    float ends[2][3];
    float ring[4][3];
};

static void add_triangle(struct bones *bones, const float *a, const float *b,
                         const float *c, const uint8_t rgba[4])
{
    const float *corners[3] = {a, b, c};
    float sides[2][3];
    float normal[3];
    float length;

    for (int i = 0; i < 3; i++) {
        sides[0][i] = b[i] - a[i];
        sides[1][i] = c[i] - a[i];
    }
    float3_cross(sides[0], sides[1], normal);
    length = sqrtf(float3_dot(normal, normal));
    for (int k = 0; k < 3; k++) {
        struct bone_vertex *v;

        bones->vertices =
            arena_grow(bones->arena, bones->vertices, bones->count,
                       &bones->capacity, sizeof *bones->vertices);
        v = &bones->vertices[bones->count++];
        for (int i = 0; i < 3; i++) {
            v->position[i] = corners[k][i];
            v->normal[i] = length > 0 ? normal[i] / length : 0;
        }
        memcpy(v->rgba, rgba, 4);
    }
}

static void add_octahedron(struct bones *bones, const struct octahedron *o,
                           const uint8_t rgba[4])
{
    for (int k = 0; k < 4; k++) {
        const float *here = o->ring[k];
        const float *next = o->ring[(k + 1) % 4];

        add_triangle(bones, o->ends[0], next, here, rgba);
        add_triangle(bones, o->ends[1], here, next, rgba);
    }
}

/* Two directions of length 1 at right angles to `axis` and to each other. */
static void find_sides(const float axis[3], float sides[2][3])
{
    int least = 0;
    float other[3] = {0, 0, 0};
    float length;

    for (int i = 1; i < 3; i++)
        if (fabsf(axis[i]) < fabsf(axis[least]))
            least = i;
    other[least] = 1;
    float3_cross(axis, other, sides[0]);
    length = sqrtf(float3_dot(sides[0], sides[0]));
    for (int i = 0; i < 3; i++)
        sides[0][i] /= length;
    float3_cross(axis, sides[0], sides[1]);
    length = sqrtf(float3_dot(sides[1], sides[1]));
    for (int i = 0; i < 3; i++)
        sides[1][i] /= length;
}

/* From one end to the other, with the ring at a share of the length. */
static void add_between(struct bones *bones, const float from[3],
                        const float to[3], float at, float radius,
                        const uint8_t rgba[4])
{
    static const float turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    struct octahedron o;
    float sides[2][3];
    float axis[3];

    for (int i = 0; i < 3; i++) {
        o.ends[0][i] = from[i];
        o.ends[1][i] = to[i];
        axis[i] = to[i] - from[i];
    }
    find_sides(axis, sides);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            o.ring[k][i] = from[i] + axis[i] * at +
                           radius * (turns[k][0] * sides[0][i] +
                                     turns[k][1] * sides[1][i]);
    add_octahedron(bones, &o, rgba);
}

/* Returns whether all numbers are finite. */
static bool get_place(const struct bone_pose *pose, uint32_t joint,
                      const float offset[3], float place[3])
{
    for (uint32_t i = 0; i < 3; i++)
        place[i] = pose->matrices[12 * (size_t)joint + 4 * i + 3] + offset[i];
    return isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2]);
}

static void add_root(struct bones *bones, const float place[3], float radius,
                     const uint8_t rgba[4])
{
    const float from[3] = {place[0], place[1] - radius, place[2]};
    const float to[3] = {place[0], place[1] + radius, place[2]};

    add_between(bones, from, to, 0.5f, radius, rgba);
}

void bones_add(struct bones *bones, const struct bone_pose *pose,
               const float offset[3], float radius, const float rgb[3])
{
    uint8_t rgba[4] = {0, 0, 0, 255};

    for (int i = 0; i < 3; i++)
        rgba[i] = (uint8_t)(sqrtf(fmaxf(0, fminf(1, rgb[i]))) * 255 + 0.5f);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        float places[2][3];
        float way[3];
        float length;

        if (!get_place(pose, j, offset, places[1]))
            continue;
        if (pose->parents[j] >= j) {
            add_root(bones, places[1], radius, rgba);
            continue;
        }
        if (!get_place(pose, pose->parents[j], offset, places[0]))
            continue;
        for (int i = 0; i < 3; i++)
            way[i] = places[1][i] - places[0][i];
        length = sqrtf(float3_dot(way, way));
        if (length > SHORTEST * radius && isfinite(length))
            add_between(bones, places[0], places[1], RING_AT,
                        RING_RADIUS * length, rgba);
    }
}

void bones_enlarge(const struct bone_pose *pose, float box_min[3],
                   float box_max[3])
{
    static const float none[3] = {0, 0, 0};
    float place[3];

    for (uint32_t j = 0; j < pose->joint_count; j++)
        for (int i = 0; get_place(pose, j, none, place) && i < 3; i++) {
            box_min[i] = fminf(box_min[i], place[i]);
            box_max[i] = fmaxf(box_max[i], place[i]);
        }
}
