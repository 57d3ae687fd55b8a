/* cmd_compile.c - spindle compile: archive in, cache out. */
/* SPDX-License-Identifier: MIT */
#include "common/host.h"
#include "compile/compile.h"
#include "compile/compress.h"
#include "report.h"
#include "verbs.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct values {
    const char *output;
    double precision_mm;
    double unit_metres;
    uint32_t index_distance;
    uint32_t jobs;
    const char *codec;
    const char *up;
    bool no_b_frames;
    bool is_strict;
    bool is_quiet;
    bool is_json;
    bool flip_v;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = AT(output),
     .argument = "FILE",
     .help = "the cache to write; appears whole or not at all"},
    {.name = "precision",
     .letter = 'p',
     .kind = OPTION_NUMBER,
     .offset = AT(precision_mm),
     .argument = "MM",
     .help = "step of positions; 0: 16 bits on every axis (default 1)",
     .low = 0,
     .high = 1e9},
    {.name = "unit-scale",
     .kind = OPTION_NUMBER,
     .offset = AT(unit_metres),
     .argument = "M",
     .help = "metres of one unit, for the precision (default 1)",
     .low = 1e-9,
     .high = 1e9},
    {.name = "index-distance",
     .kind = OPTION_WHOLE,
     .offset = AT(index_distance),
     .argument = "N",
     .help = "frames from one index frame to the next (default 10)",
     .low = 1,
     .high = 255},
    {.name = "no-b-frames",
     .kind = OPTION_FLAG,
     .offset = AT(no_b_frames),
     .help = "every frame is an index frame"},
    {.name = "codec",
     .kind = OPTION_TEXT,
     .offset = AT(codec),
     .argument = "NAME",
     .help = "block compression: store, lz4hc, deflate, zstd (default lz4hc)"},
    {.name = "up",
     .kind = OPTION_CHOICE,
     .offset = AT(up),
     .argument = "y|z",
     .help = "turn the scene so that this axis is up",
     .choices = "y z"},
    {.name = "flip-v",
     .kind = OPTION_FLAG,
     .offset = AT(flip_v),
     .help = "v becomes 1 - v"},
    {.name = "jobs",
     .letter = 'j',
     .kind = OPTION_WHOLE,
     .offset = AT(jobs),
     .argument = "N",
     .help = "threads; the same bytes for any N (default: cores)",
     .low = 1,
     .high = 256},
    {.name = "strict",
     .kind = OPTION_FLAG,
     .offset = AT(is_strict),
     .help = "what would be a warning is a refusal"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = AT(is_quiet),
     .help = "no report, no progress, no warnings"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = AT(is_json),
     .help = "the report as one JSON object"},
};

struct progress {
    int percent; /* printed last; -1: nothing yet */
};

static void show_progress(void *user, double done)
{
    struct progress *progress = user;
    int percent = (int)(done * 100);

    if (percent == progress->percent)
        return;
    progress->percent = percent;
    fprintf(stderr, "\rcompiling %3d %%", percent);
    fflush(stderr);
}

static void clear_progress(const struct progress *progress)
{
    if (progress->percent >= 0)
        fputs("\r               \r", stderr);
}

/* At the clip's own rate. 0 when there is one frame. */
static double bytes_per_second(const struct compile_report *report)
{
    if (report->duration_s <= 0 || report->frame_count < 2)
        return 0;
    return (double)report->frames_bytes / report->frame_count *
           (report->frame_count - 1) / report->duration_s;
}

static void print_words(const struct compile_options *run,
                        const struct compile_report *r, uint32_t warnings)
{
    double rate = bytes_per_second(r);
    char size[4][16];

    printf("%s\n", run->output);
    printf("  frames            %u\n", r->frame_count);
    printf("  meshes            %u in %u nodes\n", r->mesh_count,
           r->node_count);
    printf("  vertices          %llu\n", (unsigned long long)r->vertex_count);
    printf("  triangles         %llu\n", (unsigned long long)r->triangle_count);
    printf("  bytes             %s -> %s (%.1f %%)\n",
           report_bytes((double)r->input_bytes, size[0]),
           report_bytes((double)r->output_bytes, size[1]),
           100.0 * (double)r->output_bytes / (double)r->input_bytes);
    printf("  bytes per frame   %.0f (%llu quantized)\n",
           (double)r->frames_bytes / r->frame_count,
           (unsigned long long)r->quantized_bytes_per_frame);
    printf("  static bytes      %llu\n", (unsigned long long)r->static_bytes);
    if (rate > 0)
        printf("  while it plays    %.2f MB/s\n", rate / 1e6);
    printf("  seconds           %.2f\n", r->seconds);
    if (warnings > 0)
        printf("  warnings          %u\n", warnings);
}

