/* source_refuse.h - refuses a mesh, with a message that names the property, the
 * sample, the element and the value.
 *
 * Called after validation has failed. The functions read the samples again to
 * find the details. They always return false.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_REFUSE_H
#define OFFLINE_COMPILE_MESH_SOURCE_REFUSE_H

#include "compile/mesh/source.h"

/* Faces, corners or points differ between sample 0 and `sample`. If the number
 * of points changes in an earlier sample, the message names that one. */
bool source_refuse_topology(const struct source *source, uint32_t sample);

/* A coordinate of a point is not finite. `position`: its x, y and z. */
bool source_refuse_point(const struct source *source, uint32_t sample,
                         uint32_t point, const float position[3]);

/* A value of a parameter is not finite in single precision. `element`: its
 * index among the values of the sample. */
bool source_refuse_value(const struct source *source,
                         const struct source_param *param, uint32_t sample,
                         uint32_t element);

/* The largest minus the smallest coordinate along an axis (0..2) is not finite
 * in single precision. */
bool source_refuse_box(const struct source *source, int axis);

/* The same for a component of a parameter's values. */
bool source_refuse_value_range(const struct source *source,
                               const struct source_param *param, int component);

#endif
