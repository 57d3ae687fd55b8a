/* sampling.h - which sample belongs to which time. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SAMPLING_H
#define OFFLINE_ABC_SAMPLING_H

#include "abc/archive.h"

/* Time of sample `index` in seconds: uniform t0 + i * tpc, cyclic
 * times[i % n] + (i / n) * tpc, acyclic times[i] (clamped to the last). */
double abc_sample_time(const struct abc_time_sampling *sampling,
                       uint32_t index);

/* "sample 3 (0.125 s)"; "sample 0" of what has no more samples. What is no
 * number is "nan", "inf" or "-inf", as on every machine. */
#define ABC_SAMPLE_TEXT_BYTES 64u
const char *abc_sample_text(const struct abc_archive *archive,
                            const struct abc_property *property, uint32_t index,
                            char text[ABC_SAMPLE_TEXT_BYTES]);

/* The samples around a time, out of `sample_count` >= 1. A time within 1e-5 s
 * of a sample's is that sample (floor = ceil, alpha 0); times outside the
 * range clamp. `alpha` in [0, 1) leads from floor to ceil. */
struct abc_bracket {
    uint32_t floor;
    uint32_t ceil;
    double alpha;
};
struct abc_bracket abc_bracket_at(const struct abc_time_sampling *sampling,
                                  uint32_t sample_count, double time);

/* The nearest sample; on a tie the lower index. Same tolerance and clamps. */
uint32_t abc_near_index(const struct abc_time_sampling *sampling,
                        uint32_t sample_count, double time);

#endif
