/* clip_picture.h - the skeleton of an animation clip in the pose of a frame, as
 * a surface that render draws. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_CLIP_PICTURE_H
#define OFFLINE_CLI_CLIP_PICTURE_H

#include "anim/tool/clip_file.h"
#include "render/surface.h"

#include <spindle/anim_pose.h>
#include <stdbool.h>
#include <stdint.h>

struct clip_picture {
    struct clip_file clip;
    struct skeleton_file skeleton; /* found beside the clip */
    spn_anim_transform *locals;
    spn_anim_pose pose;
    float *matrices; /* to model space */
};

/* Open a clip and its skeleton. The arena owns all. Returns false after a
 * refusal. */
bool clip_picture_open(struct clip_picture *picture, const char *path,
                       struct arena *arena, struct diag *diag);

/* The box of the joints in all frames. */
void clip_picture_box(struct clip_picture *picture, float box_min[3],
                      float box_max[3]);

/* The bones in a frame, as one surface of the arena. */
void clip_picture_list(struct clip_picture *picture, uint32_t frame,
                       struct arena *arena, struct surface_list *list);

#endif
