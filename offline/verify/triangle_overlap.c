/* triangle_overlap.c - overlap test by the extent of the triangles at each
 * corner.
 *
 * Let x < y < z be the corners of the triangle under test. It overlaps no
 * other triangle when three conditions hold:
 *   - no edge joins a corner between x and y with a corner outside of x..y, or
 *     a corner between y and z with a corner outside of y..z;
 *   - no edge joins y with a corner outside of x..z;
 *   - no other triangle has y as its middle corner. Two triangles with the
 *     same middle corner always overlap: the longest edge of each passes over
 *     that corner, so the two other edges of one would have to cross the
 *     longest edge of the other.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/triangle_overlap.h"

struct sorted {
    uint32_t x;
    uint32_t y;
    uint32_t z;
};

static struct sorted sort(const uint32_t corner[3])
{
    uint32_t a = corner[0] < corner[1] ? corner[0] : corner[1];
    uint32_t b = corner[0] < corner[1] ? corner[1] : corner[0];
    uint32_t c = corner[2];

    if (c < a)
        return (struct sorted){c, a, b};
    if (c < b)
        return (struct sorted){a, c, b};
    return (struct sorted){a, b, c};
}

void triangle_overlap_clear(struct corner_reach *reach, uint32_t corner_count)
{
    for (uint32_t i = 0; i < corner_count; i++)
        reach[i] = (struct corner_reach){i, i, 0};
}

void triangle_overlap_add(struct corner_reach *reach, const uint32_t corner[3])
{
    struct sorted t = sort(corner);

    for (int k = 0; k < 3; k++) {
        struct corner_reach *own = &reach[corner[k]];

        if (t.x < own->low)
            own->low = t.x;
        if (t.z > own->high)
            own->high = t.z;
    }
    reach[t.y].middle_count++;
}

/* Return whether an edge joins a corner between `low` and `high` with a corner
 * outside of low..high. */
static bool is_crossed(const struct corner_reach *reach, uint32_t low,
                       uint32_t high)
{
    for (uint32_t i = low + 1; i < high; i++)
        if (reach[i].low < low || reach[i].high > high)
            return true;
    return false;
}

bool triangle_overlap_test(const struct corner_reach *reach,
                           const uint32_t corner[3])
{
    struct sorted t = sort(corner);
    const struct corner_reach *middle = &reach[t.y];

    return middle->middle_count > 0 || middle->low < t.x ||
           middle->high > t.z || is_crossed(reach, t.x, t.y) ||
           is_crossed(reach, t.y, t.z);
}
