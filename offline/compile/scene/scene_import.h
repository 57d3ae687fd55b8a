/* scene_import.h - what of an archive becomes part of a scene.
 *
 * Walks the objects: meshes that are visible at some time and have triangles,
 * and all that is above them; without any such mesh all transforms, where the
 * options allow that. Everything else is left out, other geometry with a
 * warning for each kind.
 *
 * Visibility follows Alembic: the nearest object at or above that says hidden
 * or visible decides; between samples the earlier one holds.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H
#define OFFLINE_COMPILE_SCENE_SCENE_IMPORT_H

#include "compile/math/timeline.h"
#include "compile/mesh/shape.h"
#include "compile/report/refusals.h"
#include "compile/scene/scene.h"

struct scene_import {
    const struct abc_archive *archive;
    struct timeline *survey; /* NULL: what is refused ends the gathering */
    uint32_t part_count;
    struct scene_part *parts;
    const struct abc_object **objects; /* of each part */
    struct abc_xform *xforms;          /* of each part; op_count 0 for others */
    uint32_t shape_count;
    struct shape **shapes; /* one for each distinct source, which is open */
};

bool scene_import_open(struct scene_import *import,
                       const struct abc_archive *archive,
                       const struct compile_options *options,
                       struct warnings *warnings, struct arena *arena);

/* Tell the timeline about transforms, visibility and meshes. False after a
 * refusal. */
bool scene_import_times(const struct scene_import *import,
                        struct timeline *timeline);

/* Both, for the times alone: goes on where a sound archive is refused, and
 * what was refused moves wherever it is stored anew. */
bool scene_import_survey(struct scene_import *import,
                         const struct abc_archive *archive,
                         const struct compile_options *options,
                         struct timeline *timeline, struct arena *arena);

/* The scene_locals functions; `user` is the import. Any thread. */
bool scene_import_local(void *user, uint32_t part, double time, double m[16],
                        bool *inherits);
bool scene_import_is_seen(void *user, uint32_t part, double time,
                          bool *is_seen);

bool scene_import_is_visible(const struct scene_import *import, uint32_t part,
                             double time, bool *is_visible);

#endif
