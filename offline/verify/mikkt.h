/* mikkt.h - the tangents that MikkTSpace gives a mesh of the archive.
 *
 * A second opinion: nothing here is shared with the compiler, and all numbers
 * come from the archive. Only how faces were cut is the cache's (and judged
 * elsewhere), since it is part of what the algorithm is given. Corners are
 * welded, and groups formed, once for all frames, as they must be where
 * topology is constant.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_MIKKT_H
#define OFFLINE_VERIFY_MIKKT_H

#include "verify/corners.h"

#define MIKKT_NONE UINT32_MAX

/* How the texture lies on a triangle; it may have no area. */
enum mikkt_side { MIKKT_FLAT, MIKKT_PLAIN, MIKKT_MIRRORED };

struct mikkt {
    uint32_t triangle_count;
    const uint32_t *corners; /* three face corners a triangle; MIKKT_NONE:
                              * the triangle is none of the archive's */
    bool flip_v;
    uint8_t *sides;    /* per triangle: enum mikkt_side */
    uint32_t *narrow;  /* per triangle corner: its group, by edges alone */
    uint32_t *wide;    /* ... and what triangles without an area in the
                        * texture may join */
    double *signs;     /* per triangle: of the bitangent; 0: no area */
    uint8_t *is_alone; /* per triangle: two corners are one, or none */
};

/* The next corner of a triangle. */
static inline uint32_t mikkt_after(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* A triangle's side, in single precision as the reference tells it, and u and
 * v along its edges from the first corner to the second and the third. */
uint8_t mikkt_side(const struct mikkt *mikkt,
                   const struct corner_values *values, uint32_t triangle,
                   float along[2][2]);

/* `corners` stays the caller's. Kept in `arena`. */
bool mikkt_open(struct mikkt *mikkt, const struct corner_mesh *mesh,
                const struct abc_archive *archive, bool flip_v,
                const uint32_t *corners, uint32_t triangle_count,
                struct arena *arena);

/* Sums of a frame, by group. */
struct mikkt_sum {
    double tangent[3]; /* of any length */
    double doubt;      /* what rounding in single precision may add to it */
};
struct mikkt_frame {
    struct mikkt_sum *narrow;
    struct mikkt_sum *wide;
};
/* `normals`: of each face corner, of length one; 0: unknown. */
void mikkt_frame(const struct mikkt *mikkt, const struct corner_mesh *mesh,
                 const struct corner_values *values, const double (*normals)[3],
                 struct arena *arena, struct mikkt_frame *frame);

/* Angle in degrees between a found tangent and that of a triangle's corner,
 * by the nearer of both groups. False: there is nothing to compare with. */
bool mikkt_angle(const struct mikkt *mikkt, const struct mikkt_frame *frame,
                 uint32_t triangle_corner, const double found[3],
                 double *degrees);

#endif
