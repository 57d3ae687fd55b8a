/* scene_import.h - choose the objects of an archive that a cache keeps.
 *
 * Input: an open archive. Output: the parts for scene.h, and the opened meshes.
 * Kept are the meshes that are visible at some time and have triangles, and all
 * transforms above them. In an archive without such a mesh, the option
 * allows_empty keeps all transforms. Other objects are dropped, with a warning
 * for each kind of geometry.
 *
 * Visibility follows Alembic: the nearest object, at or above an object, that
 * says "visible" or "hidden" decides. Between two samples the earlier one
 * holds.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H
#define OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H

#include "compile/math/timeline.h"
#include "compile/mesh/shape.h"
#include "compile/report/refusals.h"
#include "compile/scene/scene.h"

/* Everything but the archive is in the arena of the import. After the import
 * only world_error.h changes it: is_detached and is_forced_affine of parts. */
struct scene_import {
    const struct abc_archive *archive;
    struct timeline *survey; /* of scene_import_survey; otherwise NULL */
    uint32_t part_count;
    struct scene_part *parts;          /* parents before children */
    const struct abc_object **objects; /* one for each part */
    struct abc_xform *xforms; /* one for each part; op_count 0: no transform */
    uint32_t shape_count;
    struct shape **shapes; /* one for each mesh, its source open; instances of
                            * one mesh share it */
};

/* Import an archive. Returns false after a refusal. */
bool scene_import_open(struct scene_import *import,
                       const struct abc_archive *archive,
                       const struct compile_options *options,
                       struct warnings *warnings, struct arena *arena);

/* Add the sample times of all animated transforms, visibilities and meshes to
 * the timeline. Returns false after a refusal. */
bool scene_import_times(const struct scene_import *import,
                        struct timeline *timeline);

/* Import an archive for its sample times alone, and add them to the timeline.
 * An object that the compiler refuses (refusals.h) counts too: whatever of it
 * has more than one stored sample is taken as animated. Returns false for a
 * damaged archive, after a refusal. */
bool scene_import_survey(struct scene_import *import,
                         const struct abc_archive *archive,
                         const struct compile_options *options,
                         struct timeline *timeline, struct arena *arena);

/* Callbacks of scene_source; `import` is a scene_import. Any thread. */
bool scene_import_matrix(const void *import, uint32_t part, double time,
                         double m[16], bool *inherits);
bool scene_import_is_visible(const void *import, uint32_t part, double time,
                             bool *is_visible);

#endif
