/* vertices.c - refines a partition of the corners.
 *
 * Most samples divide no class. So each component of a value is first compared
 * with that of the first corner of the class; classes are numbered again only
 * if one differs.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/vertices.h"

#include "compile/mesh/numbering.h"

#include <stdbool.h>
#include <string.h>

static void number_classes(struct vertices *vertices, const uint32_t *a,
                           const uint32_t *b, struct arena *scratch)
{
    struct numbering numbering;

    numbering_begin(&numbering, vertices->corner_count, scratch);
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        uint32_t count = numbering.count;

        vertices->class_of[i] = numbering_of(&numbering, a[i], b[i]);
        if (numbering.count > count)
            vertices->first_of[count] = i;
    }
    vertices->class_count = numbering.count;
}

void vertices_begin(struct vertices *vertices, const uint32_t *points,
                    uint32_t corner_count, struct arena *arena,
                    struct arena *scratch)
{
    *vertices = (struct vertices){.corner_count = corner_count};
    vertices->class_of = ARENA_NEW(arena, uint32_t, corner_count);
    vertices->first_of = ARENA_NEW(arena, uint32_t, corner_count);
    number_classes(vertices, points, points, scratch);
}

static float component_of(const struct corner_values *values, uint32_t corner,
                          uint32_t component)
{
    uint32_t value = values->index ? values->index[corner] : corner;

    return values->values[(size_t)value * values->extent + component];
}

static bool divides(const struct vertices *vertices,
                    const struct corner_values *values, uint32_t component)
{
    for (uint32_t i = 0; i < vertices->corner_count; i++) {
        uint32_t first = vertices->first_of[vertices->class_of[i]];

        if (component_of(values, i, component) !=
            component_of(values, first, component))
            return true;
    }
    return false;
}

void vertices_refine(struct vertices *vertices,
                     const struct corner_values *values, struct arena *scratch)
{
    for (uint32_t k = 0; k < values->extent; k++) {
        uint32_t *bits;

        if (!divides(vertices, values, k))
            continue;
        bits = ARENA_NEW(scratch, uint32_t, vertices->corner_count);
        for (uint32_t i = 0; i < vertices->corner_count; i++) {
            float number = component_of(values, i, k) + 0.0f; /* -0 to 0 */

            memcpy(&bits[i], &number, sizeof number);
        }
        number_classes(vertices, vertices->class_of, bits, scratch);
    }
}

uint32_t vertices_split(const struct vertices *vertices,
                        const uint32_t *corners, const uint32_t *groups,
                        uint32_t count, struct arena *scratch,
                        uint32_t *vertex_of, uint32_t *class_of,
                        uint32_t *group_of)
{
    uint32_t *first_group = ARENA_NEW(scratch, uint32_t, vertices->class_count);
    struct numbering numbering;

    for (uint32_t i = 0; i < vertices->class_count; i++)
        first_group[i] = VERTICES_NONE;
    for (uint32_t i = count; i-- > 0;)
        if (groups[i] != VERTICES_NONE)
            first_group[vertices->class_of[corners[i]]] = groups[i];
    numbering_begin(&numbering, count, scratch);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t class_index = vertices->class_of[corners[i]];
        uint32_t group =
            groups[i] == VERTICES_NONE ? first_group[class_index] : groups[i];

        vertex_of[i] = numbering_of(&numbering, class_index, group);
        class_of[vertex_of[i]] = class_index;
        group_of[vertex_of[i]] = group;
    }
    return numbering.count;
}
