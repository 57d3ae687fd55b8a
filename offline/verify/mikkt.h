/* mikkt.h - the tangents that MikkTSpace gives a mesh of the archive.
 *
 * A second opinion: nothing here is shared with the compiler, and all numbers
 * come from the archive. Only how faces were cut is the cache's (and judged
 * elsewhere), since it is part of what the algorithm is given. Corners are
 * welded once for all frames, as they must be where topology is constant;
 * groups are those of each frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_MIKKT_H
#define OFFLINE_VERIFY_MIKKT_H

#include "verify/corner_values.h"

#define MIKKT_NONE UINT32_MAX

/* How the texture lies on a triangle; it may have no area. */
enum mikkt_side { MIKKT_FLAT, MIKKT_PLAIN, MIKKT_MIRRORED };

/* The groups of some frame. */
struct mikkt_groups {
    uint8_t *sides;  /* per triangle: enum mikkt_side */
    uint32_t *group; /* per triangle corner: its group by edges alone, which
                      * is one of its corners */
    uint32_t *next;  /* of each group's own corner: the next group that
                      * triangles without an area may join with it, around in
                      * a ring */
};

struct mikkt {
    uint32_t triangle_count;
    const uint32_t *corners; /* three face corners a triangle; MIKKT_NONE:
                              * the triangle is none of the archive's */
    bool flip_v;
    uint32_t *welds;     /* per face corner: equal ones are one */
    uint32_t weld_count; /* all are below */
    uint8_t *is_alone;   /* per triangle: two corners are one, or none */
    uint32_t pair_count;
    uint32_t (*pairs)[2]; /* triangle corners that begin one edge, in opposite
                           * directions */
    struct mikkt_groups first; /* of the first sample */
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

/* Of all triangles; flat where there is nothing to tell. */
void mikkt_sides(const struct mikkt *mikkt, const struct corner_values *values,
                 uint8_t *sides);
/* `groups->sides` is there. */
void mikkt_group(const struct mikkt *mikkt, struct arena *arena,
                 struct mikkt_groups *groups);

/* `corners` stays the caller's. Kept in `arena`. */
bool mikkt_open(struct mikkt *mikkt, const struct corner_mesh *mesh,
                const struct abc_archive *archive, bool flip_v,
                const uint32_t *corners, uint32_t triangle_count,
                struct arena *arena);

/* Sums of a frame, by groups' own corners. */
struct mikkt_sum {
    double tangent[3]; /* of any length */
    double doubt;      /* what rounding in single precision may add to it */
};
struct mikkt_frame {
    struct mikkt_groups groups;
    struct mikkt_sum *sums;
};
/* `normals`: of each face corner, of length one; 0: unknown. */
void mikkt_frame(const struct mikkt *mikkt, const struct corner_mesh *mesh,
                 const struct corner_values *values, const double (*normals)[3],
                 struct arena *arena, struct mikkt_frame *frame);

/* Angle in degrees between a found tangent and that of a triangle's corner, by
 * the nearest of all groups that it may be of. False: there is nothing to
 * compare with. */
bool mikkt_angle(const struct mikkt_frame *frame, uint32_t triangle_corner,
                 const double found[3], double *degrees);
/* Of a triangle's bitangent; 0: its texture has no area. */
double mikkt_sign(const struct mikkt_frame *frame, uint32_t triangle);

#endif
