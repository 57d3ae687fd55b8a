/* view_clip_rows.h - the overlay's part about animation clips: a line about all
 * of them, and for each character a bar, from the first frame of its clip to
 * the last, with what is in memory.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_CLIP_ROWS_H
#define OFFLINE_VIEW_VIEW_CLIP_ROWS_H

#include "player/play_poses.h"
#include "view/overlay_pen.h"
#include "view/view_controls.h"

#include <spindle/debug.h>

/* A character. */
struct view_clip {
    spn_anim anim;
    const char *name; /* of the clip */
    uint32_t bytes;
    uint32_t first_bytes; /* of its first part */
    uint32_t frame_count;
    uint32_t frame; /* at the time of the pose */
    bool is_ready;  /* the first part is in memory */
    bool is_loaded; /* all is */
    enum play_pose_state pose;
    bool has_skeleton;
    uint32_t glitches; /* pictures of the clip so far, without its first part */
    uint32_t held;     /* others without a pose */
    spn_status status; /* why there is no pose; SPN_OK: there is one */
};

/* Write the rows whose names the controls let through. */
void view_clip_rows_write(struct overlay_pen *pen, const spn_debug *debug,
                          const struct view_clip *clips, uint32_t clip_count,
                          const struct view_controls *controls);

#endif
