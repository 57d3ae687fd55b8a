/* cmd_anim_info.c - `spindle anim info`: describe a file of animation. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_file.h"
#include "anim/tool/clip_info.h"
#include "anim/tool/index_info.h"
#include "anim/tool/motion_info.h"
#include "cli/cmd_anim.h"

bool anim_action_info(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    const char *path = call->operands[1];
    const struct motion_info_options options = {
        .is_tree = values->is_tree,
        .is_json = values->is_json,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
    };
    enum anim_file_kind kind;

    if (!anim_file_kind(path, &kind, call->diag))
        return true;
    switch (kind) {
    case ANIM_FILE_CLIP:
        clip_info(path, values->is_json, call->diag);
        break;
    case ANIM_FILE_SKELETON:
        skeleton_info(path, values->is_tree, values->is_json, call->diag);
        break;
    case ANIM_FILE_DATABASE:
        index_info(path, CLIP_INDEX_DATABASE, values->is_tree, values->is_json,
                   call->diag);
        break;
    case ANIM_FILE_IMAGE:
        index_info(path, CLIP_INDEX_IMAGE, values->is_tree, values->is_json,
                   call->diag);
        break;
    case ANIM_FILE_OTHER:
        motion_info(path, &options, call->diag);
        break;
    }
    return true;
}
