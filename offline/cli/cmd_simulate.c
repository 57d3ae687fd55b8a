/* cmd_simulate.c - the verb `simulate`: run a load against a drive in virtual
 * time. */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "simulate/game_faults.h"
#include "simulate/sim_inputs.h"
#include "simulate/sim_session.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct sim_options, member)
static const struct option options[] = {
    OPTION_TEXT("drive", 0, AT(drive), "NAME|FILE",
                "the drive (default x360_dvd12x); see spindle drives"),
    OPTION_TEXTS("trace", AT(traces), "TRACE.json",
                 "replay this trace, from the paks of --layout or from the "
                 "disc of --generate; may be repeated, each trace is a run "
                 "of its own"),
    OPTION_TEXTS("layout", AT(layouts), "PAK.spk",
                 "a pak with the files of the trace; may be repeated: paks "
                 "are mounted in this order"),
    OPTION_TEXT("clips", 0, AT(clips), "SCRIPT.txt",
                "play animation clips and caches of the paks of --layout as "
                "this script says; spindle-simulate(1) describes it"),
    OPTION_FLAG("compare", 0, AT(is_compare),
                "compare two paks, given as operands: each trace, or the "
                "script, is run with either, after the paks of --layout; "
                "prints when scenes are ready"),
    OPTION_TEXT("disc-layout", 0, AT(disc_layout), "FILE",
                "file with the positions of paks on the disc, as for play "
                "(default: one after the other)"),
    OPTION_CHOICE("generate", AT(generate), "scattered|by-type|by-scene|copies",
                  "scattered by-type by-scene copies",
                  "simulate a generated game whose files are placed so on "
                  "the disc; with --trace: only its disc"),
    OPTION_FLAG("open-loop", 0, AT(is_open_loop),
                "start every read of a trace at its time, even if it waits "
                "for another read"),
    OPTION_NUMBER("load", 0, AT(load), "L", 0.05, 10,
                  "load of the generated game; 1: the drive is just busy "
                  "with scattered files in order of arrival (default 0.95)"),
    OPTION_WHOLE("seed", 0, AT(seed), "N", 0, SIM_NOT_GIVEN - 1,
                 "seed of the generated game, and of --faults (default 1)"),
    OPTION_WHOLE("seconds", 0, AT(seconds), "S", 1, 86400,
                 "length of the run (default 120; of a trace: all of it)"),
    OPTION_CHOICE(
        "scheduler", AT(scheduler), "all|deadline|key|fifo",
        "all deadline key fifo",
        "order of reads: the runtime's deadline scheduler or sort key, "
        "or order of arrival for comparison (default all)"),
    OPTION_CHOICE("deadlines", AT(deadlines), "class|trace", "class trace",
                  "deadlines of reads that state none; class: as in the "
                  "runtime (sound 0.4 s, clip 2.5 s, stream and bulk 6 s, "
                  "idle none; default); trace: none"),
    OPTION_NUMBER("fail-if-late", 0, AT(late_percent_max), "PERCENT", 0, 100,
                  "exit with 1 if more reads than this are late, in the "
                  "first order"),
    OPTION_STRICT(AT(is_strict)),
    OPTION_WHOLE("faults", 0, AT(fault_count), "N", 0, GAME_FAULTS_MAX,
                 "number of random faults: bad and unreadable sectors, "
                 "stalls, open tray, change of disc (default 0)"),
    OPTION_TEXTS("fault", AT(faults), "FAULT",
                 "inject one fault: " FAULT_SPEC_HELP),
    OPTION_WHOLE("heap", 0, AT(heap_mib), "MIB", 1, 511,
                 "size of the runtime's heap, which is drawn (default 64)"),
    OPTION_OUTPUT(AT(output), "PAGE.html",
                  "draw the run over time, as one self-contained page", NULL,
                  "the report goes there"),
    {.name = "write-trace",
     .kind = OPTION_KIND_TEXT,
     .offset = AT(write_trace),
     .argument = "TRACE.json",
     .help = "write the reads of the generated game, or all reads with "
             "--clips, as a trace, under the first order",
     .no_stdout = "the report goes there"},
    OPTION_JSON(AT(is_json), "print the numbers as one JSON object"),
};

static bool has_named_fault(const struct sim_options *v)
{
    for (uint32_t i = 0; i < v->faults.count; i++)
        if (v->fault_specs[i].name)
            return true;
    return false;
}

