/* abc_world.h - world matrices and visibility as the oracles define them:
 * nearest samples, never interpolated. For tests only; the compiler
 * interpolates. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_WORLD_H
#define TESTS_SUPPORT_ABC_WORLD_H

#include "abc/schema.h"

/* From the nearest transform above an object up to the top, or to the first
 * one that does not inherit. */
bool world_matrix(const struct abc_archive *archive,
                  const struct abc_object *object, double time,
                  double world[16]);

/* Hidden when the nearest object above, itself included, that has an own
 * opinion is hidden. */
bool world_is_visible(const struct abc_archive *archive,
                      const struct abc_object *object, double time,
                      bool *is_visible);

/* Does anything that world_matrix looks at change over time? */
bool world_is_constant(const struct abc_archive *archive,
                       const struct abc_object *object);

#endif
