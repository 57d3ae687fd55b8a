/* view_skeletons.h - the characters of a player (play_clips.h) as skeletons in
 * the viewer's world, beside what caches show.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_SKELETONS_H
#define OFFLINE_VIEW_VIEW_SKELETONS_H

#include "player/play_clips.h"
#include "view/bones.h"
#include "view/view_clip_rows.h"
#include "view/view_controls.h"

struct view_skeleton {
    float offset[3]; /* of its model space */
    float radius;    /* of the octahedron of a root */
};

struct view_skeletons {
    const struct play_clips *clips;
    struct view_skeleton *items;   /* clips->character_count */
    float *matrices;               /* of the largest pose */
    struct character_state *facts; /* character_count */
};

/* Place the characters in a square grid on the ground, in the poses that they
 * have now, beside the box of the caches; its minimum is above its maximum if
 * there are none. The box is enlarged. */
void view_skeletons_open(struct view_skeletons *skeletons,
                         const struct play_clips *clips, float box_min[3],
                         float box_max[3], char up_axis, struct arena *arena);

/* Enlarge a box by the poses of now. */
void view_skeletons_enlarge(const struct view_skeletons *skeletons,
                            float box_min[3], float box_max[3]);

/* Whether the draw mode of the controls shows skeletons: all but that of static
 * meshes. */
bool view_skeletons_are_shown(const struct view_controls *controls);

/* Add the bones of all characters in their colours. */
void view_skeletons_write(const struct view_skeletons *skeletons,
                          const struct view_controls *controls,
                          struct bones *bones);

/* Set `facts` for the overlay. */
void view_skeletons_describe(struct view_skeletons *skeletons);

/* Does a character not show the pose that it should, apart from failures? */
bool view_skeletons_are_late(const struct view_skeletons *skeletons);

#endif
