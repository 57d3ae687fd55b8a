/* ray.h - a ray against boxes and triangles.
 *
 * The ray has a space of its own: its origin is 0, it runs along the z axis,
 * and z is the distance along the ray. x and y are a shear of the two smaller
 * axes of its direction (S. Woop, C. Benthin, I. Wald: Watertight Ray/Triangle
 * Intersection, JCGT 2, 2013). A triangle is hit if 0 is inside its projection
 * to x and y. Two triangles that share an edge compute the same number for it
 * but for the sign, so a ray cannot pass between them.
 *
 * All is a fixed sequence of IEEE operations, so results are the same on every
 * machine. They are of single precision, but for triangles that are hit, or
 * nearly hit. Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_RAY_H
#define SPN_SCENE_RAY_H

#include <spindle/geom_ray.h>
#include <stdbool.h>

struct ray {
    float origin[3];
    float direction[3]; /* length 1 */
    float distance_max; /* finite */
};

/* From mesh space to the space of a ray: row k gives coordinate k of a point p
 * as row[k] . p + row[k][3]. */
struct ray_space {
    float row[3][4];
};

struct ray_triangle {
    float distance;
    float barycentric[3];
};

/* Validate and normalize. False: the ray is refused. */
bool spn__ray_init(struct ray *ray, const spn_ray *source);
/* Compute the space of a ray.
 *
 * world  from mesh space to the space in which the ray is: 3 rows of 4 */
void spn__ray_space(const struct ray *ray, const float world[12],
                    struct ray_space *out);
void spn__ray_point(const struct ray_space *space, const float point[3],
                    float out[3]);
/* True if no triangle whose corners lie in the box is hit within the
 * distance. */
bool spn__ray_misses_box(const struct ray_space *space, const float min[3],
                         const float max[3], float distance);
/* Test a triangle in the space of the ray. `out` is written if it is hit, from
 * either side, at most at this distance. */
bool spn__ray_hits(const float a[3], const float b[3], const float c[3],
                   float distance, struct ray_triangle *out);
/* The normal of a triangle, counter-clockwise seen from its side, length 1. A
 * triangle without an area has the direction against the ray. */
void spn__ray_normal(const struct ray *ray, const float a[3], const float b[3],
                     const float c[3], float out[3]);

#endif
