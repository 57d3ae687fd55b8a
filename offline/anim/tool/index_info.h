/* index_info.h - describe databases and header images. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_INDEX_INFO_H
#define OFFLINE_ANIM_TOOL_INDEX_INFO_H

#include "anim/clip_index.h"
#include "common/diag.h"

#include <stdbool.h>

/* Print a file on stdout, as text or as one JSON object. `is_tree`: the text
 * has the clips, too; JSON always has them. Refusals go to the diag. */
void index_info(const char *path, enum clip_index_type type, bool is_tree,
                bool is_json, struct diag *diag);

#endif
