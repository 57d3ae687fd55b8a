/* cmd_trace.c - the verb `trace`: convert recordings of other tools to traces.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "common/report.h"
#include "host/host.h"
#include "trace/strace_import.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US 1e6
#define DAYS_MAX 366

struct values {
    const char *output;
    const char *root;
    const char *scene;
    struct option_texts scenes;
    uint32_t merge_ms;
    bool is_quiet;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(output), "TRACE.json",
                  "the trace to write, or - for stdout (without a report)",
                  "an output: -o TRACE.json", NULL),
    OPTION_TEXT("root", 0, AT(root), "FOLDER",
                "keep only files below it, named relative to it (default: "
                "all files)"),
    OPTION_TEXT("scene", 0, AT(scene), "NAME",
                "name of the first scene (default: the input's name)"),
    OPTION_TEXTS("scene-at", AT(scenes), "SECONDS=NAME",
                 "begin another scene so many seconds after the first read; "
                 "may be repeated, in order of time"),
    OPTION_WHOLE("merge", 0, AT(merge_ms), "MS", 0, 60000,
                 "merge reads that continue each other in a file after "
                 "pauses shorter than this; 0: none (default 50)"),
    OPTION_QUIET(AT(is_quiet), "print no report or warnings"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

static const struct values defaults = {.merge_ms = 50};

/* -- options -- */

/* Parse a scene: "12.5=race". */
static bool parse_scene(const char *text, struct strace_scene *out)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end != '=' || !end[1] || !(seconds > 0) ||
        seconds > DAYS_MAX * 86400.0 || strlen(end + 1) >= SPN_PATH_BYTES_MAX)
        return false;
    out->at_us = (uint64_t)(seconds * SECOND_US + 0.5);
    out->name = end + 1;
    return true;
}

/* Make the scene's name from the path: "lighthouse" from "a/lighthouse.strace".
 */
static const char *stem(const char *path, struct arena *arena)
{
    const char *name = path;

    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\')
            name = c + 1;
    return name[0] == '.' || !name[0]
               ? "trace"
               : arena_string(arena, name, strcspn(name, "."));
}

static bool set_scenes(const struct verb_call *call,
                       struct strace_scene *scenes)
{
    const struct values *v = call->values;

    scenes[0] = (struct strace_scene){
        v->scene ? v->scene : stem(call->operands[1], call->arena), 0};
    if (!scenes[0].name[0] || strlen(scenes[0].name) >= SPN_PATH_BYTES_MAX)
        return options_refuse("trace", "--scene has 1 to 511 bytes");
    for (uint32_t i = 0; i < v->scenes.count; i++) {
        if (!parse_scene(v->scenes.items[i], &scenes[i + 1]))
            return options_refuse("trace",
                                  "--scene-at \"%s\": SECONDS=NAME, above 0",
                                  v->scenes.items[i]);
        if (scenes[i + 1].at_us <= scenes[i].at_us)
            return options_refuse("trace",
                                  "--scene-at \"%s\" is not behind the one "
                                  "before it",
                                  v->scenes.items[i]);
    }
    return true;
}

/* -- the run -- */

static void print_report(const struct values *v, const struct read_trace *trace,
                         const struct strace_report *r)
{
    uint64_t bytes = 0;
    char text[16];

    for (uint32_t i = 0; i < trace->read_count; i++)
        bytes += trace->reads[i].bytes;
    printf("%s: %u reads of %u files, %s\n", v->output, trace->read_count,
           trace->file_count, report_bytes((double)bytes, text));
    printf("  threads           %u\n", r->thread_count);
    printf("  scenes            %u\n", trace->scene_count);
    printf("  calls             %u, in %u lines\n", r->call_count,
           r->line_count);
    if (r->again_count > 0)
        printf("  again             %u calls, of what was read since its file "
               "was opened, left out\n",
               r->again_count);
    if (r->outside_count > 0)
        printf("  elsewhere         %u calls, left out\n", r->outside_count);
}

