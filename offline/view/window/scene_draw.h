/* scene_draw.h - draws the meshes of all nodes with OpenGL. One thread. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_SCENE_DRAW_H
#define OFFLINE_VIEW_WINDOW_SCENE_DRAW_H

#include "view/orbit.h"
#include "view/view_controls.h"
#include "view/window/programs.h"
#include "view/window/view_scene.h"

/* Draw what the fill path of the controls shows, over the background. */
void scene_draw(const struct view_scene *scene, const struct programs *programs,
                const struct view_controls *controls, const struct orbit *orbit,
                uint32_t width, uint32_t height);

#endif
