/* view_overlay.h - what the viewer's overlay says.
 *
 * The owner fills view_facts after each picture; this module lays texts and
 * bars out (overlay.h). It knows neither SDL nor OpenGL. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_OVERLAY_H
#define OFFLINE_VIEW_VIEW_OVERLAY_H

#include "view/overlay.h"
#include "view/view_clip_rows.h"
#include "view/view_controls.h"

#include <spindle/debug.h>
#include <spindle/spindle.h>
#include <stdbool.h>

struct view_facts {
    /* means of the last pictures */
    double pictures_per_s;
    double bytes; /* to the graphics processor in a picture */
    double fill_ms;
    double draw_ms;
    double update_ms;
    const spn_debug *debug; /* NULL: the overlay is off */
    /* The emulated drive; NULL: none. */
    const spn_drive_profile *drive;
    spn_medium_stats reads;
    /* The characters (view_clip_rows.h). */
    const struct character_state *clips;
    uint32_t clip_count;
};

/* Write the overlay for a picture of this size, as the controls want it. */
void view_overlay_write(struct overlay *overlay, const struct view_facts *facts,
                        const struct view_controls *controls, uint32_t width,
                        uint32_t height);

/* Store the share of the longest clip, 0..1, at a pixel. Returns whether the
 * pixel is on the time bar. */
bool view_overlay_time_at(uint32_t width, uint32_t height, float x, float y,
                          double *share);

#endif
