/* cmd_anim_info.c - `spindle anim info`: describe a file of animation. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_file.h"
#include "anim/tool/clip_info.h"
#include "anim/tool/index_info.h"
#include "anim/tool/motion_info.h"
#include "cli/cmd_anim.h"

static void print_file(const struct verb_call *call, const char *path)
{
    const struct anim_values *values = call->values;
    const struct motion_info_options options = {
        .is_tree = values->is_tree,
        .is_json = values->is_json,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
    };
    enum anim_file_kind kind;

    if (!anim_file_kind(path, &kind, call->diag))
        return;
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
}

bool anim_action_info(const struct verb_call *call)
{
    const struct anim_values *values = call->values;

    if (values->is_json && call->operand_count > 2)
        return options_refuse("anim", "info --json takes one file");
    for (uint32_t i = 1; i < call->operand_count; i++)
        print_file(call, call->operands[i]);
    return true;
}
