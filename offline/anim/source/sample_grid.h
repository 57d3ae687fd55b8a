/* sample_grid.h - at which times a clip is sampled.
 *
 * The clip's own rate is that of the even grid on which all its keys lie; a BVH
 * file names it. The grid begins at the first key. Above 61 frames a second
 * every k-th frame is taken, so that about 60 remain. A clip whose keys lie on
 * no grid is sampled 30 times a second.
 *
 * Where a frame and a key are at the same time but for rounding, the time of
 * the frame is that of the key: a value that steps at the key has stepped.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_SAMPLE_GRID_H
#define OFFLINE_ANIM_SOURCE_SAMPLE_GRID_H

#include "anim/anim_limits.h"
#include "anim/source/motion.h"

#define SAMPLE_RATE_DEFAULT 30.0
#define SAMPLE_RATE_MAX 61.0 /* above it frames are left out */
#define SAMPLE_RATE_WANTED 60.0

struct sample_grid {
    /* The clip's own rate in frames a second, before frames are left out; 0:
     * the keys lie on no grid, or there is one key. */
    double own_rate;
    uint32_t own_frame_count; /* 0 without an own rate */
    uint32_t every; /* of the own frames, every so many; 0: resampled */
    uint32_t rate_numerator; /* of the frames; lowest terms */
    uint32_t rate_denominator;
    uint32_t frame_count;
    const double *times; /* [frame], seconds in the file's time */
};

/* Choose the times of a clip's frames.
 *
 * rate   frames a second, 0.001 to 1000; 0: the clip's own rate, as above. A
 *        rate that is a whole part of the own rate, within 1e-5 of it, takes
 *        every k-th frame
 * arena  owns the times
 *
 * Returns false after a refusal: there would be more than ANIM_FRAMES_MAX. */
bool sample_grid_choose(const struct motion_clip *clip, double rate,
                        struct arena *arena, const char *path,
                        struct diag *diag, struct sample_grid *grid);

/* Find a fraction that is near to a value of 1e-5 to 1e5. Both numbers are at
 * most ANIM_RATE_MAX: it is exact for a decimal of few digits, and 0.0333333
 * becomes 1/30. The relative error is below 1e-5. */
void sample_fraction(double value, uint32_t *numerator, uint32_t *denominator);

#endif
