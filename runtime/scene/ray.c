/* ray.c - a ray against boxes and triangles. */
/* SPDX-License-Identifier: MIT */
#include "scene/ray.h"

#if SPN_WITH_RAY_CASTS

#include "base/mem.h"
#include "cache/transform.h"

#include <stdint.h>

#define LARGEST 3.402823466e+38f
#define SMALLEST_NORMAL 1.17549435e-38f

static float absolute(float x)
{
    return x < 0 ? -x : x;
}

static bool is_finite(const float v[3])
{
    return absolute(v[0]) <= LARGEST && absolute(v[1]) <= LARGEST &&
           absolute(v[2]) <= LARGEST;
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Scale to length 1. Dividing by the largest number first avoids overflow.
 * False: the vector is 0, or nearly. */
static bool normalize(float v[3])
{
    float largest = 0;
    float length;

    for (int k = 0; k < 3; k++)
        if (absolute(v[k]) > largest)
            largest = absolute(v[k]);
    if (!(largest >= SMALLEST_NORMAL))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= largest;
    length = spn__sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

bool spn__ray_init(struct ray *ray, const spn_ray *source)
{
    if (!is_finite(source->origin) || !is_finite(source->direction) ||
        !(source->distance_max >= 0))
        return false;
    memcpy(ray->origin, source->origin, sizeof ray->origin);
    memcpy(ray->direction, source->direction, sizeof ray->direction);
    ray->distance_max = source->distance_max;
    if (ray->distance_max == 0 || ray->distance_max > LARGEST)
        ray->distance_max = LARGEST;
    return normalize(ray->direction);
}

/* One row of the space: row . world, with the origin of the ray at 0. */
static void set_row(const struct ray *ray, const float row[3],
                    const float world[12], float out[4])
{
    float offset[3];

    for (int k = 0; k < 3; k++) {
        offset[k] = world[4 * k + 3] - ray->origin[k];
        out[k] =
            row[0] * world[k] + row[1] * world[4 + k] + row[2] * world[8 + k];
    }
    out[3] = dot(row, offset);
}

void spn__ray_space(const struct ray *ray, const float world[12],
                    struct ray_space *out)
{
    const float *d = ray->direction;
    float row[3][3] = {{0}};
    int z = 0;
    int x;
    int y;

    for (int k = 1; k < 3; k++)
        if (absolute(d[k]) > absolute(d[z]))
            z = k;
    x = (z + 1) % 3;
    y = (z + 2) % 3;
    row[0][x] = 1;
    row[0][z] = -d[x] / d[z];
    row[1][y] = 1;
    row[1][z] = -d[y] / d[z];
    row[2][z] = 1 / d[z];
    for (int k = 0; k < 3; k++)
        set_row(ray, row[k], world, out->row[k]);
}

void spn__ray_point(const struct ray_space *space, const float point[3],
                    float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = dot(space->row[k], point) + space->row[k][3];
}

/* More than the rounding of spn__ray_point, as a part of the sum of the
 * absolute values of its terms: 2^-20. */
#define MARGIN 9.5367432e-07f

/* The middle of a box in one coordinate of the space, and how far the box goes
 * to either side, rounded up. */
static void find_extent(const float row[4], const float middle[3],
                        const float half[3], float *at, float *reach)
{
    float terms = absolute(row[3]);
    float sides = 0;

    for (int k = 0; k < 3; k++) {
        sides += absolute(row[k]) * half[k];
        terms += absolute(row[k]) * absolute(middle[k]);
    }
    *at = dot(row, middle) + row[3];
    *reach = sides + (sides + terms) * MARGIN;
}

bool spn__ray_misses_box(const struct ray_space *space, const float min[3],
                         const float max[3], float distance)
{
    float middle[3];
    float half[3];
    float at;
    float reach;

    for (int k = 0; k < 3; k++) {
        middle[k] = min[k] * 0.5f + max[k] * 0.5f;
        half[k] = max[k] * 0.5f - min[k] * 0.5f;
    }
    for (int k = 0; k < 2; k++) {
        find_extent(space->row[k], middle, half, &at, &reach);
        if (absolute(at) > reach)
            return true;
    }
    find_extent(space->row[2], middle, half, &at, &reach);
    /* The distance of a hit is rounded, too. */
    return at + reach < 0 || at - reach > distance;
}

/* Twice the area of the triangle 0, q, p in the projection. Products of floats
 * are exact in double precision, so the sign is right, and it is that of the
 * same edge of the neighbour, reversed. */
static double area(const float p[3], const float q[3])
{
    return (double)p[0] * (double)q[1] - (double)p[1] * (double)q[0];
}

/* Its sign: 1, -1, or 0 if single precision cannot tell. */
static int sign_of_area(const float p[3], const float q[3])
{
    const float a = p[0] * q[1];
    const float b = p[1] * q[0];
    const float bound = (absolute(a) + absolute(b)) * MARGIN;

    return (a - b > bound) - (a - b < -bound);
}

/* True for nearly all triangles that the ray misses. */
static bool is_clear_miss(const float a[3], const float b[3], const float c[3])
{
    const int u = sign_of_area(c, b);
    const int v = sign_of_area(a, c);
    const int w = sign_of_area(b, a);

    return (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0);
}

/* Signs decide. If rounding did, rays would hit triangles without an area, far
 * from the ray. */
bool spn__ray_hits(const float a[3], const float b[3], const float c[3],
                   float distance, struct ray_triangle *out)
{
    double u;
    double v;
    double w;
    double sum;
    float at;

    if (is_clear_miss(a, b, c))
        return false;
    u = area(c, b);
    v = area(a, c);
    w = area(b, a);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return false;
    sum = u + v + w;
    if (!(sum < 0 || sum > 0)) /* seen from its edge, or without an area */
        return false;
    u /= sum;
    v /= sum;
    w /= sum;
    at = (float)(u * (double)a[2] + v * (double)b[2] + w * (double)c[2]);
    if (!(at >= 0 && at <= distance))
        return false;
    *out = (struct ray_triangle){at, {(float)u, (float)v, (float)w}};
    return true;
}

void spn__ray_normal(const struct ray *ray, const float a[3], const float b[3],
                     const float c[3], float out[3])
{
    float d[3];
    float e[3];

    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        e[k] = c[k] - a[k];
    }
    /* The product of two lengths may be too small or too large. */
    if (normalize(d) && normalize(e)) {
        out[0] = d[1] * e[2] - d[2] * e[1];
        out[1] = d[2] * e[0] - d[0] * e[2];
        out[2] = d[0] * e[1] - d[1] * e[0];
        if (normalize(out))
            return;
    }
    for (int k = 0; k < 3; k++)
        out[k] = -ray->direction[k];
}

#endif
