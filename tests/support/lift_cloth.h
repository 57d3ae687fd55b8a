/* lift_cloth.h - a small waving cloth, computed by integers only. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFT_CLOTH_H
#define TESTS_SUPPORT_LIFT_CLOTH_H

#include "support/lift_rig.h"

/* A grid of side x side points with a seam along its middle, where each point
 * is two vertices. All four channels are animated. Fills all inputs of
 * lift_rig_encode. */
void lift_cloth_make(struct lift_rig *rig, struct arena *arena, uint32_t side,
                     uint32_t frame_count);

#endif
