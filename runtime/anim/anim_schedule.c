/* anim_schedule.c - halves gaps, and computes Lagrange's weights. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_schedule.h"

#include "base/assert.h"

/* Round a quotient to the nearest integer; halves away from zero. */
static int32_t divide_rounded(int32_t value, int32_t divisor)
{
    const int32_t sign = (value < 0) != (divisor < 0) ? -1 : 1;
    const int32_t a = value < 0 ? -value : value;
    const int32_t b = divisor < 0 ? -divisor : divisor;

    return sign * ((2 * a + b) / (2 * b));
}

/* The weights of the value at `frame` of the polynomial through the values at
 * `count` sources. `nearest` is the source that takes the rounding error. */
static void set_weights(struct anim_schedule_frame *f, uint32_t count,
                        uint32_t nearest)
{
    int32_t rest = ANIM_WEIGHT_ONE;

    for (uint32_t i = 0; i < count; i++) {
        int32_t product = ANIM_WEIGHT_ONE;
        int32_t divisor = 1;

        for (uint32_t k = 0; k < count; k++)
            if (k != i) {
                product *= f->frame - f->source[k];
                divisor *= f->source[i] - f->source[k];
            }
        f->weight[i] = (int16_t)divide_rounded(product, divisor);
        rest -= f->weight[i];
    }
    f->weight[nearest] = (int16_t)(f->weight[nearest] + rest);
}

static uint8_t level_of_gap(uint32_t gap)
{
    return gap > 8 ? 2 : gap > 4 ? 3 : gap > 2 ? 4 : 5;
}

void spn__anim_schedule(struct anim_schedule *schedule, uint32_t frame_count)
{
    /* Frames with a place in the order. */
    uint8_t known[ANIM_SEGMENT_FRAMES_MAX];
    uint32_t known_count = 1;
    uint32_t count = 1;

    SPN_ASSERT(frame_count >= 1 && frame_count <= ANIM_SEGMENT_FRAMES_MAX);
    *schedule = (struct anim_schedule){0};
    known[0] = 0;
    if (frame_count > 1) {
        known[known_count++] = (uint8_t)(frame_count - 1);
        schedule->frames[count++] = (struct anim_schedule_frame){
            .frame = known[1], .level = 1, .weight = {ANIM_WEIGHT_ONE}};
    }
    while (count < frame_count) {
        uint8_t merged[ANIM_SEGMENT_FRAMES_MAX];
        uint32_t merged_count = 0;

        for (uint32_t i = 0; i < known_count; i++) {
            struct anim_schedule_frame *f = &schedule->frames[count];
            const uint32_t gap =
                i + 1 < known_count ? (uint32_t)known[i + 1] - known[i] : 0;
            uint32_t used = 0;
            uint32_t nearest;

            merged[merged_count++] = known[i];
            if (gap < 2)
                continue;
            f->frame = (uint8_t)((known[i] + known[i + 1]) / 2);
            f->level = level_of_gap(gap);
            if (i > 0)
                f->source[used++] = known[i - 1];
            nearest = used;
            f->source[used++] = known[i];
            f->source[used++] = known[i + 1];
            if (i + 2 < known_count)
                f->source[used++] = known[i + 2];
            set_weights(f, used, nearest);
            merged[merged_count++] = f->frame;
            count++;
        }
        known_count = merged_count;
        for (uint32_t i = 0; i < merged_count; i++)
            known[i] = merged[i];
    }
}
