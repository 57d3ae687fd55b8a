/* motion_info.h - describe a source file of animation. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_MOTION_INFO_H
#define OFFLINE_ANIM_TOOL_MOTION_INFO_H

#include "anim/source/sample.h"
#include "common/report.h"

#include <stdbool.h>

struct motion_info_options {
    bool is_tree; /* the text has the joints, too */
    cJSON *json;  /* everything is added to it; NULL: print text */
    struct sample_options sample;
};

/* Read a file and describe its joints, skins and clips, on stdout or in JSON.
 * Returns false after a refusal. */
bool motion_info(const char *path, const struct motion_info_options *options,
                 struct diag *diag);

/* Largest extent of the rest pose along an axis, in the file's units: the
 * height of most figures. */
double motion_info_extent(const struct motion *motion);

#endif
