/* cmd_anim_verify.c - `spindle anim verify`: clips against their source;
 * skeletons, databases and images alone. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/anim_encode.h"
#include "anim/tool/anim_verify.h"
#include "anim/tool/clip_file.h"
#include "anim/tool/index_verify.h"
#include "cli/anim_operands.h"
#include "cli/cmd_anim.h"
#include "common/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TO_MM 1000.0

static const struct line {
    const char *name; /* in JSON */
    const char *text;
} lines[3] = {
    {"error_mm", "at frames"},
    {"error_between_mm", "between frames"},
    {"error_curves_mm", "against the source's curves"},
};

static const struct anim_verify_error *error_of(
    const struct anim_verify_report *report, int line)
{
    return line == 0   ? &report->at_frames
           : line == 1 ? &report->between
                       : &report->curves;
}

static void print_clip(const char *path, const struct anim_verify_report *r)
{
    printf("%s: %u joints, %u frames: %s\n", path, r->joint_count,
           r->frame_count, r->has_passed ? "passed" : "FAILED");
    for (int i = 0; r->is_compared && i < 3; i++) {
        const struct anim_verify_error *e = error_of(r, i);

        printf("  %-28s %9.4f mm (frame %u, joint %u %s)\n", lines[i].text,
               e->metres * TO_MM, e->frame, e->joint, r->joints[i]);
    }
    if (r->is_compared)
        printf("  %-28s %9.6f; between frames %.6f\n", "float tracks",
               r->floats, r->floats_between);
}

static void report_clip(cJSON *json, const struct anim_verify_report *r)
{
    report_number(json, "joints", r->joint_count);
    report_number(json, "frames", r->frame_count);
    for (int i = 0; r->is_compared && i < 3; i++) {
        const struct anim_verify_error *e = error_of(r, i);
        cJSON *item = report_object(json, lines[i].name);

        report_number(item, "max", e->metres * TO_MM);
        report_number(item, "frame", e->frame);
        report_number(item, "joint", e->joint);
        report_text(item, "name", r->joints[i]);
    }
    if (r->is_compared)
        report_number(json, "float_error", r->floats);
    if (r->is_compared)
        report_number(json, "float_error_between", r->floats_between);
}

static void report_result(cJSON *json, bool has_passed, const struct diag *diag)
{
    report_bool(json, "has_passed", has_passed);
    if (!has_passed)
        report_refusal(report_object(json, "fault"), &diag->refusal);
}

/* Each of these verifies one file: text goes to stdout unless `json` is given,
 * refusals go to the diag. */

static bool verify_clip(const struct anim_values *values, const char *path,
                        cJSON *json, struct diag *diag)
{
    const double precision_mm = values->precision_mm;
    struct anim_verify_options options = {
        .clip = path,
        .skeleton = values->skeleton,
        .source = values->against,
        .name = values->clips.count > 0 ? values->clips.items[0] : NULL,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
        .root_joint = values->root_joint,
        .precision = precision_mm / TO_MM,
    };
    struct anim_verify_report report;

    anim_patterns(values, options.patterns);
    if (!anim_verify(&options, diag, &report))
        return false;
    if (json)
        report_clip(json, &report);
    else
        print_clip(path, &report);
    return report.has_passed ||
           diag_refuse(
               diag, path, DIAG_NO_OFFSET, NULL,
               "%.4f mm at frames, %.4f mm between them, %.6f of float "
               "tracks; allowed are %.4g mm, %.4g mm and %.4g",
               report.at_frames.metres * TO_MM, report.between.metres * TO_MM,
               fmax(report.floats, report.floats_between), precision_mm,
               ANIM_BETWEEN_FACTOR * precision_mm, ANIM_FLOAT_PRECISION);
}

static bool verify_skeleton(const char *path, cJSON *json, struct diag *diag)
{
    struct skeleton_file file;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    is_good = skeleton_file_open(&file, path, &arena, diag);
    if (is_good && json)
        report_number(json, "joints", file.skeleton.joint_count);
    else if (is_good)
        printf("%s: %u joints: passed\n", path, file.skeleton.joint_count);
    arena_free(&arena);
    return is_good;
}

