/* face_orientation.c - compares area vectors. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/face_orientation.h"

/* A coordinate is rounded by up to half a unit in the last place of the largest
 * one. This changes the area of a triangle by at most that error times the
 * length of its edges. */
#define ROUNDING 5e-7

struct face_orientation face_orientation_of(const uint32_t *points,
                                            uint32_t count,
                                            const float *positions,
                                            struct vec3 *at)
{
    struct vec3 origin = vec3_load(positions + 3 * (size_t)points[0]);
    struct face_orientation orientation = {count, points,    positions,
                                           at,    {0, 0, 0}, 1};

    at[0] = vec3_make(0, 0, 0);
    for (uint32_t i = 1; i < count; i++) {
        at[i] = vec3_sub(vec3_load(positions + 3 * (size_t)points[i]), origin);
        if (i > 1)
            orientation.area =
                vec3_add(orientation.area, vec3_cross(at[i], at[i - 1]));
    }
    return orientation;
}

static double largest_of(struct vec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static double find_product_min(const struct face_orientation *orientation)
{
    double length = vec3_length(orientation->area);
    double largest = 0;
    double extent = 0;
    double rounding;

    for (uint32_t i = 0; i < orientation->count; i++) {
        struct vec3 p = vec3_load(orientation->positions +
                                  3 * (size_t)orientation->points[i]);

        largest = fmax(largest, largest_of(p));
        extent = fmax(extent, vec3_length(orientation->at[i]));
    }
    rounding = ROUNDING * largest * extent;
    return length > rounding ? -rounding * length : -INFINITY;
}

bool face_orientation_is_flipped(struct face_orientation *orientation,
                                 uint32_t a, uint32_t b, uint32_t c)
{
    struct vec3 area =
        vec3_cross(vec3_sub(orientation->at[b], orientation->at[a]),
                   vec3_sub(orientation->at[c], orientation->at[a]));
    double product = vec3_dot(area, orientation->area);

    if (!(product < 0))
        return false;
    if (orientation->product_min > 0)
        orientation->product_min = find_product_min(orientation);
    return product < orientation->product_min;
}