static bool check_trace_options(const struct verb *verb,
                                const struct sim_options *v)
{
    bool has_paks = v->layouts.count > 0 || v->is_compare;

    if (v->traces.count == 0 && !v->generate && !v->clips)
        return options_refuse(verb->name,
                              "nothing to read: give --trace or --clips with "
                              "--layout, or --generate");
    if (v->clips && !has_paks)
        return options_refuse(verb->name,
                              "--clips needs --layout or --compare");
    if (v->traces.count > 0 && !has_paks && !v->generate)
        return options_refuse(verb->name,
                              "--trace needs --layout or --generate");
    if (has_paks && v->generate)
        return options_refuse(verb->name,
                              "--layout and --generate exclude each other");
    if (has_paks && v->traces.count == 0 && !v->clips)
        return options_refuse(verb->name, "--layout needs --trace or --clips");
    if (v->disc_layout && !has_paks)
        return options_refuse(verb->name, "--disc-layout needs --layout");
    if (v->traces.count > 0 && v->load > 0)
        return options_refuse(
            verb->name, "--load needs a generated game: a --trace has its own");
    if (v->traces.count > 0 && v->seed != SIM_NOT_GIVEN && v->fault_count == 0)
        return options_refuse(verb->name, "--seed with --trace needs --faults");
    if (v->write_trace && v->traces.count > 0 && !v->clips)
        return options_refuse(verb->name,
                              "--write-trace needs --clips, or a generated "
                              "game without --trace");
    if (v->write_trace && (v->traces.count > 1 || v->is_compare))
        return options_refuse(verb->name,
                              "--write-trace records one trace on one disc");
    if (v->clips && v->load > 0)
        return options_refuse(verb->name, "--load needs a generated game");
    if (v->clips && v->seed != SIM_NOT_GIVEN && v->fault_count == 0)
        return options_refuse(verb->name, "--seed with --clips needs --faults");
    return true;
}

static bool check_options(const struct verb_call *call)
{
    const struct sim_options *v = call->values;
    const char *name = call->verb->name;

    if (!fault_spec_read_all(name, &v->faults, v->fault_specs) ||
        !check_trace_options(call->verb, v))
        return false;
    if (call->operand_count != (v->is_compare ? SIM_LAYOUTS_MAX : 0))
        return options_refuse(name,
                              v->is_compare
                                  ? "--compare needs two paks: A.spk B.spk"
                                  : "\"%s\": paks are named by --layout, or "
                                    "behind --compare",
                              v->is_compare ? "" : call->operands[0]);
    if (!v->is_compare && v->layouts.count == 0 && has_named_fault(v))
        return options_refuse(name, "--fault with a name needs --layout; on a "
                                    "generated disc give offset=BYTE");
    if (v->output && (v->traces.count > 1 || v->is_compare))
        return options_refuse(name, "--output draws one trace on one disc");
    if (v->output && v->write_trace && strcmp(v->output, v->write_trace) == 0)
        return options_refuse(name,
                              "--output and --write-trace name the same file");
    return true;
}

static bool run_simulate(const struct verb_call *call)
{
    struct sim_options *v = call->values;

    v->fault_specs =
        ARENA_NEW(call->arena, struct fault_spec, OPTION_TEXTS_MAX);
    if (!check_options(call))
        return false;
    v->compared = (const char *const *)call->operands;
    v->compared_count = call->operand_count;
    sim_session_run(v, call->arena, call->diag);
    return true;
}

static const struct sim_options defaults = {.drive = "x360_dvd12x",
                                            .seed = SIM_NOT_GIVEN,
                                            .late_percent_max = SIM_NO_LIMIT,
                                            .deadlines = "class",
                                            .heap_mib = 64};

static const char notes[] =
    "Every read passes through the runtime's own paks, request table,\n"
    "pieces, decompression and drive, on a virtual clock. Jobs, such as\n"
    "decompression, take no virtual time. Paks are mounted before the first\n"
    "read. Nothing is freed when a scene of a trace ends. Paths of a trace\n"
    "may be longer than names in the pak, or their ends, at a / boundary.\n"
    "Task types of the game's own, which are numbers, have class bulk.\n"
    "Every byte delivered is compared with the pak, or with the generated\n"
    "content; every read ends exactly once. The same options give the same\n"
    "numbers on every machine.\n"
    "\n" FAULT_SPEC_BEGIN "the game's\nbeginning" FAULT_SPEC_NOTES
    "late %    of all reads: those that missed their deadline; a read with\n"
    "          a deadline that failed or was never answered is late\n"
    "reads     that succeeded; fails: that failed with an error of the\n"
    "          drive\n"
    "busy %    of the time, in which the drive worked on reads; stalls and\n"
    "          an open tray do not count\n"
    "MB/s      stored bytes read from the disc; bound: the rate of pure\n"
    "          transfer\n"
    "xfer %    of the busy time that is transfer\n"
    "longest   longest wait of a read that was not cancelled, until its\n"
    "          end, its failure or the end of the run; the number of reads\n"
    "          that still waited then is printed below\n";

const struct verb verb_simulate = {
    .name = "simulate",
    .operands = "[--compare A.spk B.spk]",
    .summary = "simulate the reads of a game on a drive in virtual time",
    .examples =
        "  spindle simulate --generate scattered --load 0.95\n"
        "  spindle simulate --generate copies --scheduler deadline -o "
        "page.html\n"
        "  spindle simulate --drive wii_dvd6x --trace play.json --layout "
        "data.spk\n"
        "  spindle simulate --trace play.json --compare old.spk new.spk\n"
        "  spindle simulate --trace play.json --layout data.spk --strict "
        "--fail-if-late 1\n"
        "  spindle simulate --clips walk.txt --layout data.spk\n"
        "  spindle simulate --generate by-scene --scheduler deadline "
        "--write-trace made.json\n"
        "  spindle simulate --generate copies --trace made.json\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 0,
    .operand_max = SIM_LAYOUTS_MAX,
    .defaults = &defaults,
    .values_bytes = sizeof(struct sim_options),
    .run = run_simulate,
};
