/* sampling.h - converts between sample numbers and times of a property.
 *
 * Pure functions over struct abc_time_sampling (archive.h); any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SAMPLING_H
#define OFFLINE_ABC_SAMPLING_H

#include "abc/archive.h"

/* Return the time of sample i = `index` in seconds. Let tpc be time_per_cycle
 * and n be time_count. Uniform: times[0] + i * tpc. Cyclic: times[i % n] + (i /
 * n) * tpc. Acyclic: times[i], or the last time if i >= n. */
double abc_sample_time(const struct abc_time_sampling *sampling,
                       uint32_t index);

/* Format a sample for messages: "sample 3 (0.125 s)". A property with a single
 * sample gives "sample 0", without a time. A time that is not finite is written
 * as nan, inf or -inf on every machine. Returns `text`. */
#define ABC_SAMPLE_TEXT_BYTES 64u
const char *abc_sample_text(const struct abc_archive *archive,
                            const struct abc_property *property, uint32_t index,
                            char text[ABC_SAMPLE_TEXT_BYTES]);

/* The two samples around a time, and the weight of the second: the value is
 * floor's * (1 - alpha) + ceil's * alpha, with 0 <= alpha < 1. A time within
 * 1e-5 s of a sample's time selects that sample (floor = ceil, alpha = 0). A
 * time before the first or after the last sample selects that one. */
struct abc_bracket {
    uint32_t floor;
    uint32_t ceil;
    double alpha;
};
/* `sample_count`: of the property, at least 1. */
struct abc_bracket abc_bracket_at(const struct abc_time_sampling *sampling,
                                  uint32_t sample_count, double time);

/* Return the nearest sample; of two equally near ones, the first. Tolerance and
 * limits are as above. */
uint32_t abc_near_index(const struct abc_time_sampling *sampling,
                        uint32_t sample_count, double time);

#endif
