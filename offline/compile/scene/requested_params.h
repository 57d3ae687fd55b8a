/* requested_params.h - check that the meshes have the parameters which the
 * options request.
 *
 * The options name colours and texture coordinates, or request velocities. A
 * mesh without them is compiled without them, as long as another mesh has them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_REQUESTED_PARAMS_H
#define OFFLINE_COMPILE_SCENE_REQUESTED_PARAMS_H

#include "compile/scene/scene_import.h"

/* Refuse a name that no mesh has; the message lists the names that exist. Warn
 * of velocities and second texture coordinates, requested without a name, that
 * no mesh has. Returns false after a refusal. */
bool requested_params_validate(const struct scene_import *import,
                               const struct compile_options *options,
                               struct warnings *warnings, struct arena *arena);

#endif
