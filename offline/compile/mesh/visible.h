/* visible.h - tells whether an object of the archive is visible.
 *
 * As in Alembic, an object is hidden, visible or deferred. A deferred object
 * inherits from its parent; without any such ancestor it is visible. Between
 * two samples the earlier one applies. All functions return false after a
 * refusal; their result is in the last parameter.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_VISIBLE_H
#define OFFLINE_COMPILE_MESH_VISIBLE_H

#include "abc/schema.h"

#include <stdbool.h>

/* Is the object visible at `time` (seconds)? */
bool visible_at(const struct abc_archive *archive,
                const struct abc_object *object, double time, bool *is_visible);

/* Is the object visible at any time? */
bool visible_ever(const struct abc_archive *archive,
                  const struct abc_object *object, bool *is_visible);

/* Does the object's own visibility property change over time? Its ancestors are
 * not considered. */
bool visible_changes(const struct abc_archive *archive,
                     const struct abc_object *object, bool *changes);

#endif
