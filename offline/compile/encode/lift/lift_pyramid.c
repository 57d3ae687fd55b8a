/* lift_pyramid.c - computes the references of frames in groups. */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_pyramid.h"

uint32_t lift_pyramid_references(uint32_t frame, uint32_t frame_count,
                                 uint32_t distance,
                                 uint32_t references[LIFT_FRAMES_MAX])
{
    const uint32_t within = frame % distance;
    const uint32_t first = frame - within;
    const uint32_t last =
        frame_count - 1 - first < distance ? frame_count - 1 : first + distance;
    const uint32_t step = within & (~within + 1);
    uint32_t count = 0;

    if (within == 0 || frame == last)
        return 0;
    references[count++] = frame - step;
    references[count++] = last - frame < step ? last : frame + step;
    if (within > 3 * step - 1)
        references[count++] = frame - 3 * step;
    if (last - frame >= 3 * step)
        references[count++] = frame + 3 * step;
    return count;
}
