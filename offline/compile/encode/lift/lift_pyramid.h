/* lift_pyramid.h - the reference frames of each frame.
 *
 * Every `distance`-th frame and the last frame are index frames, which have no
 * references. The frames between two index frames form a pyramid, as the B
 * frames of video do: the middle frame refers to both index frames, then the
 * middle frame of each half refers to the ends of that half, and so on. A frame
 * whose nearest references are s frames away also refers to the frames 3 * s
 * away if they lie within the same two index frames. If the last two index
 * frames are closer than `distance`, the pyramid is cut off behind the last
 * one: references beyond the last frame are replaced by it.
 *
 * With a distance of 8, frame 2 refers to frames 0, 4 and 8.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PYRAMID_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PYRAMID_H

#include "codec/lift/lift.h"

#include <stdint.h>

/* The default distance of index frames. */
#define LIFT_DISTANCE 8u

/* Fill `references` with frame numbers: the two nearest first, the earlier one
 * before the later. Returns how many: 0 for an index frame, else 2 to
 * LIFT_FRAMES_MAX. `distance` is a power of two. */
uint32_t lift_pyramid_references(uint32_t frame, uint32_t frame_count,
                                 uint32_t distance,
                                 uint32_t references[LIFT_FRAMES_MAX]);

#endif
