/* sample_grid.c - find the even grid of a clip's keys. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/sample_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A key lies on a grid if it is this near to a frame, in frames: files with
 * times in single precision have such errors. */
#define GRID_TOLERANCE 0.02
/* Times that differ by less, relative to 1 s or to the time, are equal. */
#define TIME_TOLERANCE 1e-6
#define RATE_TOLERANCE 1e-5

/* All times of keys of a clip, ascending, each once. */
struct key_times {
    double *times;
    uint64_t count;
    double closest; /* smallest distance of two keys of one channel */
};

static double closest_keys(const struct motion_channel *channel)
{
    double closest = INFINITY;

    for (uint32_t i = 1; i < channel->key_count; i++)
        closest = fmin(closest, channel->times[i] - channel->times[i - 1]);
    return closest;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t one = (uintptr_t)((const struct motion_channel *)a)->times;
    const uintptr_t two = (uintptr_t)((const struct motion_channel *)b)->times;

    return one < two ? -1 : one > two;
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a;
    const double two = *(const double *)b;

    return one < two ? -1 : one > two;
}

/* Channels often share their times; these are taken once. */
static struct key_times collect(const struct motion_clip *clip,
                                struct arena *arena)
{
    struct motion_channel *channels =
        ARENA_NEW(arena, struct motion_channel, clip->channel_count);
    struct key_times keys = {NULL, 0, INFINITY};
    uint64_t count = 0;

    if (clip->channel_count == 0)
        return keys;
    memcpy(channels, clip->channels, clip->channel_count * sizeof *channels);
    qsort(channels, clip->channel_count, sizeof *channels, by_address);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (i == 0 || channels[i].times != channels[i - 1].times)
            count += channels[i].key_count;
    keys.times = ARENA_NEW(arena, double, count);
    count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (i == 0 || channels[i].times != channels[i - 1].times) {
            keys.closest = fmin(keys.closest, closest_keys(&channels[i]));
            memcpy(keys.times + count, channels[i].times,
                   channels[i].key_count * sizeof(double));
            count += channels[i].key_count;
        }
    qsort(keys.times, (size_t)count, sizeof(double), by_value);
    for (uint64_t i = 0; i < count; i++)
        if (keys.count == 0 || keys.times[i] != keys.times[keys.count - 1])
            keys.times[keys.count++] = keys.times[i];
    return keys;
}

/* Two keys of a channel at one frame are a jump, which the grid would lose. */
static bool are_on_grid(const struct key_times *keys, double rate)
{
    if (!(keys->closest * rate > 0.5))
        return false;
    for (uint64_t i = 0; i < keys->count; i++) {
        const double frame = (keys->times[i] - keys->times[0]) * rate;

        if (!(fabs(frame - floor(frame + 0.5)) < GRID_TOLERANCE))
            return false;
    }
    return true;
}

/* Find the rate of the grid from the median distance of two keys. A rate near a
 * whole number is that number. Returns 0: no grid. */
static double find_rate(const struct key_times *keys, struct arena *arena)
{
    const uint64_t count = keys->count - 1;
    double *distances = ARENA_NEW(arena, double, count);
    double rate;
    double whole;

    for (uint64_t i = 0; i < count; i++)
        distances[i] = keys->times[i + 1] - keys->times[i];
    qsort(distances, (size_t)count, sizeof(double), by_value);
    rate = 2 / (distances[(count - 1) / 2] + distances[count / 2]);
    whole = floor(rate + 0.5);
    if (fabs(rate - whole) < 0.002 * rate + 0.01 && whole > 0) {
        rate = whole;
    } else {
        const double span = keys->times[count] - keys->times[0];

        rate = floor(span * rate + 0.5) / span;
    }
    return isfinite(rate) && are_on_grid(keys, rate) ? rate : 0;
}

void sample_fraction(double value, uint32_t *numerator, uint32_t *denominator)
{
    /* Convergents of the continued fraction: p/q, and the one before. */
    uint64_t p[2] = {1, 0};
    uint64_t q[2] = {0, 1};
    double rest = value;

    for (int i = 0; i < 40; i++) {
        const double whole = floor(rest);
        uint64_t next_p;
        uint64_t next_q;

        if (!(whole <= ANIM_RATE_MAX))
            break;
        next_p = (uint64_t)whole * p[0] + p[1];
        next_q = (uint64_t)whole * q[0] + q[1];
        if (next_p > ANIM_RATE_MAX || next_q > ANIM_RATE_MAX)
            break;
        p[1] = p[0];
        q[1] = q[0];
        p[0] = next_p;
        q[0] = next_q;
        if (fabs((double)next_p / (double)next_q - value) <= 1e-13 * value ||
            rest == whole)
            break;
        rest = 1 / (rest - whole);
    }
    *numerator = (uint32_t)p[0];
    *denominator = (uint32_t)q[0];
}

