/* cmd_compile.c - the verb `compile`: compile an archive to a cache. */
/* SPDX-License-Identifier: MIT */
#include "cli/animation_file.h"
#include "cli/compile_progress.h"
#include "cli/compile_summary.h"
#include "cli/verbs.h"
#include "common/system.h"
#include "compile/compile.h"
#include "compile/encode/classic/search.h"
#include "compress/compress.h"
#include "host/host.h"

#include <stddef.h>
#include <string.h>

struct values {
    struct compile_options compile; /* unit_metres, lifted_distance, jobs 0:
                                     * not given */
    const char *codec;
    const char *layout;
    const char *vertex_order;
    const char *up;
    const char *uv_sets;
    bool is_quiet;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(compile.output), "FILE",
                  "the cache to write; it appears complete or not at all",
                  "an output: -o OUT.sgc", "a cache is not written in order"),
    OPTION_NUMBER("precision", 'p', AT(compile.precision_mm), "MM", 0, 1e9,
                  "step of quantized positions in mm; 0: 16 bits on each "
                  "axis (default 1)"),
    OPTION_NUMBER("velocity-precision", 0, AT(compile.velocity_precision_mm),
                  "MM", 0, 1e12,
                  "step of quantized velocities in mm/s; 0: 16 bits on each "
                  "axis (default 24 times --precision)"),
    OPTION_NUMBER("unit-scale", 0, AT(compile.unit_metres), "M", 1e-9, 1e9,
                  "metres per unit of the archive, for --precision (default "
                  "1; Maya: 0.01)"),
    OPTION_WHOLE("index-distance", 0, AT(compile.lifted_distance), "N", 1, 255,
                 "frames from one index frame to the next (default: 8 or "
                 "16, the smaller file; 10 with the classic codecs)"),
    OPTION_FLAG("no-b-frames", 0, AT(compile.no_b_frames),
                "make every frame an index frame"),
    OPTION_TEXT(
        "codec", 0, AT(codec), "NAME",
        "codec: spindle (default), or the classic prediction with blocks "
        "compressed by store, lz4hc, deflate or zstd; an index "
        "distance that is not a power of two selects lz4hc"),
    OPTION_FLAG("fast-decode", 0, AT(compile.is_fast),
                "with --codec spindle: omit tangents by geometry, which "
                "save bytes and cost decode time"),
    OPTION_CHOICE("layout", AT(layout), "auto|interleaved|planes",
                  "auto interleaved planes",
                  "layout of residuals in a block; auto (default) takes the "
                  "smaller"),
    OPTION_CHOICE("vertex-order", AT(vertex_order), "first-use|layers",
                  "first-use layers",
                  "with --codec spindle: number vertices by first use "
                  "(default, best for the vertex fetch of GPUs) or in decode "
                  "order (faster to fill)"),
    OPTION_CHOICE("up", AT(up), "y|z", "y z",
                  "rotate the scene so that this axis points up"),
    OPTION_TEXT("uv-sets", 0, AT(uv_sets), "1|2|NAME",
                "keep a second set of texture coordinates; 2: the first "
                "other set by name; NAME: that set (default 1: none)"),
    OPTION_FLAG("velocities", 0, AT(compile.keeps_velocities),
                "keep the velocities of points (.velocities)"),
    OPTION_TEXT("colors", 0, AT(compile.color_set), "NAME",
                "colour parameter to keep (default: the first by name of "
                "each mesh)"),
    OPTION_FLAG("flip-v", 0, AT(compile.flip_v), "replace v by 1 - v"),
    OPTION_FLAG("allow-empty", 0, AT(compile.allows_empty),
                "compile a scene without meshes: the cache has transforms "
                "only"),
    OPTION_FLAG("play-from-memory", 0, AT(compile.plays_from_memory),
                "mark the cache: the runtime decodes all frames once and "
                "keeps them while its heap has room; small caches are kept "
                "without a mark"),
    OPTION_JOBS(AT(compile.jobs)),
    OPTION_STRICT(AT(compile.is_strict)),
    OPTION_QUIET(AT(is_quiet), "print no report, progress or warnings"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

/* unit_metres 0: not given. */
static const struct values defaults = {
    .compile = {.precision_mm = 1, .velocity_precision_mm = -1}};

static uint32_t orders_of(const char *layout)
{
    if (layout && strcmp(layout, "interleaved") == 0)
        return ORDER_BIT(ORDER_INTERLEAVED);
    if (layout && strcmp(layout, "planes") == 0)
        return ORDER_BIT(ORDER_PLANES);
    return ORDERS_ALL;
}

/* The value of --uv-sets as compile_options.second_uv_set. */
static const char *second_set(const char *uv_sets)
{
    if (!uv_sets || strcmp(uv_sets, "1") == 0)
        return NULL;
    return strcmp(uv_sets, "2") == 0 ? "" : uv_sets;
}

static bool is_power_of_two(uint32_t x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* The name of the codec. By default spindle, if the index distance allows it.
 */
static const char *find_codec(const struct values *values)
{
    if (values->codec)
        return values->codec;
    return values->compile.lifted_distance == 0 ||
                   is_power_of_two(values->compile.lifted_distance)
               ? "spindle"
               : "lz4hc";
}

/* Set what other values determine, without the codec. */
static void complete(const struct verb_call *call)
{
    struct values *values = call->values;
    struct compile_options *o = &values->compile;

    o->input = call->operands[0];
    o->is_unit_given = o->unit_metres > 0;
    if (!o->is_unit_given)
        o->unit_metres = 1;
    o->is_layered =
        values->vertex_order && strcmp(values->vertex_order, "layers") == 0;
    o->orders = orders_of(values->layout);
    if (o->jobs == 0)
        o->jobs = system_cpu_count();
    o->second_uv_set = second_set(values->uv_sets);
    o->up = (char)(!values->up ? 0 : values->up[0] == 'y' ? 'Y' : 'Z');
    o->index_distance = o->lifted_distance ? o->lifted_distance : 10;
}

/* Set the codec. Returns false after options_refuse. */
static bool set_codec(const char *verb, struct values *values)
{
    struct compile_options *settings = &values->compile;
    const char *codec = find_codec(values);
    const struct compressor *compressor;

    settings->is_lifted = strcmp(codec, "spindle") == 0;
    compressor = compressor_named(settings->is_lifted ? "lz4hc" : codec);
    if (!compressor)
        return options_refuse(verb, "codec \"%s\" is not built in", codec);
    settings->codec = compressor->id;
    if (settings->is_lifted && settings->lifted_distance != 0 &&
        !is_power_of_two(settings->lifted_distance))
        return options_refuse(verb,
                              "--index-distance %u: --codec spindle wants a "
                              "power of two",
                              (unsigned)settings->lifted_distance);
    if (!settings->is_lifted && (settings->is_fast || values->vertex_order))
        return options_refuse(
            verb, "%s is for --codec spindle, and this is %s",
            settings->is_fast ? "--fast-decode" : "--vertex-order", codec);
    return true;
}

static bool run_compile(const struct verb_call *call)
{
    struct values *values = call->values;
    struct compile_options *settings = &values->compile;
    struct diag *diag = call->diag;
    struct compile_progress progress;
    struct compile_stats stats;
    struct compile_report report;
    bool shows_progress;
    bool is_done;

    complete(call);
    if (!set_codec(call->verb->name, values))
        return false;
    if (settings->velocity_precision_mm >= 0 && !settings->keeps_velocities)
        return options_refuse(call->verb->name,
                              "--velocity-precision needs --velocities");
    if (!animation_file_refuse(settings->input, "compile", diag))
        return true;
    diag->is_quiet = values->is_quiet;
    shows_progress =
        !values->is_quiet && !values->is_json && system_is_terminal(2);
    memset(&report, 0, sizeof report);
    compile_stats_init(&stats);
    /* Statistics take time: collect them only for a report. */
    if (values->is_json || !values->is_quiet)
        settings->stats = &stats;
    compile_progress_begin(&progress);
    is_done = compile_run(settings, diag,
                          shows_progress ? compile_progress_show : NULL,
                          &progress, &report);
    if (is_done) {
        const struct compile_summary summary = {
            .options = settings,
            .report = &report,
            .stats = &stats,
            .warning_count = diag->warning_count,
            .is_by_distance = !values->codec && !settings->is_lifted};

        compile_progress_clear(&progress);
        if (values->is_json)
            compile_summary_json(&summary, diag);
        else if (!values->is_quiet)
            compile_summary_text(&summary);
    }
    compile_stats_free(&stats);
    return true;
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
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_compile,
};
