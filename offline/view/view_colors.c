/* view_colors.c - hues from numbers. */
/* SPDX-License-Identifier: MIT */
#include "view/view_colors.h"

#include <string.h>

/* 2^32 divided by the golden ratio: its multiples spread hues evenly. */
#define GOLDEN 2654435769u
/* Numbers of the animated meshes of two files begin this far apart. */
#define FILE_NUMBERS 1009u
/* Single frames that are left out look like this share of all levels. */
#define SINGLE_SHARE 0.15f

void view_color_of_number(uint32_t number, float rgb[3])
{
    float hue = (float)(number * GOLDEN) / 4294967296.0f * 6;

    for (int c = 0; c < 3; c++) {
        float away = hue - (float)(c * 2);

        away = away < 0 ? away + 6 : away;
        away = away > 3 ? 6 - away : away;
        away = 2 - away;
        rgb[c] = 0.06f + 0.5f * (away < 0 ? 0 : away > 1 ? 1 : away);
    }
}

void view_color_of_item(const spn_draw_item *item, uint32_t file, float rgb[3])
{
    uint32_t number = item->mesh_id
                          ? (uint32_t)(item->mesh_id ^ item->mesh_id >> 32)
                          : item->mesh + file * FILE_NUMBERS;

    view_color_of_number(number, rgb);
}

void view_color_of_level(const spn_node_state *state, float rgb[3])
{
    float share = state->level_max > 0
                      ? (float)state->level / (float)state->level_max
                      : 0;

    if (state->left_out_permille > 0 && share < SINGLE_SHARE)
        share = SINGLE_SHARE;
    rgb[0] = 0.05f + 0.6f * (share < 0.5f ? 2 * share : 1);
    rgb[1] = 0.05f + 0.45f * (share < 0.5f ? 1 : 2 - 2 * share);
    rgb[2] = 0.05f;
}

void view_color_of_pose(enum play_pose_state state, float rgb[3])
{
    static const float colors[][3] = {
        [PLAY_POSE_PENDING] = {0.2f, 0.2f, 0.22f},
        [PLAY_POSE_SAMPLED] = {0.06f, 0.36f, 0.12f},
        [PLAY_POSE_HELD] = {0.6f, 0.42f, 0.03f},
        [PLAY_POSE_FAILED] = {0.55f, 0.03f, 0.03f},
    };

    memcpy(rgb, colors[state], sizeof colors[state]);
}
