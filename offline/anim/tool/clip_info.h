/* clip_info.h - describe clip and skeleton files. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_INFO_H
#define OFFLINE_ANIM_TOOL_CLIP_INFO_H

#include "common/report.h"

#include <stdbool.h>

/* Print a file on stdout as text, or add all of it to `json` unless that is
 * NULL. `is_tree`: the text has the joints of a skeleton, too. Return false
 * after a refusal. */
bool clip_info(const char *path, cJSON *json, struct diag *diag);
bool skeleton_info(const char *path, bool is_tree, cJSON *json,
                   struct diag *diag);

#endif
