/* view.h - a window that plays caches and clips through the runtime: the verb
 * `view`.
 *
 * Input: the parsed options. The files, the drive and the runtime are those of
 * `spindle play` (player/player.h). Folder `window` has what needs SDL2 and
 * OpenGL; without SDL2, view_missing.c takes its place. The main thread makes
 * all calls.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_H
#define OFFLINE_VIEW_VIEW_H

#include "player/play.h"

#include <stdbool.h>
#include <stdint.h>

/* Pictures per second of playback with --frames. */
#define VIEW_PICTURES_PER_S 60

/* A picture to write. */
struct view_shot {
    double time_s;
    const char *path; /* of a PNG file */
};

struct view_options {
    struct play_options play;
    uint32_t width; /* of the window, in pixels */
    uint32_t height;
    char up_axis;         /* 'Y', 'Z'; 0: that of the first file */
    const char *keys;     /* keys to press first; "": none */
    uint32_t frame_count; /* pictures to draw, one for each 1/60 s of playback;
                           * 0: until the window is closed */
    const struct view_shot *shots;
    uint32_t shot_count; /* > 0: write them, and end. With frame_count, each is
                          * the first picture at its time or later, ready or
                          * not */
};

/* What the pictures of --frames took. */
struct view_report {
    uint32_t picture_count;
    char renderer[128]; /* what OpenGL calls it */
    bool is_frame_path; /* the path at the end */
    uint64_t gpu_bytes; /* written to buffers of the graphics processor, without
                         * what never changes */
    double fill_s;      /* of this thread: maps, waits for fills, unmaps */
    double draw_s;      /* of this thread: all calls of OpenGL but these */
    double time_s;      /* of playback at the end */
    uint32_t late_count; /* pictures with a node that was late, or a character
                          * whose pose was not there */
    struct clips_report clips;
};

/* Returns false after a refusal. Damaged frames are refused at the end, and the
 * report is complete all the same. */
bool view_run(const struct view_options *options, struct arena *arena,
              struct diag *diag, struct view_report *report);

#endif
