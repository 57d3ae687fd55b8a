/* normals.c - triangles' normals, gathered at their points in their order. */
/* SPDX-License-Identifier: MIT */
#include "compile/normals.h"

static void add_triangle(const uint32_t *points, const float *positions,
                         struct vec3 *normals)
{
    struct vec3 edges[3]; /* from each corner to the next */
    struct vec3 p[3];
    struct vec3 normal;
    double length;

    for (int i = 0; i < 3; i++)
        p[i] = vec3_load(positions + 3 * (size_t)points[i]);
    for (int i = 0; i < 3; i++)
        edges[i] = vec3_sub(p[(i + 1) % 3], p[i]);
    normal = vec3_cross(edges[0], edges[1]);
    length = vec3_length(normal);
    if (!vec3_normalize(&normal))
        return;
    /* Twice the area is the product of any two edges and their sine. */
    for (int i = 0; i < 3; i++) {
        struct vec3 *sum = &normals[points[i]];
        double angle =
            arith_angle(length, -vec3_dot(edges[i], edges[(i + 2) % 3]));

        *sum = vec3_add(*sum, vec3_scale(normal, angle));
    }
}

void normals_smooth(const uint32_t *points, uint32_t triangle_count,
                    const float *positions, uint32_t point_count,
                    struct vec3 *normals)
{
    for (uint32_t i = 0; i < point_count; i++)
        normals[i] = vec3_make(0, 0, 0);
    for (uint32_t t = 0; t < triangle_count; t++)
        add_triangle(points + 3 * (size_t)t, positions, normals);
    for (uint32_t i = 0; i < point_count; i++)
        if (!vec3_normalize(&normals[i]))
            normals[i] = vec3_make(0, 0, 1);
}
