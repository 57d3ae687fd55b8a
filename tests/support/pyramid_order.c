/* pyramid_order.c - index frames, then the pyramid before each. */
/* SPDX-License-Identifier: MIT */
#include "support/pyramid_order.h"

void pyramid_order(uint32_t frame_count, uint32_t distance, uint32_t *order)
{
    uint32_t n = 0;

    order[n++] = 0;
    for (uint32_t first = 0; first < frame_count - 1; first += distance) {
        const uint32_t last = frame_count - 1 - first < distance
                                  ? frame_count - 1
                                  : first + distance;

        order[n++] = last;
        for (uint32_t step = distance / 2; step > 0; step /= 2)
            for (uint32_t f = first + step; f < last; f += 2 * step)
                order[n++] = f;
    }
}
