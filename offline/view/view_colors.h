/* view_colors.h - colours that distinguish meshes, materials and levels.
 *
 * Linear RGB, 0..1. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_COLORS_H
#define OFFLINE_VIEW_VIEW_COLORS_H

#include <spindle/spindle.h>
#include <stdint.h>

/* A colour for each number; those of neighbours are far apart. */
void view_color_of_number(uint32_t number, float rgb[3]);

/* A colour for each mesh. Static meshes with the same content have the same one
 * in all files.
 *
 * content_hash  of spn_mesh_info
 * file, mesh    numbers, for meshes without a hash */
void view_color_of_mesh(uint64_t content_hash, uint32_t file, uint32_t mesh,
                        float rgb[3]);

/* From green, nothing is left out, to red, only index frames are left. */
void view_color_of_level(const spn_node_state *state, float rgb[3]);

#endif
