/* sampling.h - converts between sample numbers and times of a property.
 *
 * Pure functions over struct abc_time_sampling (archive.h); any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SAMPLING_H
#define OFFLINE_ABC_SAMPLING_H

#include "abc/archive.h"

/* Return the time of sample i = `index` in seconds. With the period p =
 * time_per_cycle and the number of stored times n = time_count:
 *
 *   uniform  times[0] + i * p
 *   cyclic   times[i % n] + (i / n) * p, with integer division
 *   acyclic  times[i], or the last time if i >= n
 */
double abc_sample_time(const struct abc_time_sampling *sampling,
                       uint32_t index);

/* Format a number for messages, with `digits` significant digits, the same on
 * every machine: not-a-number and the infinities are "nan", "inf" and "-inf".
 * Returns `text`, or a constant. */
#define ABC_NUMBER_BYTES 32u
const char *abc_number_text(double value, int digits,
                            char text[ABC_NUMBER_BYTES]);

/* Format a sample for messages: "sample 3 (0.125 s)". A property with a single
 * sample gives "sample 0", without a time. Returns `text`. */
#define ABC_SAMPLE_TEXT_BYTES 64u
const char *abc_sample_text(const struct abc_archive *archive,
                            const struct abc_property *property, uint32_t index,
                            char text[ABC_SAMPLE_TEXT_BYTES]);

/* The two samples around a time. The value at that time is
 *
 *   value[floor] * (1 - alpha) + value[ceil] * alpha
 */
struct abc_bracket {
    uint32_t floor; /* the last sample at or before the time */
    uint32_t ceil;  /* the next sample */
    double alpha;   /* weight of `ceil`, 0 <= alpha < 1 */
};
/* Return the bracket of `time` (seconds). A time within 1e-5 s of a sample's
 * time selects that sample alone (floor = ceil, alpha = 0). A time before the
 * first sample selects the first one, a time after the last sample the last
 * one. `sample_count`: samples of the property; must be at least 1. */
struct abc_bracket abc_bracket_at(const struct abc_time_sampling *sampling,
                                  uint32_t sample_count, double time);

#endif
