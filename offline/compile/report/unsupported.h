/* unsupported.h - warn of the objects and properties that a cache cannot hold.
 *
 * Dropped are all objects but transforms, meshes and face sets, and of these
 * the properties that are not used. The content of an instance is reported
 * once, for the object that it repeats.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_UNSUPPORTED_H
#define OFFLINE_COMPILE_REPORT_UNSUPPORTED_H

#include "abc/schema.h"
#include "compile/report/refusals.h"

/* Warn of an object that is dropped; if it is kept, warn of its properties that
 * are dropped. Returns false after a refusal: geometry of an unknown kind or
 * version. */
bool unsupported_warn(const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct compile_options *options,
                      struct warnings *warnings, struct arena *arena);

/* Is the whole object dropped because of its type? For an instance, the type of
 * the object that it repeats. Meshes that are dropped because they are empty or
 * never visible do not count. */
bool unsupported_is_dropped(const struct abc_object *object);

/* Describe the content of an archive without a mesh, from the warnings so far:
 * "; it has 1 transform, 2 cameras"; "": it has none. Memory of the arena. */
const char *unsupported_describe(const struct warnings *warnings,
                                 uint32_t transform_count, struct arena *arena);

#endif
