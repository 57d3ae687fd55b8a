/* anim_activity.h - how large the next prediction error of a value will be.
 *
 * Each place in a row has a running mean of the magnitudes of its prediction
 * errors in the current segment, in units of 1/256. Errors of frames with large
 * gaps are larger, so the mean holds magnitudes divided by the factor of their
 * level (anim_schedule.h). The encoder chooses the factors of a clip, and each
 * place's mean at the start of a segment. From the mean follows the class with
 * which the next error is coded (anim_symbols.h). First frames of segments,
 * which are not predicted, have a fixed class at each place.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_ACTIVITY_H
#define SPN_ANIM_ANIM_ACTIVITY_H

#include "base/mem.h"
#include "base/minmax.h"

#include <stdint.h>

/* Means at the start of a segment: number n is 2^(n - 8), in units of 1. */
#define ANIM_FIRST_MEANS 16u
/* Classes of first frames: anim_key_class(). */
#define ANIM_KEY_CLASSES 16u
/* Stored level factors: 2^(n / 2). */
#define ANIM_LEVEL_FACTORS 16u

/* round(scale * 2^(n / 2)) for an even scale. */
static inline uint32_t anim_half_octaves(uint32_t n, uint32_t scale)
{
    return (n & 1 ? (scale * 362u + 128u) / 256u : scale) << n / 2;
}

/* The coding of a place, as tracks hold it: a number of a mean, and of a class.
 */
static inline uint8_t anim_coding(uint32_t first_mean, uint32_t key_class)
{
    return (uint8_t)(key_class << 4 | first_mean);
}

/* The mean at the start of a segment. */
static inline uint32_t anim_first_mean(uint8_t coding)
{
    return 1u << (coding & 15u);
}

/* The class of the first frame: of magnitudes of 1/16, 1/2, 2, 4, 8 ... */
static inline uint32_t anim_key_class(uint8_t coding)
{
    const uint32_t n = coding >> 4;

    return n == 0 ? 0 : n == 1 ? 12 : 4 * n + 12;
}

/* The factor of a level in units of 1/16. */
static inline uint32_t anim_level_factor(uint32_t n)
{
    return anim_half_octaves(n, 16);
}

/* The class of an expected magnitude in units of 1/16: four times its binary
 * logarithm, as a float approximates it. */
static inline uint32_t anim_class_of(uint32_t magnitude)
{
    const float number =
        (float)(int32_t)min_u32(max_u32(magnitude, 1), (1u << 24) - 1);
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    return (bits >> 21) - (127u << 2);
}

static inline uint32_t anim_class(uint32_t mean, uint32_t factor)
{
    return anim_class_of((mean >> 4) * factor >> 4);
}

/* The mean after an error of at most 2^15. `inverse` is 4096 / factor. The
 * constant keeps a mean above 0. */
static inline uint32_t anim_next_mean(uint32_t mean, uint32_t magnitude,
                                      uint32_t inverse)
{
    return (5 * mean + 3 * (magnitude * inverse + 5)) >> 3;
}

#endif
