/* scene_transforms.h - the transforms of the parts of an import.
 *
 * The first step of scene_import.h walks the objects and makes the parts; this
 * module opens their transforms and describes them in the parts. It also
 * implements scene_import_matrix.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_TRANSFORMS_H
#define OFFLINE_COMPILE_SCENE_SCENE_TRANSFORMS_H

#include "compile/scene/scene_import.h"

/* Open import->xforms and read all their samples. Sets `inherits`, is_constant,
 * is_similarity and is_skewed of the parts. Returns false after a refusal: a
 * matrix is not finite. With is_survey, such a matrix is tolerated. */
bool scene_transforms_open(struct scene_import *import, bool is_survey,
                           struct arena *arena);

#endif
