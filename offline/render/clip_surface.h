/* clip_surface.h - surfaces of an archive's frames, through the compiler's
 * front: what a cache would show. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_CLIP_SURFACE_H
#define OFFLINE_RENDER_CLIP_SURFACE_H

#include "compile/clip/clip.h"
#include "render/surface.h"

/* What is seen of a frame, in the world. False after a refusal. */
bool clip_surface_list(struct clip *clip, uint32_t frame, struct arena *arena,
                       struct surface_list *list);

/* World box of everything that is ever seen. min > max: nothing. */
bool clip_surface_box(struct clip *clip, float box_min[3], float box_max[3]);

#endif