/* The last key that is at most at `seconds`, or is later by less than the
 * tolerance; if none is near, `seconds` itself. */
static double snap(const struct key_times *keys, double seconds,
                   double tolerance)
{
    uint64_t low = 0;
    uint64_t high = keys->count;

    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;

        if (keys->times[middle] <= seconds + tolerance)
            low = middle;
        else
            high = middle;
    }
    return fabs(keys->times[low] - seconds) <= tolerance ? keys->times[low]
                                                         : seconds;
}

static void set_times(struct sample_grid *grid, const struct key_times *keys,
                      struct arena *arena)
{
    const double step =
        grid->every > 0 ? grid->every / grid->own_rate
                        : (double)grid->rate_denominator / grid->rate_numerator;
    double *times = ARENA_NEW(arena, double, grid->frame_count);

    grid->times = times;
    if (keys->count == 0)
        return;
    for (uint32_t f = 0; f < grid->frame_count; f++) {
        double seconds = keys->times[0] + f * step;
        double tolerance = TIME_TOLERANCE * fmax(1, seconds);

        if (grid->every > 0)
            tolerance = fmax(tolerance, GRID_TOLERANCE / grid->own_rate);
        seconds = snap(keys, seconds, tolerance);
        times[f] = fmin(seconds, keys->times[keys->count - 1]);
    }
}

/* How many own frames are one frame of this rate? 0: no whole number of them.
 */
static uint32_t frames_apart(const struct sample_grid *grid, double rate)
{
    double apart = 1;

    if (rate == 0 && grid->own_rate > SAMPLE_RATE_MAX)
        apart = floor(grid->own_rate / SAMPLE_RATE_WANTED + 0.5);
    if (rate > 0)
        apart = floor(grid->own_rate / rate + 0.5);
    if (!(apart >= 1 && apart <= ANIM_FRAMES_MAX))
        return 0;
    if (rate > 0 && fabs(grid->own_rate / apart - rate) > RATE_TOLERANCE * rate)
        return 0;
    return (uint32_t)apart;
}

static bool choose(const struct key_times *keys, double rate, const char *path,
                   const struct motion_clip *clip, struct diag *diag,
                   struct sample_grid *grid)
{
    const double span = keys->times[keys->count - 1] - keys->times[0];
    double frames;

    if (grid->own_rate > 0) {
        frames = floor(span * grid->own_rate + 0.5) + 1;
        if (frames <= UINT32_MAX) {
            grid->own_frame_count = (uint32_t)frames;
            grid->every = frames_apart(grid, rate);
        }
    }
    if (grid->every > 0) {
        grid->frame_count = (grid->own_frame_count - 1) / grid->every + 1;
        frames = grid->frame_count;
        sample_fraction(grid->own_rate / grid->every, &grid->rate_numerator,
                        &grid->rate_denominator);
        /* The file has the time of a frame as a decimal. */
        if (clip->frame_seconds > 0)
            sample_fraction(clip->frame_seconds * grid->every,
                            &grid->rate_denominator, &grid->rate_numerator);
    } else {
        if (rate == 0)
            rate = SAMPLE_RATE_DEFAULT;
        frames = floor(span * rate + 0.5) + 1;
        sample_fraction(rate, &grid->rate_numerator, &grid->rate_denominator);
    }
    if (!(frames <= ANIM_FRAMES_MAX))
        return diag_refuse(
            diag, path, DIAG_NO_OFFSET, clip->name ? clip->name : "clip",
            "%.0f frames from %g to %g s, more than %u", frames, keys->times[0],
            keys->times[keys->count - 1], ANIM_FRAMES_MAX);
    grid->frame_count = (uint32_t)frames;
    return true;
}

bool sample_grid_choose(const struct motion_clip *clip, double rate,
                        struct arena *arena, const char *path,
                        struct diag *diag, struct sample_grid *grid)
{
    struct arena scratch;
    struct key_times keys;
    bool is_good = true;

    memset(grid, 0, sizeof *grid);
    grid->frame_count = 1;
    sample_fraction(rate > 0 ? rate : SAMPLE_RATE_DEFAULT,
                    &grid->rate_numerator, &grid->rate_denominator);
    arena_init(&scratch);
    keys = collect(clip, &scratch);
    if (keys.count >= 2) {
        grid->own_rate = clip->frame_seconds > 0 ? 1 / clip->frame_seconds
                                                 : find_rate(&keys, &scratch);
        is_good = choose(&keys, rate, path, clip, diag, grid);
    }
    if (is_good)
        set_times(grid, &keys, arena);
    arena_free(&scratch);
    return is_good;
}
