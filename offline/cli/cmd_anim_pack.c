/* cmd_anim_pack.c - `spindle anim pack`: clips to databases and an image. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_pack.h"
#include "cli/cmd_anim.h"
#include "common/report.h"

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
    if (report->used_count > 0)
        printf("  %5u of the clips in the order of their use\n",
               report->used_count);
    if (report->file_count > 0)
        printf("  %5u %12" PRIu64 "  %14" PRIu64 "  (files of their own)\n",
               report->file_count, report->file_bytes, report->file_bytes);
    if (report->skeleton_count > 0)
        printf("  %5u %12" PRIu64 "  %14s  (skeletons)\n",
               report->skeleton_count, report->skeleton_bytes, "");
    printf("  clips %u, bytes %" PRIu64 ": image %s\n", report->clip_count,
           report->image_bytes, report_name(report->image, name, sizeof name));
    printf("  all %s\n", report_bytes((double)report->bytes, text));
}

static void print_json(const struct anim_pack_report *report, struct diag *diag)
{
    cJSON *json = report_begin("anim");
    cJSON *item = NULL;
    cJSON *list;

    report_text(json, "kind", "packed");
    report_number(json, "clips", report->clip_count);
    report_number(json, "used_clips", report->used_count);
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
        report_text(item, "file", d->path);
        report_number(item, "clips", d->clip_count);
        report_number(item, "bytes", (double)d->bytes);
        report_number(item, "clip_bytes", (double)d->clip_bytes);
        report_hash(item, "skeleton", d->skeleton);
    }
    list = report_array(json, "skeletons");
    for (uint32_t i = 0; i < report->skeleton_count; i++) {
        const struct pack_skeleton *s = &report->skeletons[i];

        item = report_item(list);
        report_text(item, "file", s->name);
        report_number(item, "bytes", (double)s->bytes);
        report_hash(item, "hash", s->hash);
        report_hash_32(item, "rest_pose", s->rest_pose_hash);
    }
    report_end(json, diag);
}

static enum anim_pack_by groups_of(const struct anim_values *values)
{
    if (!values->by)
        return values->lists.count > 0    ? ANIM_PACK_BY_FILE
               : values->orders.count > 0 ? ANIM_PACK_BY_SKELETON
                                          : ANIM_PACK_BY_FOLDER;
    return strcmp(values->by, "folder") == 0     ? ANIM_PACK_BY_FOLDER
           : strcmp(values->by, "skeleton") == 0 ? ANIM_PACK_BY_SKELETON
                                                 : ANIM_PACK_BY_FILE;
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
        .lists = values->lists.items,
        .list_count = values->lists.count,
        .by = groups_of(values),
        .traces = values->orders.items,
        .trace_count = values->orders.count,
        .recorded = values->recorded.items,
        .recorded_count = values->recorded.count,
        .jobs = values->jobs,
    };
    struct anim_pack_report report;

    if (options.recorded_count > 0 && options.trace_count == 0)
        return options_refuse("anim", "--recorded needs --order TRACE.json");
    if (anim_pack(&options, call->diag, &report)) {
        if (values->is_json)
            print_json(&report, call->diag);
        else if (!values->is_quiet)
            print_text(&report);
    }
    arena_free(&report.arena);
    return true;
}
