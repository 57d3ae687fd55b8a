/* anim_schedule.h - the order in which the frames of a segment are decoded, and
 * the frames that each is predicted from.
 *
 * The first frame of a segment (level 0) is not predicted. The last frame
 * (level 1) is predicted to be equal to the first. Then each pass halves all
 * gaps between decoded frames: the frame in the middle of a gap is the value of
 * the polynomial through the two frames at each side of it; at the ends of the
 * segment, where one of the four is missing, through three or two. The order
 * of a segment of 16 frames is
 *
 *   0 | 15 | 7 | 3 11 | 1 5 9 13 | 2 4 6 8 10 12 14
 *
 * So most frames are predicted from close neighbours at both sides, and the
 * errors of these predictions are smaller than those of an extrapolation.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SCHEDULE_H
#define SPN_ANIM_ANIM_SCHEDULE_H

#include "anim/pose/anim_window.h"

#include <stdint.h>

#define ANIM_LEVELS 6u /* 0 and 1: see above; 5: the smallest gaps */
#define ANIM_SOURCES 4u
#define ANIM_WEIGHT_ONE 64

/* The prediction of a value of a frame is
 *
 *   (sum over i of weight[i] * (value of frame source[i]) + 32) / 64
 *
 * rounded down. The weights of every frame but the first have the sum 64;
 * unused ones are 0. */
struct anim_schedule_frame {
    uint8_t frame;
    uint8_t level;
    uint8_t source[ANIM_SOURCES];
    int16_t weight[ANIM_SOURCES];
};

struct anim_schedule {
    struct anim_schedule_frame frames[ANIM_SEGMENT_FRAMES_MAX];
};

/* Compute the schedule of a segment of 1..ANIM_SEGMENT_FRAMES_MAX frames. */
void spn__anim_schedule(struct anim_schedule *schedule, uint32_t frame_count);

/* The prediction from four values, as above. The values are below 2^23 in
 * magnitude, and the sum of the weights' magnitudes is below 128. */
static inline int32_t anim_predict(const struct anim_schedule_frame *f,
                                   int32_t a, int32_t b, int32_t c, int32_t d)
{
    /* The offset makes the sum positive, and the division a shift. */
    const int32_t sum = f->weight[0] * a + f->weight[1] * b + f->weight[2] * c +
                        f->weight[3] * d + ANIM_WEIGHT_ONE / 2;

    return (int32_t)(((uint32_t)sum + (1u << 31)) / ANIM_WEIGHT_ONE) -
           (int32_t)((1u << 31) / ANIM_WEIGHT_ONE);
}

#endif
