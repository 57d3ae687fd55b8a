/* normals.c - sums of triangle normals at points.
 *
 * Triangles are processed in blocks, one component at a time, in loops that
 * compilers vectorize. The size of a block does not change the results: terms
 * are added to the points in the order of the triangles.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/normals.h"

#define BLOCK 32u

struct vectors {
    double x[BLOCK];
    double y[BLOCK];
    double z[BLOCK];
};

struct block {
    struct vectors edges[3]; /* from each corner to the next */
    struct vectors normals;
    double lengths[BLOCK]; /* of the normals: twice the area */
    double along[BLOCK];
    double angles[3][BLOCK];
};

static void load(const uint32_t *points, uint32_t count, const float *positions,
                 struct block *block)
{
    for (uint32_t t = 0; t < count; t++, points += 3)
        for (int i = 0; i < 3; i++) {
            const float *from = positions + 3 * (size_t)points[i];
            const float *to = positions + 3 * (size_t)points[(i + 1) % 3];
            struct vec3 edge = vec3_sub(vec3_load(to), vec3_load(from));

            block->edges[i].x[t] = edge.x;
            block->edges[i].y[t] = edge.y;
            block->edges[i].z[t] = edge.z;
        }
}

/* The normals of triangles without area are not finite; add() skips them. */
static void find_normals(struct block *block)
{
    const struct vectors *a = &block->edges[0];
    const struct vectors *b = &block->edges[1];
    struct vectors *n = &block->normals;

    for (uint32_t t = 0; t < BLOCK; t++) {
        double x = a->y[t] * b->z[t] - a->z[t] * b->y[t];
        double y = a->z[t] * b->x[t] - a->x[t] * b->z[t];
        double z = a->x[t] * b->y[t] - a->y[t] * b->x[t];
        double length = sqrt(x * x + y * y + z * z);
        double scale = 1 / length;

        block->lengths[t] = length;
        n->x[t] = x * scale;
        n->y[t] = y * scale;
        n->z[t] = z * scale;
    }
}

/* The tangent of the angle between two edges is twice the area of the triangle,
 * divided by the dot product of the edges. */
static void find_angles(struct block *block)
{
    for (int i = 0; i < 3; i++) {
        const struct vectors *a = &block->edges[i];
        const struct vectors *b = &block->edges[(i + 2) % 3];

        for (uint32_t t = 0; t < BLOCK; t++)
            block->along[t] =
                -(a->x[t] * b->x[t] + a->y[t] * b->y[t] + a->z[t] * b->z[t]);
        arith_angles(block->lengths, block->along, BLOCK, block->angles[i]);
    }
}

static void add(const struct block *block, const uint32_t *points,
                uint32_t count, struct vec3 *normals)
{
    for (uint32_t t = 0; t < count; t++, points += 3) {
        struct vec3 normal = vec3_make(block->normals.x[t], block->normals.y[t],
                                       block->normals.z[t]);

        if (!(block->lengths[t] > 0) || isinf(block->lengths[t]))
            continue;
        for (int i = 0; i < 3; i++) {
            struct vec3 *sum = &normals[points[i]];

            *sum = vec3_add(*sum, vec3_scale(normal, block->angles[i][t]));
        }
    }
}

void normals_smooth(const uint32_t *points, uint32_t triangle_count,
                    const float *positions, uint32_t point_count,
                    struct vec3 *normals)
{
    struct block block = {0};
    uint32_t count;

    for (uint32_t i = 0; i < point_count; i++)
        normals[i] = vec3_make(0, 0, 0);
    for (uint32_t t = 0; t < triangle_count; t += count, points += 3 * count) {
        count = triangle_count - t < BLOCK ? triangle_count - t : BLOCK;
        load(points, count, positions, &block);
        find_normals(&block);
        find_angles(&block);
        add(&block, points, count, normals);
    }
    for (uint32_t i = 0; i < point_count; i++)
        if (!vec3_normalize(&normals[i]))
            normals[i] = vec3_make(0, 0, 1);
}
