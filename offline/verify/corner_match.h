/* corner_match.h - finds the face corners of an archive that are near each
 * vertex of a cache.
 *
 * A corner or a vertex is described by a row of `dimension` numbers: three
 * position coordinates and eleven attribute values of one sampled frame, then
 * the same of the next one (check.h, CHECK_ROW_NUMBERS). Positions are divided
 * by their tolerance, attributes by a weight. A distance of 1 in a position
 * coordinate is therefore what quantization may cause at most.
 *
 * Corners are kept in a hash table by the cell of their position in the first
 * sampled frame. A search looks into all cells that the reach touches, so that
 * corners beyond the edge of a cell are found, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORNER_MATCH_H
#define OFFLINE_VERIFY_CORNER_MATCH_H

#include "common/arena.h"

#include <stdint.h>

#define MATCH_NONE UINT32_MAX
/* Corners whose position in the first sampled frame is further away than this
 * along an axis do not match. Above 1, so that a vertex that is slightly off is
 * reported as off, and not as missing. */
#define MATCH_REACH 3.0
/* A vertex has at most so many near corners: the nearest. */
#define MATCH_NEAR_MAX 256u

/* The rows of all corners or of all vertices of a mesh. */
struct match_side {
    uint32_t count;
    const double *rows; /* count * dimension */
};

/* The sum of the squared differences of two rows; INFINITY beyond the reach. */
double match_cost(const double *a, const double *b, uint32_t dimension);

/* The corners near vertex v are list[first[v]] .. list[first[v + 1] - 1], in
 * rising order. */
struct match_lists {
    uint32_t *first;
    uint32_t *list;
};
void match_near(const struct match_side *corners,
                const struct match_side *vertices, uint32_t dimension,
                struct arena *arena, struct match_lists *lists);

#endif
