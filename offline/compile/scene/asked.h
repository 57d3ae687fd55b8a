/* asked.h - does the scene have what the options name? */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_ASKED_H
#define OFFLINE_COMPILE_SCENE_ASKED_H

#include "compile/scene/scene_import.h"

/* Refuse a name that no mesh has, with those that there are; warn of what is
 * asked for without a name. A mesh without it beside others that have it is
 * left without. */
bool asked_validate(const struct scene_import *import,
                    const struct compile_options *options,
                    struct warnings *warnings, struct arena *arena);

#endif
