/* match.h - which vertex stands for which face corner: the nearest one.
 *
 * Both sides are described by rows of `dimension` numbers, scaled so that 1 is
 * what a sound cache may differ by: first the three coordinates of one frame,
 * then those of other frames, then attributes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_MATCH_H
#define OFFLINE_VERIFY_MATCH_H

#include "common/arena.h"

#include <stdint.h>

#define MATCH_NONE UINT32_MAX
/* Corners further than this from every vertex, on any axis of the first three
 * numbers, are matched with none. */
#define MATCH_REACH 3.0

struct match_side {
    uint32_t count;
    const double *rows;
};

/* Fills match[corners->count]: the vertex with the least sum of squares, the
 * lower number when equal; MATCH_NONE. */
void match_nearest(const struct match_side *corners,
                   const struct match_side *vertices, uint32_t dimension,
                   struct arena *arena, uint32_t *match);

#endif
