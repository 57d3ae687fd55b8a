/* cmd_anim_verify.c - `spindle anim verify`: a clip against its source. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/anim_encode.h"
#include "anim/tool/anim_verify.h"
#include "cli/cmd_anim.h"
#include "common/report.h"

#include <stdio.h>

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

static void print_text(const char *path, const struct anim_verify_report *r)
{
    printf("%s: %u joints, %u frames: %s\n", path, r->joint_count,
           r->frame_count, r->has_passed ? "passed" : "FAILED");
    for (int i = 0; r->is_compared && i < 3; i++) {
        const struct anim_verify_error *e = error_of(r, i);

        printf("  %-28s %9.4f mm (frame %u, joint %u %s)\n", lines[i].text,
               e->metres * TO_MM, e->frame, e->joint, r->joints[i]);
    }
    if (r->is_compared)
        printf("  %-28s %9.6f\n", "float tracks", r->floats);
}

static void print_json(const char *path, const struct anim_verify_report *r,
                       struct diag *diag)
{
    cJSON *json = report_begin("anim");

    report_text(json, "kind", "verified");
    report_text(json, "file", path);
    report_bool(json, "has_passed", r->has_passed);
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
    report_end(json, diag);
}

bool anim_action_verify(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    const double precision_mm =
        values->precision_mm > 0 ? values->precision_mm : ANIM_PRECISION_MM;
    const struct anim_verify_options options = {
        .clip = call->operands[1],
        .skeleton = values->skeleton,
        .source = values->against,
        .name = values->clips.count > 0 ? values->clips.items[0] : NULL,
        .sample = {.rate = values->rate, .unit_metres = values->unit_metres},
        .precision = precision_mm / TO_MM,
    };
    struct anim_verify_report report;

    if (values->clips.count > 1)
        return options_refuse("anim", "verify takes one --clip");
    if (!anim_verify(&options, call->diag, &report))
        return true;
    if (values->is_json)
        print_json(options.clip, &report, call->diag);
    else
        print_text(options.clip, &report);
    if (!report.has_passed)
        diag_refuse(call->diag, options.clip, DIAG_NO_OFFSET, NULL,
                    "%.4f mm at frames, %.4f mm between them, %.6f of float "
                    "tracks; allowed are %.4g mm, %.4g mm and %.4g",
                    report.at_frames.metres * TO_MM,
                    report.between.metres * TO_MM, report.floats, precision_mm,
                    ANIM_BETWEEN_FACTOR * precision_mm, ANIM_FLOAT_PRECISION);
    return true;
}
