/* lift_parts.c - divides vertices into parts by recursive bisection.
 *
 * Each range is sorted along the longest side of its box and then halved. A
 * stack of ranges replaces recursion. The sizes of parts follow from the counts
 * alone, and differ by at most one vertex.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_parts.h"

#include "common/arena.h"
#include "common/compare.h"

#include <stdlib.h>

#define RANGES_MAX 64u

struct place {
    uint16_t key[3]; /* coordinates, that of the split axis first */
    uint32_t vertex;
};

struct range {
    uint32_t first_part;
    uint32_t part_limit;
};

uint32_t lift_parts_count(uint32_t vertex_count, uint32_t part_vertices)
{
    return (vertex_count - 1) / part_vertices + 1;
}

uint32_t lift_parts_first(uint32_t vertex_count, uint32_t part_count,
                          uint32_t part)
{
    return (uint32_t)((uint64_t)vertex_count * part / part_count);
}

uint32_t lift_parts_find(uint32_t vertex_count, uint32_t part_count,
                         uint32_t place)
{
    /* First vertices are rounded down, so it is this part or the next. */
    const uint32_t part =
        (uint32_t)((uint64_t)place * part_count / vertex_count);

    return part +
           (place >= lift_parts_first(vertex_count, part_count, part + 1));
}

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a;
    const struct place *q = b;

    for (int i = 0; i < 3; i++)
        if (p->key[i] != q->key[i])
            return p->key[i] < q->key[i] ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Sort a range of vertices along the longest side of its box. */
static void sort_range(const uint16_t *positions, uint32_t *order,
                       uint32_t count, struct place *places)
{
    uint16_t low[3] = {UINT16_MAX, UINT16_MAX, UINT16_MAX};
    uint16_t high[3] = {0, 0, 0};
    uint32_t axis = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint16_t x = positions[3 * (size_t)order[i] + k];

            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    for (uint32_t k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis])
            axis = k;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            places[i].key[k] = positions[3 * (size_t)order[i] + (axis + k) % 3];
        places[i].vertex = order[i];
    }
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t i = 0; i < count; i++)
        order[i] = places[i].vertex;
}

void lift_parts_split(const uint16_t *positions, uint32_t vertex_count,
                      uint32_t part_count, uint32_t *order)
{
    struct range stack[RANGES_MAX];
    uint32_t depth = 0;
    struct arena scratch;
    struct place *places;

    arena_init(&scratch);
    places = ARENA_NEW(&scratch, struct place, vertex_count);
    for (uint32_t v = 0; v < vertex_count; v++)
        order[v] = v;
    stack[depth++] = (struct range){0, part_count};
    while (depth > 0) {
        const struct range r = stack[--depth];
        const uint32_t middle =
            r.first_part + (r.part_limit - r.first_part) / 2;
        const uint32_t first =
            lift_parts_first(vertex_count, part_count, r.first_part);
        const uint32_t limit =
            lift_parts_first(vertex_count, part_count, r.part_limit);

        if (middle == r.first_part) {
            qsort(order + first, limit - first, sizeof *order,
                  compare_u32_items);
            continue;
        }
        sort_range(positions, order + first, limit - first, places);
        stack[depth++] = (struct range){r.first_part, middle};
        stack[depth++] = (struct range){middle, r.part_limit};
    }
    arena_free(&scratch);
}
