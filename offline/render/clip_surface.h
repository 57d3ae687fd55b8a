/* clip_surface.h - surfaces of the frames of an archive, as a cache would show
 * them.
 *
 * The archive is imported and quantized by compile/clip, the first half of the
 * compiler; here its frames are dequantized again. render draws the surfaces.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_CLIP_SURFACE_H
#define OFFLINE_RENDER_CLIP_SURFACE_H

#include "compile/clip/clip.h"
#include "render/surface.h"

/* List the visible surfaces of a frame in world space; they belong to the
 * arena. Returns false after a refusal. */
bool clip_surface_list(struct clip *clip, uint32_t frame, struct arena *arena,
                       struct surface_list *list);

/* The box in world space around everything that is visible in any frame. If
 * nothing is, min > max. Returns false after a refusal. */
bool clip_surface_box(struct clip *clip, float box_min[3], float box_max[3]);

#endif