static bool verify_index(const struct anim_values *values, const char *path,
                         enum anim_file_kind kind, cJSON *json,
                         struct diag *diag)
{
    const uint32_t jobs = values->jobs;
    struct index_verify_report report;

    if (!(kind == ANIM_FILE_IMAGE
              ? image_verify(path, values->root, jobs, diag, &report)
              : database_verify(path, jobs, diag, &report)))
        return false;
    if (json) {
        report_number(json, "clips", report.clip_count);
        if (kind == ANIM_FILE_IMAGE)
            report_number(json, "databases", report.database_count);
        report_number(json, "bytes", (double)report.bytes);
    } else {
        printf("%s: %u clips, ", path, report.clip_count);
        if (kind == ANIM_FILE_IMAGE)
            printf("%u databases, ", report.database_count);
        printf("%" PRIu64 " bytes: passed\n", report.bytes);
    }
    return true;
}

static bool verify_file(const struct anim_values *values, const char *path,
                        cJSON *json, struct diag *diag)
{
    enum anim_file_kind kind = ANIM_FILE_OTHER;

    if (!anim_file_kind(path, &kind, diag))
        return false;
    switch (kind) {
    case ANIM_FILE_DATABASE:
    case ANIM_FILE_IMAGE:
        if (!values->against)
            return verify_index(values, path, kind, json, diag);
        break;
    case ANIM_FILE_SKELETON:
        if (!values->against)
            return verify_skeleton(path, json, diag);
        break;
    case ANIM_FILE_CLIP:
    case ANIM_FILE_OTHER:
        break;
    }
    return verify_clip(values, path, json, diag);
}

/* -- several files -- */

/* Verify a file of several. Its refusal is printed, and that of the first one
 * becomes that of the run. */
static void verify_one(const struct verb_call *call, const char *path,
                       cJSON *json)
{
    struct diag *diag = call->diag;
    struct diag own;
    bool has_passed;

    diag_init(&own);
    if (json)
        report_text(json, "file", path);
    has_passed = verify_file(call->values, path, json, &own);
    if (!has_passed && !diag_has_failed(diag)) {
        diag->is_silent = true;
        diag_repeat(diag, &own);
        diag->is_silent = false;
    }
    if (json)
        report_result(json, has_passed, &own);
    diag_finish(&own);
}

static void verify_several(const struct verb_call *call,
                           const struct anim_operands *files)
{
    const struct anim_values *values = call->values;
    cJSON *json = NULL;
    cJSON *list = NULL;

    if (values->is_json) {
        json = report_begin("anim");
        report_text(json, "kind", "verified");
        list = report_array(json, "files");
    }
    for (uint32_t i = 0; i < files->count; i++)
        verify_one(call, files->paths[i], json ? report_item(list) : NULL);
    if (json) {
        report_bool(json, "has_passed", !diag_has_failed(call->diag));
        report_end(json, call->diag);
    }
}

static void verify_single(const struct anim_values *values, const char *path,
                          struct diag *diag)
{
    cJSON *json = NULL;
    bool has_passed;

    if (values->is_json) {
        json = report_begin("anim");
        report_text(json, "kind", "verified");
        report_text(json, "file", path);
    }
    has_passed = verify_file(values, path, json, diag);
    if (!json)
        return;
    report_result(json, has_passed, diag);
    report_end(json, diag);
}

bool anim_action_verify(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    struct anim_operands files;

    if (values->clips.count > 1)
        return options_refuse("anim", "verify takes one --clip");
    if (values->clips.count > 0 && call->operand_count > 2)
        return options_refuse("anim", "--clip is of one file");
    if (!anim_operands_list(call, ".sac .sas .sad .sai", &files))
        return true;
    if (call->operand_count == 2 && !files.has_folder)
        verify_single(values, files.paths[0], call->diag);
    else
        verify_several(call, &files);
    return true;
}
