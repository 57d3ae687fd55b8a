/* index_info.h - describe databases and header images. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_INDEX_INFO_H
#define OFFLINE_ANIM_TOOL_INDEX_INFO_H

#include "anim/clip_index.h"
#include "common/report.h"

#include <stdbool.h>

/* Print a file on stdout as text, or add it to `json` unless that is NULL.
 * `is_tree`: the text has the clips, too; JSON always has them. Returns false
 * after a refusal. */
bool index_info(const char *path, enum clip_index_type type, bool is_tree,
                cJSON *json, struct diag *diag);

#endif
