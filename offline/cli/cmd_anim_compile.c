/* cmd_anim_compile.c - `spindle anim compile`: sources to clips. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_compile.h"
#include "cli/anim_operands.h"
#include "cli/cmd_anim.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdio.h>

#define TO_MM 1000.0

static double rate_of(const struct anim_compiled_clip *clip)
{
    return (double)clip->rate_numerator / clip->rate_denominator;
}

static void print_text(const struct anim_compile_report *report)
{
    char name[256];
    char text[16];

    puts("  frames      rate     bytes  largest error, mm  between  clip");
    for (uint32_t i = 0; i < report->clip_count; i++) {
        const struct anim_compiled_clip *clip = &report->clips[i];

        printf("  %6u %9.6g %9zu %18.4f %8.4f  %s\n", clip->frame_count,
               rate_of(clip), clip->bytes.size, clip->error.at_frames * TO_MM,
               clip->error.between * TO_MM,
               report_name(clip->file, name, sizeof name));
    }
    for (uint32_t i = 0; i < report->skeleton_count; i++)
        printf("  joints %u, bytes %zu: skeleton %s\n",
               report->skeletons[i].joint_count,
               report->skeletons[i].bytes.size,
               report_name(report->skeletons[i].file, name, sizeof name));
    printf("  all %s\n", report_bytes((double)report->bytes, text));
}

static void add_clip(cJSON *clips, const struct anim_compile_report *report,
                     const struct anim_compiled_clip *clip)
{
    cJSON *item = report_item(clips);

    report_text(item, "name", clip->name);
    report_text(item, "file", clip->file);
    report_text(item, "input", clip->input);
    report_text(item, "skeleton", report->skeletons[clip->skeleton].file);
    report_number(item, "frames", clip->frame_count);
    report_number(item, "rate", rate_of(clip));
    report_number(item, "rate_numerator", clip->rate_numerator);
    report_number(item, "rate_denominator", clip->rate_denominator);
    report_number(item, "float_tracks", clip->float_track_count);
    report_bool(item, "loop_closes", clip->loop_closes);
    report_bool(item, "has_cuts", clip->has_cuts);
    report_bool(item, "loops", clip->loops);
    report_bool(item, "is_additive", clip->is_additive);
    report_bool(item, "has_root_motion", clip->has_root_motion);
    report_number(item, "bytes", (double)clip->bytes.size);
    report_number(item, "segments", clip->error.segments);
    report_number(item, "segment_bytes_max", clip->error.segment_bytes_max);
    report_number(item, "error_mm", clip->error.at_frames * TO_MM);
    report_number(item, "error_between_mm", clip->error.between * TO_MM);
    report_number(item, "float_error", clip->error.floats);
    report_number(item, "curves_lost_mm", clip->curves_lost.metres * TO_MM);
    report_number(item, "curves_lost_float", clip->curves_lost.floats);
}

static void print_json(const struct anim_compile_report *report,
                       struct diag *diag)
{
    cJSON *json = report_begin("anim");
    cJSON *list;

    report_text(json, "kind", "compiled");
    report_number(json, "bytes", (double)report->bytes);
    list = report_array(json, "skeletons");
    for (uint32_t i = 0; i < report->skeleton_count; i++) {
        const struct anim_compiled_skeleton *skeleton = &report->skeletons[i];
        cJSON *item = report_item(list);

        report_text(item, "file", skeleton->file);
        report_text(item, "input", skeleton->input);
        report_number(item, "joints", skeleton->joint_count);
        report_hash(item, "hash", skeleton->hash);
        report_number(item, "bytes", (double)skeleton->bytes.size);
    }
    list = report_array(json, "clips");
    for (uint32_t i = 0; i < report->clip_count; i++)
        add_clip(list, report, &report->clips[i]);
    report_end(json, diag);
}

bool anim_action_compile(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    struct anim_compile_options options = {
        .folder = values->output,
        .clips = values->clips.items,
        .clip_count = values->clips.count,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
        .keeps_rate = values->keeps_rate,
        .encode = {.precision = values->precision_mm / TO_MM,
                   .float_precision = ANIM_FLOAT_PRECISION},
        .root_joint = values->root_joint,
        .jobs = values->jobs,
    };
    struct anim_compile_report report;
    struct anim_operands sources;

    if (!anim_operands_list(call, ".glb .gltf .bvh", &sources))
        return true;
    anim_patterns(values, options.patterns);
    options.inputs = sources.paths;
    options.input_count = sources.count;
    if (anim_compile(&options, call->diag, &report)) {
        if (values->is_json)
            print_json(&report, call->diag);
        else if (!values->is_quiet)
            print_text(&report);
    }
    arena_free(&report.arena);
    return true;
}
