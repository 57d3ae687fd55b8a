/* cmd_anim_export.c - `spindle anim export`: clips to glTF. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_export.h"
#include "cli/cmd_anim.h"

bool anim_action_export(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    const struct anim_export_options options = {
        .clips = (const char *const *)call->operands + 1,
        .clip_count = call->operand_count - 1,
        .skeleton = values->skeleton,
        .output = values->output,
    };

    if (!values->output)
        return options_refuse("anim", "an output is missing: -o OUT.glb");
    anim_export(&options, call->diag);
    return true;
}
