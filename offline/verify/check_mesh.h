/* check_mesh.h - compares all values of a mesh in one frame.
 *
 * A step of a comparison (check.h), for each visible mesh of each frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_MESH_H
#define OFFLINE_VERIFY_CHECK_MESH_H

#include <stdbool.h>
#include <stdint.h>

struct check;
struct check_mesh;
struct surface;

/* Compare positions, normals and parameters of all pairs of the mesh, and its
 * tangents; find its flipped triangles.
 *
 * mesh     all records are filled
 * surface  the mesh as the cache has it in the frame */
bool check_mesh_frame(struct check *check, const struct check_mesh *mesh,
                      uint32_t frame, const struct surface *surface);

#endif
