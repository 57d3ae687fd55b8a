/* visible.h - which objects are shown.
 *
 * As in Alembic: the nearest object at or above that says hidden or visible
 * decides; between samples the earlier one holds. All functions return false
 * after a refusal.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_VISIBLE_H
#define OFFLINE_COMPILE_MESH_VISIBLE_H

#include "abc/schema.h"

#include <stdbool.h>

bool visible_at(const struct abc_archive *archive,
                const struct abc_object *object, double time, bool *is_visible);

/* Visible at any time? */
bool visible_ever(const struct abc_archive *archive,
                  const struct abc_object *object, bool *is_visible);

/* Does what the object itself says change over time? */
bool visible_changes(const struct abc_archive *archive,
                     const struct abc_object *object, bool *changes);

#endif
