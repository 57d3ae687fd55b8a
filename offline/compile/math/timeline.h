/* timeline.h - collects the times of the frames of a cache.
 *
 * A frame is made for every sample time of everything that is animated. Times
 * that differ by at most 10 microseconds become one frame, at the earliest of
 * them (Alembic's tools compare times with the same tolerance). Without
 * animation there is one frame. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_TIMELINE_H
#define OFFLINE_COMPILE_MATH_TIMELINE_H

#include "abc/sampling.h"
#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define TIMELINE_SAME_SECONDS 1e-5

struct timeline_use; /* a time sampling with its number of samples */
struct timeline {
    struct arena *arena;
    struct timeline_use *uses;
    uint32_t use_count;
    uint64_t use_capacity;
    uint32_t count;  /* frames; set by timeline_finish */
    bool is_counted; /* `count` is exact, even if timeline_finish failed */
    double *times;   /* seconds, ascending */
};

/* Begin without times. All memory comes from `arena`. */
void timeline_begin(struct timeline *timeline, struct arena *arena);

/* Add the first `sample_count` times of a sampling. `property`: an animated
 * property that has it; only for messages; may be NULL. */
void timeline_add(struct timeline *timeline,
                  const struct abc_time_sampling *sampling,
                  uint32_t sample_count, const struct abc_property *property);

/* Merge all times. Without any, the only frame is at `fallback` seconds.
 * Returns false if there are more than `frames_max` frames. */
bool timeline_finish(struct timeline *timeline, double fallback,
                     uint32_t frames_max);

/* For messages: return the property with the most samples; NULL if nothing was
 * added. */
const struct abc_property *timeline_busiest(const struct timeline *timeline,
                                            uint32_t *sample_count);
/* For messages: return the property whose first or last sample is farthest from
 * second 0, with the number and the time of that sample; NULL if nothing was
 * added. */
const struct abc_property *timeline_farthest(const struct timeline *timeline,
                                             uint32_t *sample, double *time);

/* For messages, after timeline_finish has returned true: find the next sampling
 * of which two samples share a frame.
 *
 * next          0 before the first call; advanced by each call
 * property      the property of that sampling with the most samples
 * sample_count  its number of samples
 * merged_count  how many of them share the frame of an earlier sample
 *
 * Returns false if there is none. */
bool timeline_next_merged(const struct timeline *timeline, uint32_t *next,
                          const struct abc_property **property,
                          uint32_t *sample_count, uint32_t *merged_count);

#endif
