/* tangents.h - tangents as MikkTSpace makes them, frame by frame.
 *
 * The algorithm is that of Morten S. Mikkelsen, "Simulation of Wrinkled
 * Surfaces Revisited" (2008), and its reference code: the triangles around a
 * vertex form groups that are joined by edges and agree in how the texture
 * lies on them, plain or mirrored; a group's tangent is the sum of its
 * triangles' directions of growing u, each laid into the normal's plane, made
 * of length one and weighted by the corner's angle.
 *
 * Groups are formed anew where the texture changes sides; corners that part in
 * any frame are vertices of their own (seams.h, vertices_split). So per frame
 * a tangent is a sum over the triangles of a vertex, or of several that are one
 * group. Not the reference's business: where there is no texture, or it has no
 * area, a tangent that is fixed to a triangle and moves with it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_TANGENTS_H
#define OFFLINE_COMPILE_MESH_TANGENTS_H

#include "common/arena.h"
#include "compile/math/arith.h"

#include <stdbool.h>
#include <stdint.h>

#define TANGENTS_NONE UINT32_MAX

enum tangent_side {
    TANGENT_PLAIN,
    TANGENT_MIRRORED,
    TANGENT_FLAT /* the triangle has no area in the texture */
};

/* How the texture lies on a triangle. In single precision, as the reference
 * decides it. */
enum tangent_side tangents_side(const float *uv0, const float *uv1,
                                const float *uv2);

/* What of groups never changes: which triangles lie side by side. */
struct tangent_net {
    uint32_t triangle_count;
    const uint32_t *welds; /* three a triangle: corners with equal numbers agree
                            * in position, normal and texture in all frames */
    uint32_t *across;      /* per triangle corner: the triangle beyond the edge
                            * that begins there; TANGENTS_NONE */
};

/* `welds` stays the caller's. */
void tangents_join(const uint32_t *welds, uint32_t triangle_count,
                   struct arena *arena, struct arena *scratch,
                   struct tangent_net *net);

struct tangent_groups {
    uint32_t count;
    uint32_t *group_of;   /* per triangle corner; TANGENTS_NONE */
    uint8_t *is_mirrored; /* per group */
};

/* Form the groups. `sides`: enum tangent_side of each triangle. */
void tangents_group(const struct tangent_net *net, const uint8_t *sides,
                    struct arena *arena, struct tangent_groups *out);

/* The first vertex of the group of each; of one without a group, itself. NULL:
 * that is so for all. `vertex_of`: per triangle corner; corners of a vertex are
 * of one group, or of none. */
uint32_t *tangents_sums(const struct tangent_groups *groups,
                        const uint32_t *vertex_of, uint32_t corner_count,
                        uint32_t vertex_count, struct arena *arena);

/* Where a vertex without a group takes its tangent from: a direction in one
 * of its triangles, in terms of that triangle's edges. */
struct tangent_anchor {
    uint32_t triangle;
    float along_first;  /* of the edge from corner 0 to corner 1 */
    float along_second; /* ... to corner 2 */
};

struct tangent_mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    const uint32_t *indices;    /* three vertices a triangle */
    const float *positions;     /* xyz of each vertex */
    const struct vec3 *normals; /* of each vertex, unit length */
    const float *uvs;           /* of each vertex; NULL: none */
    const uint32_t *sum_of;     /* of each vertex: the first of its group, which
                                 * has the same place, normal and texture;
                                 * NULL: each is the only one of its own */
};

/* Choose anchors in the first frame: neighbours get similar directions. */
void tangents_anchor(const struct tangent_mesh *mesh,
                     struct tangent_anchor *anchors);

/* One unit tangent a vertex, orthogonal to its normal. */
void tangents_make(const struct tangent_mesh *mesh,
                   const struct tangent_anchor *anchors, struct vec3 *tangents);

/* The rotation that takes x to the tangent, z to the normal and y to
 * cross(normal, tangent), as a QTangent (clip.h): rounded, so that it turns by
 * no more than 0.2 degrees from what was asked, sign canonical. */
void tangents_pack(struct vec3 normal, struct vec3 tangent, int16_t out[4]);

/* The normal of a QTangent, and the angle in degrees between two normals after
 * `cofactors` (tns.h) took both into the world. */
struct vec3 tangents_normal(const int16_t qtangent[4]);
double tangents_world_angle(const double cofactors[9], struct vec3 a,
                            struct vec3 b);

/* What a normal should be off by at most in the world, as verify has it. */
#define TANGENTS_WORLD_DEGREES 0.5

/* The same for a mesh that the world stretches: where the normal would be off
 * by more than that there, another rounding within 0.2 degrees, whose normal
 * is nearest in the world. */
void tangents_pack_stretched(struct vec3 normal, struct vec3 tangent,
                             const double cofactors[9], int16_t out[4]);

#endif
