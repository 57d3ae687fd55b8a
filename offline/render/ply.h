/* ply.h - writes surfaces as a binary little-endian PLY file, for export. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_PLY_H
#define OFFLINE_RENDER_PLY_H

#include "host/host.h"
#include "render/surface.h"

/* Write all surfaces as one list of vertices and one of triangles. A vertex has
 * float x y z nx ny nz. If any surface has UVs, all vertices have float s t,
 * those of other surfaces 0. In the same way: uchar red green blue alpha for
 * colours (others 255), float s2 t2 for second UVs and float vx vy vz for
 * velocities (others 0). `comment` is a line of the header; NULL: none. Returns
 * false after a refusal. The caller commits or abandons the output. */
bool ply_write(struct host_output *output, const struct surface_list *list,
               const char *comment, struct diag *diag);

#endif
