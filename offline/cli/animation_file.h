/* animation_file.h - the verbs of caches and archives refuse files of animation
 * by their signature, and name the verb `anim`.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_ANIMATION_FILE_H
#define OFFLINE_CLI_ANIMATION_FILE_H

#include "common/diag.h"

#include <stdbool.h>

/* Refuse a clip, a skeleton, a database, an image, a glTF file (.glb) or a BVH
 * file, with the hint to use `spindle anim ACTION`, or info if they have no
 * such action. Returns true for other files; also for one that cannot be read:
 * the verb says why. */
bool animation_file_refuse(const char *path, const char *action,
                           struct diag *diag);

#endif
