/* timeline.h - the frames' times: all samples of everything that moves.
 *
 * Sample times of the samplings that animated objects use are gathered; times
 * within 10 microseconds of one another (as Alembic's tools compare them) are
 * one frame, at the earliest of them. Nothing animated: one frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_TIMELINE_H
#define OFFLINE_COMPILE_MATH_TIMELINE_H

#include "abc/sampling.h"
#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define TIMELINE_SAME_SECONDS 1e-5

struct timeline_use; /* a sampling, and how many samples of it */
struct timeline {
    struct arena *arena;
    struct timeline_use *uses;
    uint32_t use_count;
    uint32_t use_capacity;
    uint32_t count;  /* frames, after timeline_finish */
    bool is_counted; /* count is all of them, also where they are too many */
    double *times;   /* rising */
};

void timeline_begin(struct timeline *timeline, struct arena *arena);

/* An animated property takes part with all of its samples. It is remembered
 * for messages, and may be NULL. */
void timeline_add(struct timeline *timeline,
                  const struct abc_time_sampling *sampling,
                  uint32_t sample_count, const struct abc_property *property);

/* After the last. `fallback` is the time of the one frame of a scene without
 * animation. False: more than `frames_max` frames. */
bool timeline_finish(struct timeline *timeline, double fallback,
                     uint32_t frames_max);

/* For messages: the property with the most samples, and the one whose first or
 * last sample lies farthest from second 0, with that sample's number and
 * time. NULL: nothing was added. */
const struct abc_property *timeline_busiest(const struct timeline *timeline,
                                            uint32_t *sample_count);
const struct abc_property *timeline_farthest(const struct timeline *timeline,
                                             uint32_t *sample, double *time);

/* For messages, after timeline_finish was true: the next sampling of whose own
 * samples some share a frame, the property with the most samples of it, how
 * many those are, and how many have no frame of their own. Start with
 * *next = 0. False: there is none. */
bool timeline_next_merged(const struct timeline *timeline, uint32_t *next,
                          const struct abc_property **property,
                          uint32_t *sample_count, uint32_t *merged_count);

#endif
