/* ply.h - surfaces as a binary little-endian PLY file. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_PLY_H
#define OFFLINE_RENDER_PLY_H

#include "host/host.h"
#include "render/surface.h"

/* All surfaces as one list of vertices and one of triangles. Vertices are
 * float x y z nx ny nz, s t when any surface has UVs (others get 0 0), uchar
 * red green blue alpha when any has colours (others get 255), float s2 t2 and
 * vx vy vz when any has second UVs and velocities (others get 0). `comment`
 * (NULL: none) is a line of the header. False after a refusal; the output still
 * has to be committed or abandoned. */
bool ply_write(struct host_output *output, const struct surface_list *list,
               const char *comment, struct diag *diag);

#endif
