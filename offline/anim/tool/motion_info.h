/* motion_info.h - describe a source file of animation. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_MOTION_INFO_H
#define OFFLINE_ANIM_TOOL_MOTION_INFO_H

#include "anim/source/sample.h"
#include "common/diag.h"

#include <stdbool.h>

struct motion_info_options {
    bool is_tree; /* print the joints, too */
    bool is_json; /* print everything as one JSON object */
    struct sample_options sample;
};

/* Read a file and print its joints, skins and clips on stdout. Refusals go to
 * the diag. */
void motion_info(const char *path, const struct motion_info_options *options,
                 struct diag *diag);

/* Largest extent of the rest pose along an axis, in the file's units: the
 * height of most figures. */
double motion_info_extent(const struct motion *motion);

#endif
