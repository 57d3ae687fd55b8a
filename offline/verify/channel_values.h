/* channel_values.h - reads a parameter at a corner of the archive or at a
 * vertex of the cache, in one convention.
 *
 * The convention is that of the cache: V flipped if the cache was compiled with
 * --flip-v, colours clamped and in units of 1/255.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHANNEL_VALUES_H
#define OFFLINE_VERIFY_CHANNEL_VALUES_H

#include "render/surface.h"
#include "verify/corner_values.h"

/* Fill corner_extent(param) numbers. Both return false, and leave `out`
 * unchanged, if the archive or the cache has no such parameter. */
bool channel_of_corner(const struct corner_values *values,
                       enum corner_param param, uint32_t corner, bool flip_v,
                       double out[CORNER_EXTENT_MAX]);
bool channel_of_vertex(const struct surface *surface, enum corner_param param,
                       uint32_t vertex, double out[CORNER_EXTENT_MAX]);

#endif
