/* cmd_anim_export.c - `spindle anim export`: clips to glTF. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_export.h"
#include "cli/anim_operands.h"
#include "cli/cmd_anim.h"
#include "common/report.h"

static void print_json(const struct anim_export_options *options,
                       const struct anim_export_report *report,
                       struct diag *diag)
{
    cJSON *json = report_begin("anim");

    report_text(json, "kind", "exported");
    report_text(json, "file", options->output);
    report_number(json, "joints", report->joint_count);
    report_number(json, "clips", options->clip_count);
    report_number(json, "channels", report->channel_count);
    report_number(json, "keys", (double)report->key_count);
    report_number(json, "array_bytes", (double)report->bytes);
    report_end(json, diag);
}

bool anim_action_export(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    struct anim_export_options options = {.skeleton = values->skeleton,
                                          .output = values->output};
    struct anim_export_report report;
    struct anim_operands clips;

    if (!anim_operands_list(call, ".sac", &clips))
        return true;
    options.clips = clips.paths;
    options.clip_count = clips.count;
    if (anim_export(&options, call->diag, &report) && values->is_json)
        print_json(&options, &report, call->diag);
    return true;
}
