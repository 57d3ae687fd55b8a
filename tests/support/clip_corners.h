/* clip_corners.h - which face corners a clip's triangles are made of. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_CORNERS_H
#define TESTS_SUPPORT_CLIP_CORNERS_H

#include "compile/clip/clip.h"
#include "support/clip_expect.h"

#define CLIP_CORNER_UNSURE UINT32_MAX

struct clip_corners {
    uint32_t *points;  /* of each index of the mesh */
    uint32_t *corners; /* of each index; unsure where triangles have the same
                        * points */
    uint32_t unsure_count;
};

/* Ends the running claim unless triangles cover every face once, the right
 * way round, each in the material of its face. */
void clip_corners_find(struct clip_corners *corners, const struct clip *clip,
                       uint32_t mesh, const struct expect *expect,
                       struct arena *arena);

#endif
