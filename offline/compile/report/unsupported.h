/* unsupported.h - warns of content of an archive that a cache cannot hold.
 *
 * These are objects other than transforms, meshes and face sets, and of those
 * the properties that are neither in their schema nor used. Content that is
 * shown through an instance is named by the path where it is stored.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_UNSUPPORTED_H
#define OFFLINE_COMPILE_REPORT_UNSUPPORTED_H

#include "abc/schema.h"
#include "compile/report/refusals.h"

/* Warn of an object that is left out, or of its properties that are. Returns
 * false after a refusal: geometry of an unknown kind or version. */
bool unsupported_warn(const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct compile_options *options,
                      struct warnings *warnings, struct arena *arena);

/* Is the object, or the object that it is an instance of, left out as a whole?
 * Meshes that are empty or never visible do not count. */
bool unsupported_is_whole(const struct abc_object *object);

/* Describe an archive without a mesh from the warnings so far: "; it has 1
 * transform, 2 cameras"; "" when it has nothing. Memory of the arena. */
const char *unsupported_describe(const struct warnings *warnings,
                                 uint32_t transform_count, struct arena *arena);

#endif