static void print_json(const struct values *v, const struct read_trace *trace,
                       const struct strace_report *r, struct diag *diag)
{
    cJSON *json = report_begin("trace");

    report_text(json, "output", v->output);
    report_number(json, "reads", trace->read_count);
    report_number(json, "files", trace->file_count);
    report_number(json, "scenes", trace->scene_count);
    report_number(json, "threads", r->thread_count);
    report_number(json, "lines", r->line_count);
    report_number(json, "calls", r->call_count);
    report_number(json, "again", r->again_count);
    report_number(json, "elsewhere", r->outside_count);
    report_number(json, "unknown", r->unknown_count);
    report_number(json, "io_uring_line", r->io_uring_line);
    report_number(json, "warnings", diag->warning_count);
    report_end(json, diag);
}

static bool read_input(const struct verb_call *call,
                       const struct strace_options *settings,
                       struct read_trace *trace, struct strace_report *report)
{
    const char *path = call->operands[1];
    struct diag *diag = call->diag;
    size_t bytes;
    void *text;
    bool is_good;

    if (!host_read_file(path, &text, &bytes, diag))
        return false;
    is_good = strace_import(path, text, bytes, settings, call->arena, trace,
                            report, diag);
    free(text);
    if (!is_good)
        return false;
    if (trace->read_count == 0)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "no reads of files%s%s",
                           settings->root ? " below " : "",
                           settings->root ? settings->root : "");
    if (report->unknown_count > 0)
        diag_warn(diag, path, NULL,
                  "%u reads of files that no call names are left out: record "
                  "with strace -y",
                  (unsigned)report->unknown_count);
    if (report->io_uring_line > 0) {
        char place[32];

        snprintf(place, sizeof place, "line %u",
                 (unsigned)report->io_uring_line);
        diag_warn(diag, path, place,
                  "io_uring_setup: what the game reads by io_uring is not in "
                  "the recording, for strace cannot see it");
    }
    return true;
}

static void import(const struct verb_call *call,
                   const struct strace_options *settings)
{
    const struct values *v = call->values;
    struct diag *diag = call->diag;
    struct strace_report report;
    struct host_output *output;
    struct read_trace trace;

    if (!host_output_differs(v->output, call->operands[1], diag))
        return;
    output = host_output_open(v->output, diag);
    if (!output)
        return;
    if (!host_output_finish(output,
                            read_input(call, settings, &trace, &report) &&
                                read_trace_write(&trace, output)) ||
        host_output_is_stdout(v->output))
        return;
    if (v->is_json)
        print_json(v, &trace, &report, diag);
    else if (!v->is_quiet)
        print_report(v, &trace, &report);
}

static bool run_trace(const struct verb_call *call)
{
    const struct values *v = call->values;
    struct strace_scene scenes[OPTION_TEXTS_MAX + 1];
    const struct strace_options settings = {.root = v->root,
                                            .scenes = scenes,
                                            .scene_count = v->scenes.count + 1,
                                            .merge_us =
                                                (uint64_t)v->merge_ms * 1000};

    if (v->is_json && host_output_is_stdout(v->output))
        return options_refuse("trace",
                              "--output - and --json both go to stdout");
    if (strcmp(call->operands[0], "import") != 0)
        return options_refuse("trace",
                              "\"%s\": what a trace is made by is "
                              "\"import\"",
                              call->operands[0]);
    if (!set_scenes(call, scenes))
        return false;
    call->diag->is_quiet = v->is_quiet;
    import(call, &settings);
    return true;
}

static const char notes[] =
    "Record a game with\n"
    "  strace -f -ttt -y -e trace=openat,read,pread64,lseek,mmap,close,\\\n"
    "  sendfile,copy_file_range,splice,io_uring_setup -o game.strace GAME\n"
    "and pack its data with the trace:\n"
    "  spindle pack DATA -o game.spk --order game.json\n"
    "\n"
    "Each read waits for the previous read of its thread, and starts after\n"
    "the recorded time of thinking; simulate replays this as a closed loop.\n"
    "The first read of a thread starts at its recorded time. A read is\n"
    "omitted if all its bytes were read since the file was opened. A mapped\n"
    "file counts as read when it is mapped. Types (\"task\") are guessed from\n"
    "file names.\n";

const struct verb verb_trace = {
    .name = "trace",
    .operands = "import GAME.strace -o TRACE.json",
    .summary = "convert a recording of strace into a trace of reads",
    .examples = "  spindle trace import game.strace -o game.json --root "
                "/usr/share/games/game\n"
                "  spindle trace import game.strace -o game.json --scene menu "
                "--scene-at 8.5=race\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 2,
    .operand_max = 2,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_trace,
};
