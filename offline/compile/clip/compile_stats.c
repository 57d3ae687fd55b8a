/* compile_stats.c - bits per vertex and data rate from the statistics. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/compile_stats.h"

#include <math.h>
#include <string.h>

void compile_stats_init(struct compile_stats *stats)
{
    memset(stats, 0, sizeof *stats);
    arena_init(&stats->arena);
    phases_init(&stats->phases);
}

void compile_stats_free(struct compile_stats *stats)
{
    arena_free(&stats->arena);
}

double compile_stats_bits(const struct compile_stats *stats,
                          const struct mesh_stats *mesh,
                          const struct channel_stats *channel)
{
    double count = mesh->vertex_count;

    if (channel->is_animated)
        count *= stats->frame_count;
    return count > 0 ? 8 * channel->bytes / count : 0;
}

/* Seconds of playback. The last frame lasts as long as the others on average.
 */
static double duration(const struct compile_stats *stats)
{
    double count = stats->frame_count;

    if (stats->frame_count < 2)
        return 0;
    return stats->frames[stats->frame_count - 1].seconds * count / (count - 1);
}

bool compile_stats_rate(const struct compile_stats *stats, struct arena *arena,
                        struct compile_stats_rate *rate)
{
    double seconds = duration(stats);
    double width = ceil(seconds / COMPILE_STATS_BUCKETS_MAX);
    double total = 0;
    uint32_t full_count;

    memset(rate, 0, sizeof *rate);
    if (!(seconds > 0) || !isfinite(seconds))
        return false;
    rate->bucket_seconds = width > 1 ? width : 1;
    /* The factor undoes a division that was rounded up. */
    rate->bucket_count =
        (uint32_t)ceil(seconds / rate->bucket_seconds * (1 - 1e-9));
    rate->bytes = ARENA_NEW(arena, double, rate->bucket_count);
    for (uint32_t i = 0; i < stats->frame_count; i++) {
        const struct frame_stats *frame = &stats->frames[i];
        /* A time that is rounded to just below a bucket belongs to it. */
        double at = frame->seconds / rate->bucket_seconds + 1e-6;
        uint32_t bucket =
            at < rate->bucket_count ? (uint32_t)at : rate->bucket_count - 1;

        rate->bytes[bucket] += frame->bytes;
        total += frame->bytes;
    }
    rate->mean = total / seconds;
    full_count = (uint32_t)(seconds / rate->bucket_seconds + 1e-6);
    if (full_count == 0) {
        rate->least = rate->mean;
        rate->most = rate->mean;
    }
    for (uint32_t i = 0; i < full_count && i < rate->bucket_count; i++) {
        double value = rate->bytes[i] / rate->bucket_seconds;

        rate->least = i == 0 || value < rate->least ? value : rate->least;
        rate->most = value > rate->most ? value : rate->most;
    }
    return true;
}
