/* cmd_anim_pack.c - `spindle anim pack`: clips to databases and an image. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_pack.h"
#include "cli/cmd_anim.h"
#include "common/report.h"
#include "common/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_text(const struct anim_pack_report *report)
{
    char name[256];
    char text[16];

    puts("  clips        bytes  of clips alone  database");
    for (uint32_t i = 0; i < report->database_count; i++) {
        const struct anim_packed_database *d = &report->databases[i];

        printf("  %5u %12" PRIu64 "  %14" PRIu64 "  %s\n", d->clip_count,
               d->bytes, d->clip_bytes,
               report_name(d->path, name, sizeof name));
    }
    if (report->file_count > 0)
        printf("  %5u %12" PRIu64 "  %14" PRIu64 "  (files of their own)\n",
               report->file_count, report->file_bytes, report->file_bytes);
    printf("  clips %u, bytes %" PRIu64 ": image %s\n", report->clip_count,
           report->image_bytes, report_name(report->image, name, sizeof name));
    printf("  all %s\n", report_bytes((double)report->bytes, text));
}

static void print_json(const struct anim_pack_report *report, struct diag *diag)
{
    cJSON *json = report_begin("anim");
    cJSON *item = NULL;
    cJSON *list;
    char text[17];

    report_text(json, "kind", "packed");
    report_number(json, "clips", report->clip_count);
    report_number(json, "bytes", (double)report->bytes);
    item = report_object(json, "image");
    report_text(item, "file", report->image);
    report_number(item, "bytes", (double)report->image_bytes);
    item = report_object(json, "own_files");
    report_number(item, "clips", report->file_count);
    report_number(item, "bytes", (double)report->file_bytes);
    list = report_array(json, "databases");
    for (uint32_t i = 0; i < report->database_count; i++) {
        const struct anim_packed_database *d = &report->databases[i];

        item = report_item(list);
        snprintf(text, sizeof text, "%016" PRIx64, d->skeleton);
        report_text(item, "file", d->path);
        report_number(item, "clips", d->clip_count);
        report_number(item, "bytes", (double)d->bytes);
        report_number(item, "clip_bytes", (double)d->clip_bytes);
        report_text(item, "skeleton", text);
    }
    report_end(json, diag);
}

bool anim_action_pack(const struct verb_call *call)
{
    const struct anim_values *values = call->values;
    const struct anim_pack_options options = {
        .inputs = (const char *const *)call->operands + 1,
        .input_count = call->operand_count - 1,
        .folder = values->output,
        .prefix = values->prefix,
        .image = values->image,
        .by = values->by && strcmp(values->by, "skeleton") == 0
                  ? ANIM_PACK_BY_SKELETON
              : values->by && strcmp(values->by, "file") == 0
                  ? ANIM_PACK_BY_FILE
                  : ANIM_PACK_BY_FOLDER,
        .jobs = values->jobs ? values->jobs : system_cpu_count(),
    };
    struct anim_pack_report report;

    if (!values->output)
        return options_refuse("anim", "a folder is missing: -o FOLDER");
    call->diag->is_quiet = values->is_quiet;
    if (anim_pack(&options, call->diag, &report)) {
        if (values->is_json)
            print_json(&report, call->diag);
        else if (!values->is_quiet)
            print_text(&report);
    }
    arena_free(&report.arena);
    return true;
}
