/* cmd_simulate.c - spindle simulate: a load against a drive, in virtual time.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "simulate/game_faults.h"
#include "simulate/sim_inputs.h"
#include "simulate/sim_session.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct sim_options, member)
static const struct option options[] = {
    {.name = "drive",
     .kind = OPTION_TEXT,
     .offset = AT(drive),
     .argument = "NAME|FILE",
     .help = "the drive (default x360_dvd12x); see spindle drives"},
    {.name = "trace",
     .kind = OPTION_TEXTS,
     .offset = AT(traces),
     .argument = "TRACE.json",
     .help = "replay this trace, from the paks of --layout or from the "
             "disc of --generate; may be repeated, each trace is a run "
             "of its own"},
    {.name = "layout",
     .kind = OPTION_TEXTS,
     .offset = AT(layouts),
     .argument = "PAK.spk",
     .help = "a pak with the files of the trace; may be repeated: paks "
             "are mounted in this order"},
    {.name = "compare",
     .kind = OPTION_FLAG,
     .offset = AT(is_compare),
     .help = "compare two paks, given as operands: each trace is run "
             "with either, after the paks of --layout; prints when "
             "scenes are ready"},
    {.name = "disc-layout",
     .kind = OPTION_TEXT,
     .offset = AT(disc_layout),
     .argument = "FILE",
     .help = "file with the positions of paks on the disc, as for play "
             "(default: one after the other)"},
    {.name = "generate",
     .kind = OPTION_CHOICE,
     .offset = AT(generate),
     .argument = "scattered|by-type|by-scene|copies",
     .choices = "scattered by-type by-scene copies",
     .help = "simulate a generated game whose files are placed so on "
             "the disc; with --trace: only its disc"},
    {.name = "open-loop",
     .kind = OPTION_FLAG,
     .offset = AT(is_open_loop),
     .help = "start every read of a trace at its time, even if it waits "
             "for another read"},
    {.name = "load",
     .kind = OPTION_NUMBER,
     .offset = AT(load),
     .argument = "L",
     .low = 0.05,
     .high = 10,
     .help = "load of the generated game; 1: the drive is just busy "
             "with scattered files in order of arrival (default 0.95)"},
    {.name = "seed",
     .kind = OPTION_WHOLE,
     .offset = AT(seed),
     .argument = "N",
     .low = 0,
     .high = SIM_NOT_GIVEN - 1,
     .help = "seed of the generated game, and of --faults (default 1)"},
    {.name = "seconds",
     .kind = OPTION_WHOLE,
     .offset = AT(seconds),
     .argument = "S",
     .low = 1,
     .high = 86400,
     .help = "length of the run (default 120; of a trace: all of it)"},
    {.name = "scheduler",
     .kind = OPTION_CHOICE,
     .offset = AT(scheduler),
     .argument = "all|deadline|key|fifo",
     .choices = "all deadline key fifo",
     .help = "order of reads: the runtime's deadline scheduler or sort key, "
             "or order of arrival for comparison (default all)"},
    {.name = "deadlines",
     .kind = OPTION_CHOICE,
     .offset = AT(deadlines),
     .argument = "class|trace",
     .choices = "class trace",
     .help = "deadlines of reads that state none; class: as in the "
             "runtime (sound 0.4 s, clip 2.5 s, stream and bulk 6 s, "
             "idle none; default); trace: none"},
    {.name = "fail-if-late",
     .kind = OPTION_NUMBER,
     .offset = AT(late_percent_max),
     .argument = "PERCENT",
     .low = 0,
     .high = 100,
     .help = "exit with 1 if more reads than this are late, in the "
             "first order"},
    OPTION_STRICT(AT(is_strict)),
    {.name = "faults",
     .kind = OPTION_WHOLE,
     .offset = AT(fault_count),
     .argument = "N",
     .low = 0,
     .high = GAME_FAULTS_MAX,
     .help = "number of random faults: bad and unreadable sectors, "
             "stalls, open tray, change of disc (default 0)"},
    {.name = "fault",
     .kind = OPTION_TEXTS,
     .offset = AT(faults),
     .argument = "FAULT",
     .help = "inject one fault: " FAULT_SPEC_HELP},
    {.name = "heap",
     .kind = OPTION_WHOLE,
     .offset = AT(heap_mib),
     .argument = "MIB",
     .low = 1,
     .high = 511,
     .help = "size of the heap that is drawn (default 64)"},
    OPTION_OUTPUT(AT(output), "PAGE.html",
                  "draw the run over time, as one self-contained page", NULL,
                  "the report goes there"),
    {.name = "write-trace",
     .kind = OPTION_TEXT,
     .offset = AT(write_trace),
     .argument = "TRACE.json",
     .help = "write the reads of the generated game as a trace, under "
             "the first order",
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

    if (v->traces.count == 0 && !v->generate)
        options_refuse(
            verb->name,
            "nothing to read: give --trace with --layout, or --generate");
    else if (v->traces.count > 0 && !has_paks && !v->generate)
        options_refuse(verb->name, "--trace needs --layout or --generate");
    else if (has_paks && v->generate)
        options_refuse(verb->name,
                       "--layout and --generate exclude each other");
    else if (has_paks && v->traces.count == 0)
        options_refuse(verb->name, "--layout needs --trace");
    else if (v->disc_layout && !has_paks)
        options_refuse(verb->name, "--disc-layout needs --layout");
    else if (v->traces.count > 0 && v->load > 0)
        options_refuse(verb->name,
                       "--load needs a generated game: a --trace has its own");
    else if (v->traces.count > 0 && v->seed != SIM_NOT_GIVEN &&
             v->fault_count == 0)
        options_refuse(verb->name, "--seed with --trace needs --faults");
    else if (v->write_trace && v->traces.count > 0)
        options_refuse(verb->name,
                       "--write-trace needs a generated game, without --trace");
    else
        return true;
    return false;
}

static bool check_options(const struct verb_call *call)
{
    const struct sim_options *v = call->values;
    const char *name = call->verb->name;

    if (!fault_spec_read_all(name, &v->faults, v->fault_specs) ||
        !check_trace_options(call->verb, v))
        return false;
    if (call->operand_count != (v->is_compare ? SIM_LAYOUTS_MAX : 0))
        options_refuse(name,
                       v->is_compare ? "--compare needs two paks: A.spk B.spk"
                                     : "\"%s\": paks are named by --layout, or "
                                       "behind --compare",
                       v->is_compare ? "" : call->operands[0]);
    else if (!v->is_compare && v->layouts.count == 0 && has_named_fault(v))
        options_refuse(name, "--fault with a name needs --layout; on a "
                             "generated disc give offset=BYTE");
    else if (v->output && (v->traces.count > 1 || v->is_compare))
        options_refuse(name, "--output draws one trace on one disc");
    else if (v->output && v->write_trace &&
             strcmp(v->output, v->write_trace) == 0)
        options_refuse(name, "--output and --write-trace name the same file");
    else
        return true;
    return false;
}

static int run_simulate(const struct verb_call *call)
{
    struct sim_options *v = call->values;

    v->fault_specs =
        ARENA_NEW(call->arena, struct fault_spec, OPTION_TEXTS_MAX);
    if (!check_options(call))
        return EXIT_BAD_USAGE;
    v->compared = (const char *const *)call->operands;
    sim_session_run(v, call->arena, call->diag);
    return (int)call->diag->code;
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