static bool print_json(const struct compile_options *run,
                       const struct compile_report *r, struct diag *diag)
{
    cJSON *json = report_begin("compile");

    report_text(json, "input", run->input);
    report_text(json, "output", run->output);
    report_number(json, "frames", r->frame_count);
    report_number(json, "meshes", r->mesh_count);
    report_number(json, "nodes", r->node_count);
    report_number(json, "vertices", (double)r->vertex_count);
    report_number(json, "triangles", (double)r->triangle_count);
    report_number(json, "input_bytes", (double)r->input_bytes);
    report_number(json, "output_bytes", (double)r->output_bytes);
    report_number(json, "static_bytes", (double)r->static_bytes);
    report_number(json, "frames_bytes", (double)r->frames_bytes);
    report_number(json, "frame_bytes_mean",
                  (double)r->frames_bytes / r->frame_count);
    report_number(json, "quantized_bytes_per_frame",
                  (double)r->quantized_bytes_per_frame);
    report_number(json, "bytes_per_second", bytes_per_second(r));
    report_number(json, "warnings", diag->warning_count);
    report_number(json, "seconds", r->seconds);
    return report_end(json, diag);
}

static int compile(const struct values *values, const char *input)
{
    const struct compressor *compressor;
    struct compile_options wish;
    struct compile_report report;
    struct progress progress = {-1};
    struct diag diag;
    bool shows_progress;
    int code;

    compile_options_default(&wish);
    wish.input = input;
    wish.output = values->output;
    wish.precision_mm = values->precision_mm;
    wish.unit_metres = values->unit_metres;
    wish.index_distance = values->index_distance;
    wish.no_b_frames = values->no_b_frames;
    wish.jobs = values->jobs ? values->jobs : host_cpu_count();
    wish.flip_v = values->flip_v;
    wish.up = (char)(!values->up ? 0 : values->up[0] == 'y' ? 'Y' : 'Z');
    wish.is_strict = values->is_strict;
    compressor = compressor_named(values->codec);
    if (!compressor)
        return options_refuse("compile", "codec \"%s\" is not built in",
                              values->codec);
    wish.codec = compressor->id;

    diag_init(&diag);
    diag.is_quiet = values->is_quiet;
    shows_progress =
        !values->is_quiet && !values->is_json && host_is_terminal(2);
    memset(&report, 0, sizeof report);
    if (compile_run(&wish, &diag, shows_progress ? show_progress : NULL,
                    &progress, &report)) {
        clear_progress(&progress);
        if (values->is_json)
            print_json(&wish, &report, &diag);
        else if (!values->is_quiet)
            print_words(&wish, &report, diag.warning_count);
    }
    code = (int)diag.code;
    diag_finish(&diag);
    return code;
}

static int run_compile(const struct verb *verb, int argc, char **argv)
{
    struct values values = {.precision_mm = 1,
                            .unit_metres = 1,
                            .index_distance = 10,
                            .codec = "lz4hc"};
    uint32_t count;

    switch (options_parse(verb, argc, argv, &values, &count)) {
    case OPTIONS_HELPED:
        return EXIT_DONE;
    case OPTIONS_REFUSED:
        return EXIT_BAD_USAGE;
    case OPTIONS_READY:
        break;
    }
    if (!values.output)
        return options_refuse(verb->name, "needs an output: -o OUT.sgc");
    return compile(&values, argv[0]);
}

const struct verb verb_compile = {
    .name = "compile",
    .operands = "IN.abc -o OUT.sgc",
    .summary = "compile an Alembic archive to a cache",
    .examples = "  spindle compile sail.abc -o sail.sgc\n"
                "  spindle compile sail.abc -o sail.sgc --precision 0.5\n"
                "  spindle compile sail.abc -o sail.sgc --json\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 1,
    .run = run_compile,
};
