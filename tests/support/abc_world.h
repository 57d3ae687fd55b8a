/* abc_world.h - world matrices and visibility as the oracles define them: from
 * nearest samples, without interpolation. For tests only; the compiler
 * interpolates. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_WORLD_H
#define TESTS_SUPPORT_ABC_WORLD_H

#include "abc/sampling.h"
#include "abc/schema.h"

/* The sample nearest to `time` (seconds); of two equally near ones, the first.
 * Times outside the samples select the first or the last sample. */
uint32_t world_near_index(const struct abc_time_sampling *sampling,
                          uint32_t sample_count, double time);

/* From the nearest transform above the object up to the top, or to the first
 * transform that does not inherit. */
bool world_matrix(const struct abc_archive *archive,
                  const struct abc_object *object, double time,
                  double world[16]);

/* Whether the object is visible. The nearest object, itself or above, with a
 * visibility property decides. */
bool world_is_visible(const struct abc_archive *archive,
                      const struct abc_object *object, double time,
                      bool *is_visible);

/* Whether world_matrix reads only constant samples. */
bool world_is_constant(const struct abc_archive *archive,
                       const struct abc_object *object);

#endif
