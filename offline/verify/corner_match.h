/* corner_match.h - finds the face corners of an archive that are near each
 * vertex of a cache.
 *
 * A corner or a vertex is described by a row of `dimension` numbers: three
 * position coordinates and eleven attribute values (normal, UV, colour, second
 * UV) of one sampled frame, then the same of the next one (check_match.h,
 * CHECK_ROW_NUMBERS). Positions are divided by their tolerance, attributes by a
 * weight. A difference of 1 in a position coordinate is therefore the largest
 * that quantization can cause.
 *
 * Corners are kept in a hash table by the cell of their position in the first
 * sampled frame. A search reads all cells that MATCH_REACH touches, so that it
 * also finds corners in neighbouring cells.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORNER_MATCH_H
#define OFFLINE_VERIFY_CORNER_MATCH_H

#include "common/arena.h"

#include <stdint.h>

#define MATCH_NONE UINT32_MAX
/* Corners whose position in the first sampled frame is further away than this
 * along an axis do not match. It is above 1, so that a vertex with a slightly
 * too large error is reported for that error, and not as missing. */
#define MATCH_REACH 3.0
/* Only this many of the nearest corners of a vertex are listed. */
#define MATCH_NEAR_MAX 256u

/* The rows of all corners or of all vertices of a mesh. */
struct match_side {
    uint32_t count;
    const double *rows; /* count * dimension */
};

/* The sum of the squared differences of two rows; INFINITY beyond the reach. */
double match_cost(const double *a, const double *b, uint32_t dimension);

/* The corners near vertex v are list[first[v]] .. list[first[v + 1] - 1], with
 * ascending corner numbers. */
struct match_lists {
    uint32_t *first;
    uint32_t *list;
};
/* List the corners near each vertex. The arrays of `lists` belong to `arena`.
 */
void match_near(const struct match_side *corners,
                const struct match_side *vertices, uint32_t dimension,
                struct arena *arena, struct match_lists *lists);

#endif
