/* cmd_anim_info.c - `spindle anim info`: describe a file of animation. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/motion_info.h"
#include "cli/cmd_anim.h"

bool anim_info(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    const struct motion_info_options options = {
        .is_tree = values->is_tree,
        .is_json = values->is_json,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
    };

    motion_info(call->operands[1], &options, call->diag);
    return true;
}
