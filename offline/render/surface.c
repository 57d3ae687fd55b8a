/* surface.c - transforms surfaces and finds their box. */
/* SPDX-License-Identifier: MIT */
#include "render/surface.h"

#include "compile/math/tns.h"

#include <math.h>
#include <string.h>

static void transform_normal(const double m[9], double sign, float normal[3])
{
    double product[3];
    double length = 0;

    for (int r = 0; r < 3; r++) {
        product[r] = sign * (m[r * 3] * normal[0] + m[r * 3 + 1] * normal[1] +
                             m[r * 3 + 2] * normal[2]);
        length += product[r] * product[r];
    }
    /* A matrix that flattens the mesh leaves no normal: keep the old one. */
    if (!(length > 0) || !isfinite(length))
        return;
    for (int r = 0; r < 3; r++)
        normal[r] = (float)(product[r] / sqrt(length));
}

static void flip_triangles(struct surface *surface, struct arena *arena)
{
    uint32_t *indices = ARENA_NEW(arena, uint32_t, surface->index_count);

    for (uint32_t i = 0; i + 2 < surface->index_count; i += 3) {
        indices[i] = surface->indices[i];
        indices[i + 1] = surface->indices[i + 2];
        indices[i + 2] = surface->indices[i + 1];
    }
    surface->indices = indices;
}

void surface_transform(struct surface *surface, const float matrix[12],
                       struct arena *arena)
{
    double rows[16] = {0};
    double cofactors[9];
    double determinant;

    for (int i = 0; i < 12; i++)
        rows[i] = (double)matrix[i];
    determinant = matrix_cofactors(rows, cofactors);
    for (uint32_t i = 0; i < surface->vertex_count; i++) {
        float *p = surface->positions[i];
        float moved[3];

        for (int r = 0; r < 3; r++)
            moved[r] = matrix[r * 4] * p[0] + matrix[r * 4 + 1] * p[1] +
                       matrix[r * 4 + 2] * p[2] + matrix[r * 4 + 3];
        memcpy(p, moved, sizeof moved);
        transform_normal(cofactors, determinant < 0 ? -1 : 1,
                         surface->normals[i]);
    }
    for (uint32_t i = 0; surface->velocities && i < surface->vertex_count;
         i++) {
        float *v = surface->velocities[i];
        const float old[3] = {v[0], v[1], v[2]};

        for (int r = 0; r < 3; r++)
            v[r] = matrix[r * 4] * old[0] + matrix[r * 4 + 1] * old[1] +
                   matrix[r * 4 + 2] * old[2];
    }
    if (determinant < 0)
        flip_triangles(surface, arena);
}

void surface_list_box(const struct surface_list *list, float box_min[3],
                      float box_max[3])
{
    for (int c = 0; c < 3; c++) {
        box_min[c] = INFINITY;
        box_max[c] = -INFINITY;
    }
    for (uint32_t n = 0; n < list->count; n++)
        for (uint32_t i = 0; i < list->items[n].vertex_count; i++)
            for (int c = 0; c < 3; c++) {
                float at = list->items[n].positions[i][c];

                box_min[c] = fminf(box_min[c], at);
                box_max[c] = fmaxf(box_max[c], at);
            }
}
