/* spans.c - triangles of a face by how far they reach.
 *
 * Of the corners x < y < z of a triangle and another triangle beside it, no
 * side of the other leads from between x and y, or between y and z, to beyond,
 * and none from y to outside of x and z. That is enough but for a second
 * triangle at the same place, and no two triangles that lie beside each other
 * have the same middle corner: the longest side of either passes over it, and
 * what the other has there would have to cross that.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/spans.h"

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

void spans_clear(struct span *spans, uint32_t corner_count)
{
    for (uint32_t i = 0; i < corner_count; i++)
        spans[i] = (struct span){i, i, 0};
}

void spans_add(struct span *spans, const uint32_t corner[3],
               struct span before[3])
{
    struct sorted t = sort(corner);

    for (int k = 0; k < 3; k++) {
        struct span *span = &spans[corner[k]];

        before[k] = *span;
        if (t.x < span->low)
            span->low = t.x;
        if (t.z > span->high)
            span->high = t.z;
    }
    spans[t.y].middle_count++;
}

void spans_take_back(struct span *spans, const uint32_t corner[3],
                     const struct span before[3])
{
    for (int k = 0; k < 3; k++)
        spans[corner[k]] = before[k];
}

/* Does a side lead from between two corners to beyond them? */
static bool is_crossed(const struct span *spans, uint32_t low, uint32_t high)
{
    for (uint32_t i = low + 1; i < high; i++)
        if (spans[i].low < low || spans[i].high > high)
            return true;
    return false;
}

bool spans_overlap(const struct span *spans, const uint32_t corner[3])
{
    struct sorted t = sort(corner);
    const struct span *middle = &spans[t.y];

    return middle->middle_count > 0 || middle->low < t.x ||
           middle->high > t.z || is_crossed(spans, t.x, t.y) ||
           is_crossed(spans, t.y, t.z);
}
