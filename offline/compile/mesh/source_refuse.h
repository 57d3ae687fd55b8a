/* source_refuse.h - why a mesh is refused: what of it, in which sample, which
 * element, which value.
 *
 * Called where something was found to be wrong; the samples are read again
 * for what there is to say. Always false.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_REFUSE_H
#define OFFLINE_COMPILE_MESH_SOURCE_REFUSE_H

#include "compile/mesh/source.h"

/* Faces, corners or points of `sample` are not those of the samples before.
 * Where the number of points changes earlier than that, so it is told. */
bool source_refuse_topology(const struct source *source, uint32_t sample);

/* `position`: xyz of the point, one of them not finite. */
bool source_refuse_point(const struct source *source, uint32_t sample,
                         uint32_t point, const float position[3]);

/* A value that is not finite as a float. */
bool source_refuse_value(const struct source *source,
                         const struct source_param *param, uint32_t sample,
                         uint32_t element);

/* The box along an axis, or the range of a component of texture coordinates or
 * velocities, is wider than a float. */
bool source_refuse_box(const struct source *source, int axis);
bool source_refuse_value_range(const struct source *source,
                               const struct source_param *param, int component);

#endif
