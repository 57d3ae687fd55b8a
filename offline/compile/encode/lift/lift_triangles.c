/* lift_triangles.c - sorts triangles by part, and finds the range of triangles
 * of each part.
 *
 * Triangles are sorted by a counting sort. All parts have nearly the same
 * number of vertices, so the part of a vertex follows from its index in the
 * order.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_triangles.h"

#include "compile/encode/lift/lift_parts.h"

#define NONE UINT32_MAX

/* Return the part of each vertex, indexed by its number in the mesh. */
static uint32_t *find_parts(const uint32_t *order, uint32_t vertex_count,
                            uint32_t part_count, struct arena *arena)
{
    uint32_t *part_of = ARENA_NEW(arena, uint32_t, vertex_count);

    for (uint32_t p = 0; p < part_count; p++) {
        const uint32_t limit =
            lift_parts_first(vertex_count, part_count, p + 1);

        for (uint32_t i = lift_parts_first(vertex_count, part_count, p);
             i < limit; i++)
            part_of[order[i]] = p;
    }
    return part_of;
}

/* Return the lowest part that has a corner of the triangle. */
static uint32_t triangle_part(const uint32_t *corner, const uint32_t *part_of)
{
    uint32_t part = part_of[corner[0]];

    for (int k = 1; k < 3; k++)
        if (part_of[corner[k]] < part)
            part = part_of[corner[k]];
    return part;
}

static void sort_material(const struct clip_mesh *mesh,
                          const struct clip_material *material,
                          const uint32_t *part_of, uint32_t *start,
                          uint32_t part_count, uint32_t *indices)
{
    const uint32_t *from = mesh->indices + material->first_index;
    uint32_t next = material->first_index;

    for (uint32_t p = 0; p < part_count; p++)
        start[p] = 0;
    for (uint32_t i = 0; i + 3 <= material->index_count; i += 3)
        start[triangle_part(from + i, part_of)] += 3;
    for (uint32_t p = 0; p < part_count; p++) {
        const uint32_t count = start[p];

        start[p] = next;
        next += count;
    }
    for (uint32_t i = 0; i + 3 <= material->index_count; i += 3) {
        uint32_t *at = &start[triangle_part(from + i, part_of)];

        for (uint32_t k = 0; k < 3; k++)
            indices[(*at)++] = from[i + k];
    }
}

/* Renumber the vertices of each part. Vertices that the part's own triangles
 * use come first, in the order of use. Return the new number of each vertex,
 * and store the inverse in `order`. */
static uint32_t *number_vertices(const struct clip_mesh *mesh,
                                 const uint32_t *indices,
                                 const uint32_t *part_of, uint32_t part_count,
                                 uint32_t *order, struct arena *arena)
{
    uint32_t *number = ARENA_NEW(arena, uint32_t, mesh->vertex_count);
    uint32_t *next = ARENA_NEW(arena, uint32_t, part_count);

    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        number[v] = NONE;
    for (uint32_t p = 0; p < part_count; p++)
        next[p] = lift_parts_first(mesh->vertex_count, part_count, p);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        const uint32_t v = indices[i];

        if (number[v] == NONE &&
            part_of[v] == triangle_part(indices + i - i % 3, part_of))
            number[v] = next[part_of[v]]++;
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (number[order[i]] == NONE)
            number[order[i]] = next[part_of[order[i]]]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        order[number[v]] = v;
    return number;
}

void lift_triangles_order(const struct clip_mesh *mesh, uint32_t part_count,
                          uint32_t *order, uint32_t *indices)
{
    struct arena scratch;
    uint32_t *part_of;
    uint32_t *number;
    uint32_t *start;

    arena_init(&scratch);
    part_of = find_parts(order, mesh->vertex_count, part_count, &scratch);
    start = ARENA_NEW(&scratch, uint32_t, part_count);
    for (uint32_t i = 0; i < mesh->material_count; i++)
        sort_material(mesh, &mesh->materials[i], part_of, start, part_count,
                      indices);
    number =
        number_vertices(mesh, indices, part_of, part_count, order, &scratch);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        indices[i] = number[indices[i]];
    arena_free(&scratch);
}

/* -- ranges -- */

static bool is_inside(const uint32_t *corner, uint32_t first, uint32_t count)
{
    return corner[0] - first < count && corner[1] - first < count &&
           corner[2] - first < count;
}

/* Return the range of `most` triangles that has the most triangles inside the
 * part. The part has `count` vertices from `first` on. */
static struct triangle_range find_densest(const uint32_t *indices,
                                          struct triangle_range range,
                                          uint32_t first, uint32_t count,
                                          uint32_t most)
{
    struct triangle_range best = {range.first, most};
    uint32_t found = 0;
    uint32_t best_found = 0;

    for (uint32_t t = 0; t < range.count; t++) {
        const uint32_t at = range.first + t;

        found += is_inside(indices + 3 * (size_t)at, first, count);
        if (t >= most)
            found -= is_inside(indices + 3 * (size_t)(at - most), first, count);
        if (found > best_found && t + 1 >= most) {
            best_found = found;
            best.first = at + 1 - most;
        }
    }
    return best;
}

void lift_triangles_ranges(const uint32_t *indices, uint32_t index_count,
                           uint32_t vertex_count, uint32_t part_count,
                           struct triangle_range *ranges)
{
    for (uint32_t p = 0; p < part_count; p++)
        ranges[p] = (struct triangle_range){0, 0};
    for (uint32_t t = 0; t < index_count / 3; t++) {
        const uint32_t *corner = indices + 3 * (size_t)t;
        const uint32_t p = lift_parts_find(vertex_count, part_count, corner[0]);
        const uint32_t first = lift_parts_first(vertex_count, part_count, p);

        if (!is_inside(corner, first,
                       lift_parts_first(vertex_count, part_count, p + 1) -
                           first))
            continue;
        if (ranges[p].count == 0)
            ranges[p].first = t;
        ranges[p].count = t + 1 - ranges[p].first;
    }
    for (uint32_t p = 0; p < part_count; p++) {
        const uint32_t first = lift_parts_first(vertex_count, part_count, p);
        const uint32_t count =
            lift_parts_first(vertex_count, part_count, p + 1) - first;

        if (ranges[p].count > triangle_range_max(count))
            ranges[p] = find_densest(indices, ranges[p], first, count,
                                     triangle_range_max(count));
    }
}
