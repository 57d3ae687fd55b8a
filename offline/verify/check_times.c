/* check_times.c - compares the times of frames with the times of samples.
 *
 * There must be a frame at the time of each sample of an animated property, and
 * such a sample at the time of each frame.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/check_times.h"

#include "verify/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times with a smaller difference are the same. */
#define SAME_TIME_S 1.0e-5

struct times {
    struct arena arena;
    double *items;
    size_t count;
    uint64_t capacity;
};

static void add_time(struct times *times, double time)
{
    times->items = arena_grow(&times->arena, times->items, times->count,
                              &times->capacity, sizeof *times->items);
    times->items[times->count++] = time;
}

/* Add the times of the samples of a property, unless all samples are equal. */
static bool add_property(struct check *check, struct times *times,
                         const struct abc_property *property)
{
    struct abc_sample first;
    bool is_animated = false;

    if (!property || property->sample_count < 2)
        return true;
    arena_reset(&check->frame_arena);
    if (!abc_read(check->archive, property, 0, &check->frame_arena, &first))
        return false;
    for (uint32_t i = 1; i < property->sample_count && !is_animated; i++) {
        struct abc_sample sample;

        if (!abc_read(check->archive, property, i, &check->frame_arena,
                      &sample))
            return false;
        is_animated = sample.bytes != first.bytes ||
                      (first.bytes > 0 &&
                       memcmp(sample.data, first.data, first.bytes) != 0);
    }
    for (uint32_t i = 0; i < property->sample_count && is_animated; i++)
        add_time(times,
                 abc_sample_time(
                     &check->archive->samplings[property->time_sampling], i));
    return true;
}

/* Set *is_root to whether the transform never inherits from its parent. */
static bool is_always_root(struct check *check, const struct abc_xform *xform,
                           bool *is_root)
{
    bool inherits = true;

    *is_root = false;
    if (!xform->inherits || xform->inherits->sample_count != 1)
        return true;
    if (!abc_xform_inherits(check->archive, xform, 0, &inherits))
        return false;
    *is_root = !inherits;
    return true;
}

static bool add_chain(struct check *check, struct times *times,
                      const struct eval_chain *chain)
{
    bool is_root = false;

    for (uint32_t i = 0; i < chain->count; i++) {
        const struct eval_link *link = &chain->links[i];

        if (!add_property(check, times, abc_visibility(link->object)))
            return false;
        if (!link->is_xform || is_root)
            continue;
        if ((link->xform.op_count > 0 &&
             !add_property(check, times, link->xform.values)) ||
            !add_property(check, times, link->xform.inherits) ||
            !is_always_root(check, &link->xform, &is_root))
            return false;
    }
    return true;
}

static bool add_mesh(struct check *check, struct times *times,
                     const struct check_mesh *m)
{
    const struct corner_mesh *mesh = &m->corners;

    if (!m->object)
        return true;
    for (int p = 0; p < CORNER_PARAM_COUNT; p++)
        if (mesh->has[p] &&
            !(add_property(check, times, mesh->params[p].values) &&
              add_property(check, times, mesh->params[p].indices)))
            return false;
    return add_property(check, times, mesh->mesh.positions);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double nearest_time(const double *times, size_t count, double time)
{
    size_t low = 0;
    size_t high = count;
    double best = INFINITY;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count)
        best = fabs(times[low] - time);
    if (low > 0)
        best = fmin(best, fabs(times[low - 1] - time));
    return best;
}

static void compare_all_times(struct check *check, const struct times *times)
{
    uint32_t frame_count = check->header->frame_count;
    double limit = SAME_TIME_S * 1.01;

    for (size_t i = 0; i < times->count; i++)
        if (nearest_time(check->seconds, frame_count, times->items[i]) > limit)
            check->report->missing_frames++;
    for (uint32_t f = 0; f < frame_count && times->count > 0; f++) {
        double off =
            nearest_time(times->items, times->count, check->seconds[f]);

        check->report->surplus_frames += off > limit;
        verify_add(&check->report->time, off, limit, f, 0, 0);
    }
    if (times->count == 0)
        check->report->surplus_frames += frame_count - 1;
}

bool check_times(struct check *check)
{
    struct times times = {.count = 0};
    bool is_good = true;

    for (uint32_t i = 0; i < check->node_count && is_good; i++)
        is_good = add_chain(check, &times, &check->nodes[i].chain);
    for (uint32_t i = 0; i < check->record_count && is_good; i++)
        is_good = add_mesh(check, &times, &check->meshes[i]);
    if (is_good) {
        size_t unique = 0;

        if (times.count > 0)
            qsort(times.items, times.count, sizeof *times.items, compare_times);
        for (size_t i = 0; i < times.count; i++)
            if (unique == 0 || times.items[i] != times.items[unique - 1])
                times.items[unique++] = times.items[i];
        times.count = unique;
        compare_all_times(check, &times);
    }
    arena_free(&times.arena);
    return is_good;
}
