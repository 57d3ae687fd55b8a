/* lift_pyramid.h - which frames a frame is predicted from.
 *
 * Every `distance`-th frame, and the last, stands alone (index frame). Those
 * between two of them form a pyramid: the frame in the middle first, from both
 * ends; then those in the middle of each half, and so on. A frame that is s
 * frames from both its neighbours in the pyramid may also refer to those at
 * 3 s, where they are within the two index frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PYRAMID_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PYRAMID_H

#include "codec/lift/lift.h"

#include <stdint.h>

#define LIFT_DISTANCE 8u

/* Frames that `frame` refers to: the two nearest first, before and after.
 * Returns how many: 0 (an index frame) or 2..LIFT_FRAMES_MAX. `distance` is a
 * power of two. */
uint32_t lift_pyramid_references(uint32_t frame, uint32_t frame_count,
                                 uint32_t distance,
                                 uint32_t references[LIFT_FRAMES_MAX]);

/* All frames in an order in which they can be decoded: index frame, the frames
 * before it back to the last one, the next index frame ... */
void lift_pyramid_order(uint32_t frame_count, uint32_t distance,
                        uint32_t *order);

#endif
