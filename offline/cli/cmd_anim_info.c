/* cmd_anim_info.c - `spindle anim info`: describe files of animation. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_file.h"
#include "anim/tool/clip_info.h"
#include "anim/tool/index_info.h"
#include "anim/tool/motion_info.h"
#include "cli/cmd_anim.h"

/* Text goes to stdout unless `json` is given. Returns false after a refusal. */
static bool describe(const struct anim_values *values, const char *path,
                     cJSON *json, struct diag *diag)
{
    const struct motion_info_options options = {
        .is_tree = values->is_tree,
        .json = json,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
    };
    enum anim_file_kind kind;

    if (!anim_file_kind(path, &kind, diag))
        return false;
    switch (kind) {
    case ANIM_FILE_CLIP:
        return clip_info(path, json, diag);
    case ANIM_FILE_SKELETON:
        return skeleton_info(path, values->is_tree, json, diag);
    case ANIM_FILE_DATABASE:
        return index_info(path, CLIP_INDEX_DATABASE, values->is_tree, json,
                          diag);
    case ANIM_FILE_IMAGE:
        return index_info(path, CLIP_INDEX_IMAGE, values->is_tree, json, diag);
    case ANIM_FILE_OTHER:
        break;
    }
    return motion_info(path, &options, diag);
}

/* Describe a file of several. Its refusal is printed, and that of the first one
 * becomes that of the run. */
static void describe_one(const struct verb_call *call, const char *path,
                         cJSON *json)
{
    struct diag own;

    diag_init(&own);
    if (!describe(call->values, path, json, &own)) {
        if (json) {
            report_text(json, "file", path);
            report_refusal(report_object(json, "fault"), &own.refusal);
        }
        if (!diag_has_failed(call->diag)) {
            call->diag->is_silent = true;
            diag_repeat(call->diag, &own);
            call->diag->is_silent = false;
        }
    }
    diag_finish(&own);
}

static void describe_several(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    cJSON *json = values->is_json ? report_begin("anim") : NULL;
    cJSON *list = NULL;

    if (json) {
        report_text(json, "kind", "described");
        list = report_array(json, "files");
    }
    for (uint32_t i = 1; i < call->operand_count; i++)
        describe_one(call, call->operands[i], json ? report_item(list) : NULL);
    if (json)
        report_end(json, call->diag);
}

bool anim_action_info(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    cJSON *json;

    if (call->operand_count > 2) {
        describe_several(call);
        return true;
    }
    json = values->is_json ? report_begin("anim") : NULL;
    if (describe(values, call->operands[1], json, call->diag) && json)
        report_end(json, call->diag);
    else
        cJSON_Delete(json);
    return true;
}
