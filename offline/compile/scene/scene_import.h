/* scene_import.h - choose the objects of an archive that a cache keeps.
 *
 * Input: an open archive. Output: a list of parts, from which scene.h makes the
 * nodes of the cache, and the opened meshes. A part is an object of the archive
 * that is kept: a transform or a mesh.
 *
 * Kept are the meshes that are visible at some time and have triangles, and all
 * transforms above them. In an archive without such a mesh, the option
 * allows_empty keeps all transforms. Other objects are dropped, with a warning
 * for each kind of geometry.
 *
 * Visibility follows Alembic: each object is visible, hidden, or inherits from
 * its parent. Between two samples the earlier one holds.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H
#define OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H

#include "compile/math/timeline.h"
#include "compile/mesh/shape.h"
#include "compile/report/refusals.h"
#include "compile/scene/scene.h"

/* All memory belongs to the arena of the import, so nothing needs to be closed.
 * The archive must outlive the import. Afterwards the import does not change,
 * except two flags of its parts. The correction of rounding errors
 * (compile/clip/world_error.h) sets them: is_detached gives the node of a part
 * no parent, is_forced_affine stores its matrix as an affine one (scene.h). */
struct scene_import {
    const struct abc_archive *archive;
    struct timeline *survey_times; /* set by scene_import_survey only, which
                                    * adds sample times to it; otherwise NULL */
    uint32_t part_count;
    struct scene_part *parts;          /* parents before children */
    const struct abc_object **objects; /* the object of each part */
    struct abc_xform *xforms; /* of each part; op_count 0: it is no transform,
                               * or the identity */
    uint32_t shape_count;
    struct shape **shapes; /* the distinct meshes; source_open has read the
                            * source of each (compile/mesh/source.h).
                            * scene_part.mesh is an index of this array;
                            * instances of a mesh have the same index */
};

/* Import an archive. `arena` owns the result. Returns false after a refusal. */
bool scene_import_open(struct scene_import *import,
                       const struct abc_archive *archive,
                       const struct compile_options *options,
                       struct warnings *warnings, struct arena *arena);

/* Add the sample times of all animated transforms, visibilities and meshes to
 * the timeline. Returns false after a refusal. */
bool scene_import_times(const struct scene_import *import,
                        struct timeline *timeline);

/* Import an archive for its sample times alone, and add them to the timeline.
 * An object that the compiler refuses (refusals.h) is included: each of its
 * properties with more than one stored sample counts as animated. Returns false
 * after a refusal: the archive is damaged. */
bool scene_import_survey(struct scene_import *import,
                         const struct abc_archive *archive,
                         const struct compile_options *options,
                         struct timeline *timeline, struct arena *arena);

/* Callbacks of scene_source (scene.h); `import` is a struct scene_import. Any
 * thread may call them. They return false after a refusal.
 *
 * part        index of the part
 * time        seconds; matrices are interpolated between samples
 * m           set to the matrix from the part to its parent; the identity for a
 *             mesh. Row vectors, translation in [12..14] (compile/math/tns.h)
 * inherits    set to false if the part ignores its parent's transform
 * is_visible  set */
bool scene_import_matrix(const void *import, uint32_t part, double time,
                         double m[16], bool *inherits);
bool scene_import_is_visible(const void *import, uint32_t part, double time,
                             bool *is_visible);

#endif
