/* details.c - sums over what the encoder noted. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/details.h"

#include <math.h>
#include <string.h>

void details_init(struct compile_details *details)
{
    memset(details, 0, sizeof *details);
    arena_init(&details->arena);
    phases_init(&details->phases);
}

void details_free(struct compile_details *details)
{
    arena_free(&details->arena);
}

double details_bits(const struct compile_details *details,
                    const struct mesh_details *mesh,
                    const struct channel_details *channel)
{
    double count = mesh->vertex_count;

    if (channel->is_animated)
        count *= details->frame_count;
    return count > 0 ? 8 * channel->bytes / count : 0;
}

/* The last frame's own time: as long as the others on average. */
static double duration(const struct compile_details *details)
{
    double count = details->frame_count;

    if (details->frame_count < 2)
        return 0;
    return details->frames[details->frame_count - 1].seconds * count /
           (count - 1);
}

bool details_rate(const struct compile_details *details, struct arena *arena,
                  struct details_rate *rate)
{
    double seconds = duration(details);
    double width = ceil(seconds / DETAILS_BUCKETS_MAX);
    double total = 0;
    uint32_t whole;

    memset(rate, 0, sizeof *rate);
    if (!(seconds > 0) || !isfinite(seconds))
        return false;
    rate->bucket_seconds = width > 1 ? width : 1;
    /* A little less: the division may have rounded up. */
    rate->bucket_count =
        (uint32_t)ceil(seconds / rate->bucket_seconds * (1 - 1e-9));
    rate->bytes = ARENA_NEW(arena, double, rate->bucket_count);
    for (uint32_t i = 0; i < details->frame_count; i++) {
        const struct frame_details *frame = &details->frames[i];
        /* So that a time just below its second counts to it. */
        double at = frame->seconds / rate->bucket_seconds + 1e-6;
        uint32_t bucket =
            at < rate->bucket_count ? (uint32_t)at : rate->bucket_count - 1;

        rate->bytes[bucket] += frame->bytes;
        total += frame->bytes;
    }
    rate->mean = total / seconds;
    whole = (uint32_t)(seconds / rate->bucket_seconds + 1e-6);
    if (whole == 0) {
        rate->least = rate->mean;
        rate->most = rate->mean;
    }
    for (uint32_t i = 0; i < whole && i < rate->bucket_count; i++) {
        double value = rate->bytes[i] / rate->bucket_seconds;

        rate->least = i == 0 || value < rate->least ? value : rate->least;
        rate->most = value > rate->most ? value : rate->most;
    }
    return true;
}
