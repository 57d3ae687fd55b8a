/* lift_cloth.h - a small cloth that waves, by whole numbers alone. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFT_CLOTH_H
#define TESTS_SUPPORT_LIFT_CLOTH_H

#include "support/lift_rig.h"

/* A grid of side x side points, cut by a seam along its middle: the points
 * there are two vertices each. All four channels change. Fills everything
 * that lift_rig_encode wants. */
void lift_cloth_make(struct lift_rig *rig, struct arena *arena, uint32_t side,
                     uint32_t frame_count);

#endif
