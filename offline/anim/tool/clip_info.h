/* clip_info.h - describe clip and skeleton files. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_INFO_H
#define OFFLINE_ANIM_TOOL_CLIP_INFO_H

#include "common/diag.h"

#include <stdbool.h>

/* Print a file on stdout, as text or as one JSON object. `is_tree`: the joints
 * of a skeleton, too. Refusals go to the diag. */
void clip_info(const char *path, bool is_json, struct diag *diag);
void skeleton_info(const char *path, bool is_tree, bool is_json,
                   struct diag *diag);

#endif
