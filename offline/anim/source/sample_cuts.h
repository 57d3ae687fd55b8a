/* sample_cuts.h - frames at which a source jumps.
 *
 * Files of motion have no mark for a cut. Tools write it as two keys of every
 * channel that are much nearer to each other than two frames. A frame is a cut
 * if at 1/4, 1/2 and 3/4 of the way to it every part of a joint that changes
 * has the value of the frame before or of this frame, and none is on its way.
 * Parts that step anyway are not considered.
 *
 * When all keys are at frames there is nothing between two frames but their
 * interpolation, and no frame is a cut.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_SAMPLE_CUTS_H
#define OFFLINE_ANIM_SOURCE_SAMPLE_CUTS_H

#include "anim/source/sample.h"

/* Find the cuts of a sampled clip. Returns a flag for each frame, owned by the
 * arena, or NULL: no frame is a cut. */
const uint8_t *sample_cuts(const struct motion *motion,
                           const struct motion_clip *clip,
                           const struct sample_skeleton *skeleton,
                           double unit_metres, const struct sample_grid *grid,
                           const struct dense_clip *dense, struct arena *arena);

#endif
