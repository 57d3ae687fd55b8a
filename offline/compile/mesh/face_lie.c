/* face_lie.c - areas against the area of the whole. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/face_lie.h"

/* Coordinates are off by up to half a unit in the last place of the largest;
 * a triangle's area by that and the length of its edges. */
#define ROUNDING 5e-7

struct face_lie face_lie_look(const uint32_t *points, uint32_t count,
                              const float *positions, struct vec3 *at)
{
    struct vec3 origin = vec3_load(positions + 3 * (size_t)points[0]);
    struct face_lie lie = {count, points, positions, at, {0, 0, 0}, 1};

    at[0] = vec3_make(0, 0, 0);
    for (uint32_t i = 1; i < count; i++) {
        at[i] = vec3_sub(vec3_load(positions + 3 * (size_t)points[i]), origin);
        if (i > 1)
            lie.area = vec3_add(lie.area, vec3_cross(at[i], at[i - 1]));
    }
    return lie;
}

static double largest_of(struct vec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static double find_product_min(const struct face_lie *lie)
{
    double length = vec3_length(lie->area);
    double largest = 0;
    double extent = 0;
    double rounding;

    for (uint32_t i = 0; i < lie->count; i++) {
        struct vec3 p = vec3_load(lie->positions + 3 * (size_t)lie->points[i]);

        largest = fmax(largest, largest_of(p));
        extent = fmax(extent, vec3_length(lie->at[i]));
    }
    rounding = ROUNDING * largest * extent;
    return length > rounding ? -rounding * length : -INFINITY;
}

bool face_lie_is_turned(struct face_lie *lie, uint32_t a, uint32_t b,
                        uint32_t c)
{
    struct vec3 area = vec3_cross(vec3_sub(lie->at[b], lie->at[a]),
                                  vec3_sub(lie->at[c], lie->at[a]));
    double product = vec3_dot(area, lie->area);

    if (!(product < 0))
        return false;
    if (lie->product_min > 0)
        lie->product_min = find_product_min(lie);
    return product < lie->product_min;
}
