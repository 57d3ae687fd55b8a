/* tangents.h - computes vertex tangents like MikkTSpace.
 *
 * The algorithm is that of Morten S. Mikkelsen, "Simulation of Wrinkled
 * Surfaces Revisited in Tangent Space" (2008), and of its reference code. A
 * tangent is the direction on the surface in which the texture coordinate u
 * grows. Around a vertex, the triangles form groups: triangles that share an
 * edge and have the same winding in texture space are of one group. The tangent
 * of a group is a weighted sum over its triangles. Each term is the triangle's
 * own tangent, projected into the plane of the vertex normal and normalized;
 * its weight is the triangle's angle at the vertex.
 *
 * Vertices are split where groups meet (seams.h, vertices_split), so that each
 * vertex has one tangent. The reference does not define a tangent where there
 * is no texture, or where the texture has no area. There this module uses a
 * direction that is fixed to a triangle and moves with it: an anchor.
 *
 * Order of calls. Once: tangent_topology_make, tangents_group, tangents_share,
 * tangents_anchor. In each frame: tangents_make, then tangents_pack for each
 * vertex.
 *
 * A triangle corner is an index 0 .. 3 * triangle_count - 1: corner i of
 * triangle t is 3 * t + i. All functions are pure: any thread may call them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_TANGENTS_H
#define OFFLINE_COMPILE_MESH_TANGENTS_H

#include "common/arena.h"
#include "compile/math/arith.h"

#include <stdint.h>

#define TANGENTS_NONE UINT32_MAX /* no triangle, no group */

/* The orientation of a triangle in texture space. */
enum uv_winding {
    UV_PLAIN,     /* counter-clockwise */
    UV_MIRRORED,  /* clockwise */
    UV_DEGENERATE /* no area */
};

/* Return the winding of a triangle with these texture coordinates. Computed in
 * single precision, like the reference code. */
enum uv_winding uv_winding_of(const float *uv0, const float *uv1,
                              const float *uv2);

/* Which triangles share edges. It does not change over time. */
struct tangent_topology {
    uint32_t triangle_count;
    /* Of each triangle corner: its weld. Corners of one weld have equal
     * positions, normals and texture coordinates in all frames. */
    const uint32_t *welds;
    /* Of each triangle corner: the triangle on the other side of the edge from
     * this corner to the next; TANGENTS_NONE if there is none. */
    uint32_t *neighbours;
};

/* Find the neighbours. `neighbours` belongs to `arena`; `welds` must outlive
 * the topology. */
void tangent_topology_make(const uint32_t *welds, uint32_t triangle_count,
                           struct arena *arena, struct arena *scratch,
                           struct tangent_topology *topology);

struct tangent_groups {
    uint32_t count;
    uint32_t *group_of;   /* of each triangle corner; TANGENTS_NONE if its
                           * triangle is degenerate and joined no group */
    uint8_t *is_mirrored; /* of each group: its triangles are UV_MIRRORED */
};

/* Form the groups. `windings`: enum uv_winding of each triangle. The arrays of
 * `out` belong to `arena`. */
void tangents_group(const struct tangent_topology *topology,
                    const uint8_t *windings, struct arena *arena,
                    struct tangent_groups *out);

/* A group may have several vertices, which differ in other attributes. Find,
 * for each vertex, the first vertex of its group; for a vertex without a group,
 * itself. Returns NULL if this is the vertex itself for all vertices.
 *
 * vertex_of  of each triangle corner. All corners of a vertex have the same
 *            group or none
 * arena      owns the result */
uint32_t *tangents_share(const struct tangent_groups *groups,
                         const uint32_t *vertex_of, uint32_t corner_count,
                         uint32_t vertex_count, struct arena *arena);

/* The direction of the tangent of a vertex that has no group:
 * along_first * (p1 - p0) + along_second * (p2 - p0), where p0, p1 and p2 are
 * the positions of the triangle's corners. Only the direction counts. */
struct tangent_anchor {
    uint32_t triangle;
    float along_first;
    float along_second;
};

/* A mesh in one frame. All pointers are the caller's. */
struct tangent_mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    const uint32_t *indices;        /* three vertices for each triangle */
    const float *positions;         /* xyz of each vertex */
    const struct vec3 *normals;     /* of each vertex; unit length */
    const float *uvs;               /* of each vertex; NULL: no texture */
    const uint32_t *tangent_source; /* of each vertex: the vertex of which it
                                     * takes the tangent (tangents_share);
                                     * NULL: of itself */
};

/* Choose an anchor for each vertex in the first frame. Neighbouring vertices
 * get similar directions. */
void tangents_anchor(const struct tangent_mesh *mesh,
                     struct tangent_anchor *anchors);

/* Compute a unit tangent for each vertex, orthogonal to its normal. */
void tangents_make(const struct tangent_mesh *mesh,
                   const struct tangent_anchor *anchors, struct vec3 *tangents);

/* Compute the QTangent (clip.h) of a normal and a tangent: the quaternion that
 * rotates x to the tangent, y to cross(normal, tangent) and z to the normal, as
 * four integers. Rounding changes the rotation by at most 0.2 degrees. Of the
 * two signs it takes the one with w > 0; if w is 0, the first component of x,
 * y, z that is not 0 is positive. */
void tangents_pack(struct vec3 normal, struct vec3 tangent, int16_t out[4]);

/* The normal of a QTangent. */
struct vec3 tangents_normal(const int16_t qtangent[4]);

/* The angle in degrees between two normals after transforming both into the
 * world by `cofactors` (tns.h, matrix_cofactors). */
double tangents_world_angle(const double cofactors[9], struct vec3 a,
                            struct vec3 b);

/* The largest angle between a normal of the archive and that of the cache in
 * the world, in degrees. verify has the same limit. */
#define TANGENTS_WORLD_DEGREES 0.5

/* Like tangents_pack, for a mesh whose world matrix stretches normals. If the
 * result changes the normal by more than 0.4 degrees in the world, it is
 * replaced: of all roundings within 0.2 degrees of the rotation, the one whose
 * normal has the smallest error in the world. */
void tangents_pack_stretched(struct vec3 normal, struct vec3 tangent,
                             const double cofactors[9], int16_t out[4]);

#endif
