/* view_colors.h - colours that distinguish meshes, materials, levels and states
 * of poses.
 *
 * Linear RGB, 0..1. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_COLORS_H
#define OFFLINE_VIEW_VIEW_COLORS_H

#include "player/play_poses.h"

#include <spindle/spindle.h>
#include <stdint.h>

/* A colour for each number; those of neighbours are far apart. */
void view_color_of_number(uint32_t number, float rgb[3]);

/* A colour for the mesh of an item of a draw list. Static meshes with the same
 * content have the same one in all files.
 *
 * file  number of its file, for meshes that change */
void view_color_of_item(const spn_draw_item *item, uint32_t file, float rgb[3]);

/* From green, nothing is left out, to red, only index frames are left. */
void view_color_of_level(const spn_node_state *state, float rgb[3]);

/* Green: sampled; yellow: held; grey: none yet; red: failed. */
void view_color_of_pose(enum play_pose_state state, float rgb[3]);

#endif
