/* view_clip_rows.h - the overlay's part about animation clips: a line about all
 * of them, and for each character a bar, from the first frame of its clip to
 * the last, with what is in memory.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_CLIP_ROWS_H
#define OFFLINE_VIEW_VIEW_CLIP_ROWS_H

#include "player/character_state.h"
#include "view/overlay_pen.h"
#include "view/view_controls.h"

#include <spindle/debug.h>

/* Write the rows whose names the controls let through. */
void view_clip_rows_write(struct overlay_pen *pen, const spn_debug *debug,
                          const struct character_state *clips,
                          uint32_t clip_count,
                          const struct view_controls *controls);

#endif
