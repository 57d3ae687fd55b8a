/* scene_merge.h - store equal meshes of an archive once.
 *
 * Instances of Alembic share a mesh from the start (scene_import.h). Many
 * archives hold copies instead. A mesh that is equal to an earlier one
 * (mesh/shape_equal.h) is dropped here, and whatever shows it shows the earlier
 * one. The result depends on the archive alone.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_MERGE_H
#define OFFLINE_COMPILE_SCENE_SCENE_MERGE_H

#include "compile/scene/scene_import.h"

/* Merge the shapes of an import, whose face sets are read and which are not
 * built. The shapes that remain keep their order.
 *
 * new_of  for each shape of before: its index now
 *
 * Returns false after a refusal. */
bool scene_merge(struct scene_import *import, int32_t *new_of);

#endif
