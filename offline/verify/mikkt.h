/* mikkt.h - computes the tangents that MikkTSpace gives a mesh of the archive.
 *
 * A second implementation: it shares no code with the compiler, and all values
 * come from the archive. Only the triangulation of faces comes from the cache;
 * check_coverage.c checks it. MikkTSpace welds equal corners. The triangles
 * around a weld form groups: triangles with a common edge and the same
 * orientation in UV space are of one group. All corners of a group have the
 * same tangent. Here corners are welded once for all frames, since the topology
 * of a cache is constant. Groups are formed again in frames with other
 * orientations.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_MIKKT_H
#define OFFLINE_VERIFY_MIKKT_H

#include "verify/corner_values.h"

#define MIKKT_NONE UINT32_MAX

/* The orientation of a triangle in UV space: the sign of its area there. */
enum mikkt_orientation { MIKKT_NO_AREA, MIKKT_PRESERVING, MIKKT_MIRRORED };

/* The groups of one frame. A triangle corner is 3 * triangle + 0..2. A group is
 * named by one of its triangle corners, its root. */
struct mikkt_groups {
    uint8_t *orientations; /* per triangle: enum mikkt_orientation */
    uint32_t *group;       /* per triangle corner: the root of its group */
    uint32_t *next;        /* per root: the root of another group that triangles
                     * without an area may connect with this one. Such groups
                     * form a circular list */
};

/* A mesh, prepared for all frames. Arrays belong to the arena of mikkt_open. */
struct mikkt {
    uint32_t triangle_count;
    const uint32_t *corners; /* per triangle corner: the face corner;
                              * MIKKT_NONE: the triangle has no face */
    bool flip_v;
    uint32_t *welds; /* per face corner: its weld; equal numbers are welded */
    uint32_t weld_count;    /* weld numbers are below it */
    uint8_t *is_degenerate; /* per triangle: it has no face, or two of its
                             * corners are welded */
    uint32_t pair_count;
    uint32_t (*pairs)[2]; /* shared edges: the two triangle corners where the
                           * edge begins, in opposite directions */
    struct mikkt_groups first; /* the groups of the first sample */
};

/* The next corner of the same triangle. */
static inline uint32_t mikkt_after(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Return the orientation of a triangle, computed in single precision like the
 * reference code. uv_edges: filled with (u, v) of the edges from the first
 * corner to the second and to the third. */
uint8_t mikkt_orientation(const struct mikkt *mikkt,
                          const struct corner_values *values, uint32_t triangle,
                          float uv_edges[2][2]);

/* Fill the orientations of all triangles; MIKKT_NO_AREA for degenerate ones. */
void mikkt_orientations(const struct mikkt *mikkt,
                        const struct corner_values *values,
                        uint8_t *orientations);
/* Form groups from groups->orientations, which the caller has filled. */
void mikkt_group(const struct mikkt *mikkt, struct arena *arena,
                 struct mikkt_groups *groups);

/* Prepare a mesh. `corners` must outlive *mikkt. Returns false after a refusal.
 */
bool mikkt_open(struct mikkt *mikkt, const struct corner_mesh *mesh,
                const struct abc_archive *archive, bool flip_v,
                const uint32_t *corners, uint32_t triangle_count,
                struct arena *arena);

/* The tangent of a group in one frame. */
struct mikkt_sum {
    double tangent[3];  /* sum of its corners, any length */
    double uncertainty; /* a bound on the error of `tangent` by rounding in
                         * single precision */
};
struct mikkt_frame {
    struct mikkt_groups groups;
    struct mikkt_sum *sums; /* per root */
};
/* Sum the tangents of a frame. `normals`: per face corner, of length 1; of
 * length 0 if unknown. */
void mikkt_frame(const struct mikkt *mikkt, const struct corner_mesh *mesh,
                 const struct corner_values *values, const double (*normals)[3],
                 struct arena *arena, struct mikkt_frame *frame);

/* The angle in degrees between `found` and the tangent of a triangle corner:
 * the smallest over all groups that the corner may belong to. Returns false if
 * the tangent is uncertain. */
bool mikkt_angle(const struct mikkt_frame *frame, uint32_t triangle_corner,
                 const double found[3], double *degrees);

#endif
