/* span.h - the part of a clip that a cursor plays.
 *
 * A node sets it for its cursor (cursor.h) when its cache is READY, and when
 * its range changes. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_SPAN_H
#define SPN_PLAY_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/* The part of a clip that is played. */
struct span {
    uint32_t first_frame; /* number of the last frame at or before first_us */
    uint32_t frame_count; /* up to the first one at or behind last_us */
    uint32_t first_group;
    uint32_t group_count;
    int64_t first_us; /* times in the clip */
    int64_t last_us;
    int64_t leg_us;    /* duration of a leg; > 0 if the span loops */
    uint64_t leg_max;  /* the last leg whose times an int64_t can hold */
    bool is_ping_pong; /* every second leg is reversed */
    bool is_part;      /* no interpolation from its last to its first frame */
};

/* Time after which a span that loops repeats itself. */
static inline int64_t span_period_us(const struct span *span)
{
    return span->is_ping_pong ? 2 * span->leg_us : span->leg_us;
}

#endif
