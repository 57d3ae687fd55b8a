/* scene_import.h - choose the objects of an archive that a cache keeps.
 *
 * The first step of a compile. Input: an open archive. Output: a list of scene
 * parts, and the meshes that they show. A scene part is an object of the
 * archive that is kept: a transform or a mesh. It has nothing to do with the
 * parts of a mesh that encode/encoder.h defines. scene.h makes the nodes of the
 * cache from the scene parts, called parts below. One thread makes an import;
 * any thread may then read it.
 *
 * A mesh is kept if it is visible at some time and has triangles. A transform
 * is kept if a kept mesh is below it. If the archive has no such mesh, all
 * transforms are kept with the option allows_empty; without it, the archive is
 * refused. Other objects are dropped, with a warning for each kind of geometry.
 *
 * Visibility follows Alembic: each object is visible, hidden, or inherits from
 * its parent. At a time between two samples of it, the earlier one applies.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H
#define OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H

#include "compile/math/timeline.h"
#include "compile/mesh/shape.h"
#include "compile/report/refusals.h"
#include "compile/scene/scene.h"

/* An imported archive. All memory belongs to the arena of the import, so
 * nothing needs to be closed. The archive must outlive the import. */
struct scene_import {
    const struct abc_archive *archive;
    uint32_t part_count;
    /* Parents before children. The flags is_detached and is_forced_affine
     * (scene.h) are false; compile/clip/world_error.h sets them later, to
     * correct rounding errors. Nothing else changes after the import. */
    struct scene_part *parts;
    const struct abc_object **objects; /* the object of each part */
    struct abc_xform *xforms; /* the transform of each part; op_count 0: the
                               * part is a mesh, or the transform is the
                               * identity */
    uint32_t shape_count;
    struct shape **shapes; /* the kept meshes, each once, even if several parts
                            * are instances of it; scene_part.mesh is an index
                            * of this array. Of each shape, `source` is filled:
                            * the faces and samples of the mesh
                            * (compile/mesh/source.h) */
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
 * `spindle info` shows the times of archives that cannot be compiled. Objects
 * that scene_import_open refuses (refusals.h) are included: each of their
 * properties with more than one stored sample counts as animated. Returns false
 * after a refusal: the archive is damaged. */
bool scene_import_survey(struct scene_import *import,
                         const struct abc_archive *archive,
                         const struct compile_options *options,
                         struct timeline *timeline, struct arena *arena);

/* The callbacks of a scene_source (scene.h), whose `user` is the import. Any
 * thread may call them. They return false after a refusal.
 *
 * part        index of the part
 * time        seconds; matrices are interpolated between samples
 * m           set to the matrix from the part to its parent; the identity for a
 *             mesh. Row vectors, translation in [12..14] (compile/math/tns.h)
 * inherits    set to whether the part is transformed by its parent at the time
 * is_visible  set to whether the part is visible at the time */
bool scene_import_matrix(const void *import, uint32_t part, double time,
                         double m[16], bool *inherits);
bool scene_import_is_visible(const void *import, uint32_t part, double time,
                             bool *is_visible);

#endif
