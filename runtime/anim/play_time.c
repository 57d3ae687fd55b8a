/* play_time.c - division of times by frames. */
/* SPDX-License-Identifier: MIT */
#include "anim/play_time.h"

#include "anim/anim_limits.h"
#include "base/assert.h"
#include "base/minmax.h"

#define BETWEEN_BITS 24u

/* Times are counted in units of 1 / numerator us; a frame has
 * denominator * 10^6 of them. */
SPN_STATIC_ASSERT((uint64_t)SPN_ANIM_TIME_MAX <= UINT64_MAX / ANIM_RATE_MAX,
                  play_times_fit);
SPN_STATIC_ASSERT((uint64_t)ANIM_RATE_MAX * 1000000 <= UINT64_MAX >>
                      BETWEEN_BITS,
                  play_frames_fit);

static struct play_time at(uint32_t frame, uint32_t next, uint64_t rest,
                           uint64_t frame_units)
{
    const uint32_t steps = (uint32_t)((rest << BETWEEN_BITS) / frame_units);

    return (struct play_time){.frame = frame,
                              .next = next,
                              .between =
                                  (float)steps / (float)(1u << BETWEEN_BITS)};
}

static struct play_time in_loop(const struct anim_clip_header *h,
                                bool is_before, uint64_t units,
                                uint64_t frame_units)
{
    const uint32_t period =
        max_u32(h->loop_closes ? h->frame_count - 1 : h->frame_count, 1);
    const uint64_t period_units = period * frame_units;
    uint64_t pass = units / period_units;
    uint64_t rest = units % period_units;
    struct play_time t;
    uint32_t frame;

    if (is_before) {
        pass += rest > 0;
        rest = rest > 0 ? period_units - rest : 0;
    }
    frame = (uint32_t)(rest / frame_units);
    t = at(frame, frame + 1 < h->frame_count ? frame + 1 : 0,
           rest % frame_units, frame_units);
    t.pass = is_before ? -(int64_t)pass : (int64_t)pass;
    return t;
}

struct play_time spn__play_time(const struct anim_clip_header *header,
                                bool loops, int64_t time_us)
{
    const bool is_before = time_us < 0;
    const uint64_t us = is_before ? 0 - (uint64_t)time_us : (uint64_t)time_us;
    const uint64_t units = us * header->rate_numerator;
    const uint64_t frame_units = (uint64_t)header->rate_denominator * 1000000;
    const uint32_t last = header->frame_count - 1;

    SPN_ASSERT(us <= (uint64_t)SPN_ANIM_TIME_MAX);
    if (loops)
        return in_loop(header, is_before, units, frame_units);
    if (is_before)
        return at(0, last > 0 ? 1 : 0, 0, frame_units);
    if (units / frame_units >= last)
        return at(last, last, 0, frame_units);
    return at((uint32_t)(units / frame_units),
              (uint32_t)(units / frame_units) + 1, units % frame_units,
              frame_units);
}
