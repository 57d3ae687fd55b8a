/* source_warn.h - what is said of a mesh that is compiled all the same: which
 * of its properties, how many, in which sample. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_WARN_H
#define OFFLINE_COMPILE_MESH_SOURCE_WARN_H

#include "compile/mesh/source.h"

/* Why values cannot be used. Text belongs to `arena`. */
const char *source_describe_misfit(const struct source *source,
                                   const struct abc_param *param,
                                   uint64_t count, struct arena *arena);
/* They are `before` in number, and `now` in sample `change`. */
const char *source_describe_count(const struct source *source,
                                  const struct abc_param *param,
                                  uint32_t change, uint64_t before,
                                  uint64_t now, struct arena *arena);

/* What a mesh has too little of to have triangles: before anything was read
 * (NULL: nothing is missing), and when it turned out that there are none. */
const char *source_lacks_samples(const struct source *source);
const char *source_lacks_triangles(const struct source *source);

/* What of an open mesh is not as it is in the archive. */
void source_warn(const struct source *source, struct warnings *warnings,
                 struct arena *arena);

#endif
