/* scene_view.h - projects, shades and draws surfaces.
 *
 * render puts the camera in front of the scene's box, then draws the surfaces
 * of each frame into a picture (raster.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_SCENE_VIEW_H
#define OFFLINE_RENDER_SCENE_VIEW_H

#include "render/raster.h"
#include "render/surface.h"

/* A camera. Its axes are unit vectors in world space. */
struct scene_view {
    float eye[3];
    float right[3];
    float up[3];
    float back[3];  /* against the direction of view */
    float focal;    /* pixels for one unit at distance 1 */
    float center_x; /* middle of the picture, pixels */
    float center_y;
};

/* Place the camera so that a box in world space just fits the picture, seen
 * from the front, slightly from the right and from above. `up_axis` is 'Z';
 * anything else means Y. A box without extent, or with min > max, is seen from
 * a distance of one unit. */
void scene_view_frame(struct scene_view *view, const float box_min[3],
                      const float box_max[3], char up_axis, uint32_t width,
                      uint32_t height);

/* The colour of a mesh without colours of vertices, linear RGB 0..1. */
void scene_view_tone(uint32_t mesh, float rgb[3]);

/* Draw surfaces, given in world space. Both sides of triangles are lit. */
void scene_view_draw(const struct scene_view *view, struct raster *raster,
                     const struct surface_list *list, struct arena *arena);

#endif
