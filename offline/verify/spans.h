/* spans.h - do the triangles of a face lie beside each other?
 *
 * Corners are numbers that rise along the face. Two of its triangles lie beside
 * each other when each is within one of the arcs that the other's corners
 * divide the face into; otherwise they overlap.
 *
 * What a face has is kept corner by corner: how far the triangles there reach.
 * One more triangle is weighed against all of them by a look at the corners
 * that it spans, and what was added last can be taken back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_SPANS_H
#define OFFLINE_VERIFY_SPANS_H

#include <stdbool.h>
#include <stdint.h>

/* Of a corner: the lowest and the highest corner of all triangles that it is
 * part of, itself at least; and of how many it is the middle one. */
struct span {
    uint32_t low;
    uint32_t high;
    uint32_t middle_count;
};

void spans_clear(struct span *spans, uint32_t corner_count);

/* The three corners differ. `before` is for taking it back, which goes in
 * the reverse order of adding. */
void spans_add(struct span *spans, const uint32_t corner[3],
               struct span before[3]);
void spans_take_back(struct span *spans, const uint32_t corner[3],
                     const struct span before[3]);

/* Does it overlap any triangle that was added? */
bool spans_overlap(const struct span *spans, const uint32_t corner[3]);

#endif
