/* pyramid_order.h - the frames of a clip in an order of decoding. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PYRAMID_ORDER_H
#define TESTS_SUPPORT_PYRAMID_ORDER_H

#include <stdint.h>

/* Fill `order`, which has room for frame_count numbers, with all frame numbers,
 * references first. With a distance of 8: 0, 8, 4, 2, 6, 1, 3, 5, 7, 16, 12 and
 * so on. */
void pyramid_order(uint32_t frame_count, uint32_t distance, uint32_t *order);

#endif
