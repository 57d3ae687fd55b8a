/* channel_values.c - converts the values of both sides to one
 * convention. */
/* SPDX-License-Identifier: MIT */
#include "verify/channel_values.h"

bool channel_of_corner(const struct corner_values *values,
                       enum corner_param param, uint32_t corner, bool flip_v,
                       double out[CORNER_EXTENT_MAX])
{
    const double *value = corner_value(values, param, corner);

    if (!value)
        return false;
    for (uint32_t c = 0; c < corner_extent(param); c++) {
        out[c] = value[c];
        if (param == CORNER_COLOR)
            out[c] = 255 * (value[c] < 0 ? 0 : value[c] > 1 ? 1 : value[c]);
    }
    if (flip_v && (param == CORNER_UV || param == CORNER_SECOND_UV))
        out[1] = 1 - out[1];
    return true;
}

static const float *floats_of(const struct surface *surface,
                              enum corner_param param, uint32_t vertex)
{
    switch (param) {
    case CORNER_NORMAL:
        return surface->normals[vertex];
    case CORNER_UV:
        return surface->uvs ? surface->uvs[vertex] : NULL;
    case CORNER_SECOND_UV:
        return surface->second_uvs ? surface->second_uvs[vertex] : NULL;
    case CORNER_VELOCITY:
        return surface->velocities ? surface->velocities[vertex] : NULL;
    case CORNER_COLOR:
    case CORNER_PARAM_COUNT:
        break;
    }
    return NULL;
}

bool channel_of_vertex(const struct surface *surface, enum corner_param param,
                       uint32_t vertex, double out[CORNER_EXTENT_MAX])
{
    const float *floats = floats_of(surface, param, vertex);

    if (!floats && !(param == CORNER_COLOR && surface->colors))
        return false;
    for (uint32_t c = 0; c < corner_extent(param); c++)
        out[c] = floats ? (double)floats[c] : surface->colors[vertex][c];
    return true;
}
