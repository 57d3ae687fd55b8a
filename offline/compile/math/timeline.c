/* timeline.c - collects, sorts and merges times.
 *
 * Many objects share few samplings. For each sampling only the largest number
 * of samples is kept. Times are merged into the list one sampling at a time,
 * and equal times are dropped at once, so that the list stays short even if the
 * archive has too many times.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/timeline.h"

#include <math.h>
#include <stdlib.h>

struct timeline_use {
    const struct abc_time_sampling *sampling;
    uint32_t sample_count;
    const struct abc_property *property; /* a property with this many samples */
};

/* The list may have this many times as many times as there may be frames, since
 * times that almost agree are merged at the end. */
#define SLACK 8u

void timeline_begin(struct timeline *timeline, struct arena *arena)
{
    *timeline = (struct timeline){.arena = arena};
}

void timeline_add(struct timeline *timeline,
                  const struct abc_time_sampling *sampling,
                  uint32_t sample_count, const struct abc_property *property)
{
    struct timeline_use *uses = timeline->uses;

    if (sampling->type == ABC_ACYCLIC && sample_count > sampling->time_count)
        sample_count = sampling->time_count;
    for (uint32_t i = 0; i < timeline->use_count; i++)
        if (uses[i].sampling == sampling) {
            if (sample_count > uses[i].sample_count) {
                uses[i].sample_count = sample_count;
                uses[i].property = property;
            }
            return;
        }
    timeline->uses = arena_grow(timeline->arena, uses, timeline->use_count,
                                &timeline->use_capacity, sizeof *uses);
    timeline->uses[timeline->use_count++] =
        (struct timeline_use){sampling, sample_count, property};
}

static int compare_times(const void *a, const void *b)
{
    double s = *(const double *)a;
    double t = *(const double *)b;

    return s < t ? -1 : s > t;
}

/* Sort, and drop each time that is at most `same` after the last one kept.
 * Returns the number of those kept. */
static uint32_t sort_distinct(double *times, uint32_t count, double same)
{
    uint32_t kept = 0;

    qsort(times, count, sizeof *times, compare_times);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || times[i] - times[kept - 1] > same)
            times[kept++] = times[i];
    return kept;
}

bool timeline_finish(struct timeline *timeline, double fallback,
                     uint32_t frames_max)
{
    uint32_t limit = frames_max * SLACK;
    uint32_t capacity = 0;
    uint32_t count = 0;
    double *times;

    for (uint32_t i = 0; i < timeline->use_count; i++) {
        uint32_t more = timeline->uses[i].sample_count;

        timeline->count = more;
        if (more > limit)
            return false;
        capacity = more > limit - capacity ? limit : capacity + more;
    }
    times = ARENA_NEW(timeline->arena, double, 2 * (size_t)capacity + 1);
    for (uint32_t i = 0; i < timeline->use_count; i++) {
        const struct timeline_use *use = &timeline->uses[i];

        for (uint32_t k = 0; k < use->sample_count; k++)
            times[count++] = abc_sample_time(use->sampling, k);
        timeline->count = count = sort_distinct(times, count, 0);
        if (count > capacity)
            return false;
    }
    timeline->count = count =
        sort_distinct(times, count, TIMELINE_SAME_SECONDS);
    timeline->is_counted = true;
    if (count > frames_max)
        return false;
    if (count == 0)
        times[count++] = fallback;
    timeline->times = times;
    timeline->count = count;
    return true;
}

const struct abc_property *timeline_busiest(const struct timeline *timeline,
                                            uint32_t *sample_count)
{
    const struct abc_property *property = NULL;

    *sample_count = 0;
    for (uint32_t i = 0; i < timeline->use_count; i++)
        if (timeline->uses[i].sample_count > *sample_count) {
            *sample_count = timeline->uses[i].sample_count;
            property = timeline->uses[i].property;
        }
    return property;
}

const struct abc_property *timeline_farthest(const struct timeline *timeline,
                                             uint32_t *sample, double *time)
{
    const struct abc_property *property = NULL;

    *sample = 0;
    *time = 0;
    for (uint32_t i = 0; i < timeline->use_count; i++) {
        const struct timeline_use *use = &timeline->uses[i];
        uint32_t last = use->sample_count > 0 ? use->sample_count - 1 : 0;
        const uint32_t ends[2] = {0, last};

        for (int k = 0; k < 2; k++) {
            double at = abc_sample_time(use->sampling, ends[k]);

            /* NaN counts as farther than any number. */
            if (property && !isnan(at) && !(fabs(at) > fabs(*time)))
                continue;
            *sample = ends[k];
            *time = at;
            property = use->property;
        }
    }
    return property;
}

static uint32_t count_merged(const struct timeline *timeline,
                             const struct timeline_use *use)
{
    uint32_t last = UINT32_MAX;
    uint32_t merged = 0;
    uint32_t frame = 0;

    for (uint32_t k = 0; k < use->sample_count; k++) {
        double time = abc_sample_time(use->sampling, k);

        while (frame + 1 < timeline->count &&
               timeline->times[frame + 1] <= time)
            frame++;
        merged += frame == last;
        last = frame;
    }
    return merged;
}

bool timeline_next_merged(const struct timeline *timeline, uint32_t *next,
                          const struct abc_property **property,
                          uint32_t *sample_count, uint32_t *merged_count)
{
    while (*next < timeline->use_count) {
        const struct timeline_use *use = &timeline->uses[(*next)++];

        *property = use->property;
        *sample_count = use->sample_count;
        *merged_count = count_merged(timeline, use);
        if (*merged_count > 0)
            return true;
    }
    return false;
}
