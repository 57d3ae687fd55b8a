/* match.h - which face corners a vertex may stand for: those near it.
 *
 * Both sides are described by rows of `dimension` numbers, scaled so that 1 is
 * what a sound cache may differ by: first the three coordinates of one frame,
 * then attributes, then the same of other frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_MATCH_H
#define OFFLINE_VERIFY_MATCH_H

#include "common/arena.h"

#include <stdint.h>

#define MATCH_NONE UINT32_MAX
/* What is further apart than this along any of the first three numbers does
 * not match. */
#define MATCH_REACH 3.0
/* Of many corners at one place, a vertex keeps the nearest. */
#define MATCH_NEAR_MAX 256u

struct match_side {
    uint32_t count;
    const double *rows;
};

/* The sum of the squares of all differences; INFINITY beyond the reach. */
double match_cost(const double *a, const double *b, uint32_t dimension);

/* Corners within the reach of each vertex: those of vertex v are
 * list[first[v]] .. list[first[v + 1] - 1]. */
struct match_lists {
    uint32_t *first;
    uint32_t *list;
};
void match_near(const struct match_side *corners,
                const struct match_side *vertices, uint32_t dimension,
                struct arena *arena, struct match_lists *lists);

#endif
