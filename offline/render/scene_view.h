/* scene_view.h - a camera, a light, and surfaces through both. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_SCENE_VIEW_H
#define OFFLINE_RENDER_SCENE_VIEW_H

#include "render/raster.h"
#include "render/surface.h"

struct scene_view {
    float eye[3];
    float right[3]; /* unit, as are the next two */
    float up[3];
    float back[3]; /* towards the eye */
    float focal;   /* pixels at distance 1 */
    float center_x;
    float center_y;
};

/* Look at a world box from the front, a little from the right and from above,
 * so near that it just fits. `up_axis` 'Z', anything else is Y. A box without
 * extent, or with min > max, is looked at from one unit away. */
void scene_view_frame(struct scene_view *view, const float box_min[3],
                      const float box_max[3], char up_axis, uint32_t width,
                      uint32_t height);

/* Draw surfaces that are in world space, lit from both sides. */
void scene_view_draw(const struct scene_view *view, struct raster *raster,
                     const struct surface_list *list, struct arena *arena);

#endif
