/* cmd_unpack.c - the verb `unpack`: write the files of a pak. */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "common/report.h"
#include "pack/unpack.h"

#include <stddef.h>
#include <stdio.h>

struct values {
    const char *output;
    bool is_quiet;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(output), "FOLDER",
                  "folder for the files; created if missing",
                  "a folder: -o FOLDER", "files go to a folder"),
    OPTION_QUIET(AT(is_quiet), "print no report"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

static void print_report(const struct values *values,
                         const struct unpack_report *r, struct diag *diag)
{
    char text[16];

    if (values->is_json) {
        cJSON *json = report_begin("unpack");
        cJSON *lost;

        report_text(json, "output", values->output);
        report_number(json, "files", r->file_count);
        report_number(json, "bytes", (double)r->bytes);
        lost = report_array(json, "lost");
        for (uint32_t i = 0; i < r->lost_count; i++)
            cJSON_AddItemToArray(lost, cJSON_CreateString(r->lost[i]));
        report_end(json, diag);
    } else if (!values->is_quiet) {
        printf("%s: %u %s, %s\n", values->output, r->file_count,
               r->file_count == 1 ? "file" : "files",
               report_bytes((double)r->bytes, text));
    }
}

static bool run_unpack(const struct verb_call *call)
{
    const struct values *values = call->values;
    const struct unpack_options settings = {
        .pak = call->operands[0],
        .folder = values->output,
        .names = (const char *const *)call->operands + 1,
        .name_count = call->operand_count - 1,
    };
    struct unpack_report report;
    struct arena arena;

    arena_init(&arena);
    if (unpack_run(&settings, &arena, call->diag, &report) ||
        report.lost_count > 0)
        print_report(values, &report, call->diag);
    arena_free(&arena);
    return true;
}

const struct verb verb_unpack = {
    .name = "unpack",
    .operands = "IN.spk [NAME...] -o FOLDER",
    .summary = "extract files from a pak",
    .examples = "  spindle unpack data.spk -o data\n"
                "  spindle unpack data.spk harbour/sea.sgc sounds -o .\n",
    .notes =
        "A NAME is a file of the pak, or a folder of files. Existing files "
        "are\n"
        "replaced. Links are not replaced, and nothing is written through a\n"
        "link. A file with damaged blocks is taken from another copy of it in\n"
        "the pak. If there is none, the file is reported and omitted, the\n"
        "others are extracted, and the exit code is 1.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 4096,
    .values_bytes = sizeof(struct values),
    .run = run_unpack,
};
