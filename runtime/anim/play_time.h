/* play_time.h - from the time of a play to frames of its clip.
 *
 * Integers only, so that all machines find the same frames. Frame f of a clip
 * is at f * denominator / numerator seconds. A loop whose last frame equals the
 * first (`loop_closes`) has the period of frame_count - 1 frames; another one
 * of frame_count: after the last frame it goes to the first one. Pure
 * functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAY_TIME_H
#define SPN_ANIM_PLAY_TIME_H

#include "anim/anim_clip.h"

#include <spindle/anim_sample.h>
#include <stdbool.h>
#include <stdint.h>

struct play_time {
    uint32_t frame; /* the one before, or at, the time */
    uint32_t next;  /* the one after; `frame` at the end of a clip without a
                     * loop */
    float between;  /* position between them, in [0, 1); a multiple of 2^-24 */
    int64_t pass;   /* of a loop: 0 from time 0 on, -1 before; otherwise 0 */
};

/* time_us  at most SPN_ANIM_TIME_MAX in magnitude. With the limits of
 *          anim_limits.h nothing overflows 64 bits */
struct play_time spn__play_time(const struct anim_clip_header *header,
                                bool loops, int64_t time_us);

#endif
