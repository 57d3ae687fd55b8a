/* source_warn.h - texts of the warnings about a mesh that is compiled, but not
 * with all that the archive has.
 *
 * Texts are in English, without a newline. Those that are formatted belong to
 * the arena that is given; others are static.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_WARN_H
#define OFFLINE_COMPILE_MESH_SOURCE_WARN_H

#include "compile/mesh/source.h"

/* Say that `count` values of a parameter fit neither faces, points nor corners
 * of the mesh. */
const char *source_describe_misfit(const struct source *source,
                                   const struct abc_param *param,
                                   uint64_t count, struct arena *arena);

/* Say that a parameter has `before` values up to sample `change`, and
 * `changed_count` in it. */
const char *source_describe_count(const struct source *source,
                                  const struct abc_param *param,
                                  uint32_t change, uint64_t before,
                                  uint64_t changed_count, struct arena *arena);

/* Say which property has no samples; NULL if all have some. */
const char *source_lacks_samples(const struct source *source);

/* Say why the mesh has no triangles. */
const char *source_lacks_triangles(const struct source *source);

/* Add warnings about an open mesh: colour sets that are dropped, colours out of
 * range. */
void source_warn(const struct source *source, struct warnings *warnings,
                 struct arena *arena);

#endif
