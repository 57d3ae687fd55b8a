/* clip_corners.h - the face corners of a clip's triangles. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_CORNERS_H
#define TESTS_SUPPORT_CLIP_CORNERS_H

#include "compile/clip/clip.h"
#include "support/clip_expect.h"

#define CLIP_CORNER_UNSURE UINT32_MAX

struct clip_corners {
    uint32_t *points;  /* point of each index of the mesh */
    uint32_t *corners; /* corner of each index; ambiguous when triangles have
                        * the same points */
    uint32_t unsure_count;
};

/* Ends the running claim unless the triangles cover every face once, with the
 * right orientation and with the material of the face. */
void clip_corners_find(struct clip_corners *corners, const struct clip *clip,
                       uint32_t mesh, const struct expect *expect,
                       struct arena *arena);

#endif
