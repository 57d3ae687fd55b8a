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
     .help = "the drive (x360_dvd12x); see spindle drives"},
    {.name = "trace",
     .kind = OPTION_TEXTS,
     .offset = AT(traces),
     .argument = "TRACE.json",
     .help = "what a game has read when; with --layout, or with --generate "
             "as --write-trace wrote it; may be given again, each by itself"},
    {.name = "layout",
     .kind = OPTION_TEXTS,
     .offset = AT(layouts),
     .argument = "PAK.spk",
     .help = "where that lies: a pak, from the disc's first byte on; may be "
             "given again: they are mounted in this order"},
    {.name = "compare",
     .kind = OPTION_FLAG,
     .offset = AT(is_compare),
     .help = "two paks that are named behind the options, in turn behind those "
             "of --layout: when scenes are ready, side by side"},
    {.name = "disc-layout",
     .kind = OPTION_TEXT,
     .offset = AT(disc_layout),
     .argument = "FILE",
     .help = "where paks lie on the disc, as for play (one behind the other)"},
    {.name = "generate",
     .kind = OPTION_CHOICE,
     .offset = AT(generate),
     .argument = "scattered|by-type|by-scene|copies",
     .choices = "scattered by-type by-scene copies",
     .help = "a made up game instead, its files so on the disc; with "
             "--trace that disc alone"},
    {.name = "open-loop",
     .kind = OPTION_FLAG,
     .offset = AT(is_open_loop),
     .help = "each read of a trace starts at its time, also one that waits for "
             "another"},
    {.name = "load",
     .kind = OPTION_NUMBER,
     .offset = AT(load),
     .argument = "L",
     .low = 0.05,
     .high = 10,
     .help = "of a made up game: 1 keeps the drive just busy where files are "
             "scattered and read in order of arrival (0.95)"},
    {.name = "seed",
     .kind = OPTION_WHOLE,
     .offset = AT(seed),
     .argument = "N",
     .low = 0,
     .high = SIM_NOT_GIVEN - 1,
     .help = "of a made up game, and of --faults (1)"},
    {.name = "seconds",
     .kind = OPTION_WHOLE,
     .offset = AT(seconds),
     .argument = "S",
     .low = 1,
     .high = 86400,
     .help =
         "how long; of a trace also less than it has (120; all of a trace)"},
    {.name = "scheduler",
     .kind = OPTION_CHOICE,
     .offset = AT(scheduler),
     .argument = "all|sweep|key|fifo|sstf|c-look|edf",
     .choices = "all sweep key fifo sstf c-look clook edf",
     .help = "the order of reads: the runtime's own two, and others beside "
             "them (all)"},
    {.name = "deadlines",
     .kind = OPTION_CHOICE,
     .offset = AT(deadlines),
     .argument = "class|trace",
     .choices = "class trace",
     .help = "of reads of a trace that name none: as their task's class has "
             "them in the runtime (sound 0.4 s, clip 2.5 s, stream and bulk 6 "
             "s, idle none), or none (class)"},
    {.name = "fail-if-late",
     .kind = OPTION_NUMBER,
     .offset = AT(late_percent_max),
     .argument = "PERCENT",
     .low = 0,
     .high = 100,
     .help = "exit 1 when more reads are late, in the first order"},
    OPTION_STRICT(AT(is_strict)),
    {.name = "faults",
     .kind = OPTION_WHOLE,
     .offset = AT(fault_count),
     .argument = "N",
     .low = 0,
     .high = GAME_FAULTS_MAX,
     .help = "so many faults of the drive: bad and unreadable sectors, stalls, "
             "an open tray, another disc (0)"},
    {.name = "fault",
     .kind = OPTION_TEXTS,
     .offset = AT(faults),
     .argument = "FAULT",
     .help = "one that is told: " FAULT_SPEC_HELP},
    {.name = "heap",
     .kind = OPTION_WHOLE,
     .offset = AT(heap_mib),
     .argument = "MIB",
     .low = 1,
     .high = 511,
     .help = "of the heap that is drawn (64)"},
    OPTION_OUTPUT(
        AT(output), "PAGE.html",
        "draw everything over time, as a page that needs nothing else", NULL,
        "the report goes there"),
    {.name = "write-trace",
     .kind = OPTION_TEXT,
     .offset = AT(write_trace),
     .argument = "TRACE.json",
     .help = "write what the made up game asked for, under the first order",
     .no_stdout = "the report goes there"},
    OPTION_JSON(AT(is_json), "the numbers as one JSON object"),
};

static bool has_name(const struct sim_options *v)
{
    for (uint32_t i = 0; i < v->faults.count; i++)
        if (v->fault_specs[i].name)
            return true;
    return false;
}

static bool fits_trace(const struct verb *verb, const struct sim_options *v)
{
    bool has_paks = v->layouts.count > 0 || v->is_compare;

    if (v->traces.count == 0 && !v->generate)
        options_refuse(verb->name,
                       "what is read? --trace with --layout, or --generate");
    else if (v->traces.count > 0 && !has_paks && !v->generate)
        options_refuse(verb->name, "--trace of files that lie where? --layout");
    else if (has_paks && v->generate)
        options_refuse(verb->name, "--layout or --generate, not both");
    else if (has_paks && v->traces.count == 0)
        options_refuse(verb->name, "--layout of which --trace?");
    else if (v->disc_layout && !has_paks)
        options_refuse(verb->name, "--disc-layout of which --layout?");
    else if (v->traces.count > 0 && v->load > 0)
        options_refuse(verb->name, "--load is of a made up game: a --trace has "
                                   "its own");
    else if (v->traces.count > 0 && v->seed != SIM_NOT_GIVEN &&
             v->fault_count == 0)
        options_refuse(verb->name, "--seed of a --trace is that of --faults");
    else if (v->write_trace && v->traces.count > 0)
        options_refuse(verb->name, "--write-trace of a made up game alone");
    else
        return true;
    return false;
}

static bool fits(const struct verb_call *call)
{
    const struct sim_options *v = call->values;
    const char *name = call->verb->name;

    if (!fault_spec_read_all(name, &v->faults, v->fault_specs) ||
        !fits_trace(call->verb, v))
        return false;
    if (call->operand_count != (v->is_compare ? SIM_LAYOUTS_MAX : 0))
        options_refuse(name,
                       v->is_compare
                           ? "--compare of which two paks? A.spk B.spk"
                           : "\"%s\": paks are named by --layout, or "
                             "behind --compare",
                       v->is_compare ? "" : call->operands[0]);
    else if (!v->is_compare && v->layouts.count == 0 && has_name(v))
        options_refuse(name, "--fault of a file needs --layout; on a made up "
                             "disc it is at an offset=BYTE");
    else if (v->output && (v->traces.count > 1 || v->is_compare))
        options_refuse(name, "--output is a page of one trace on one disc");
    else if (v->output && v->write_trace &&
             strcmp(v->output, v->write_trace) == 0)
        options_refuse(name, "--output and --write-trace are one file");
    else
        return true;
    return false;
}

static int run_simulate(const struct verb_call *call)
{
    struct sim_options *v = call->values;

    v->fault_specs =
        ARENA_NEW(call->arena, struct fault_spec, OPTION_TEXTS_MAX);
    if (!fits(call))
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
    "Every read goes through the runtime's own paks, table, pieces, "
    "decompression and\n"
    "drive, on a virtual clock, on which jobs, as of decompression, take no "
    "time. A pak\n"
    "is mounted before the first read. A trace takes nothing back when its "
    "scene ends; its\n"
    "paths may be longer than the pak's names, or their ends, from a / on; "
    "types of the\n"
    "game's own, which are numbers, are bulk.\n"
    "Each byte that is delivered is compared with the pak's, or with what is "
    "made up for\n"
    "its place; every read ends exactly once. The same options give the same "
    "numbers on\n"
    "every machine.\n"
    "\n" FAULT_SPEC_BEGIN "the game's\nbeginning" FAULT_SPEC_NOTES
    "late %    of all reads: those that missed their deadline, as all do that "
    "have one and\n"
    "          failed or were never answered\n"
    "reads     that ended well; fails: with an error of the drive\n"
    "busy %    of the time, in which the drive worked on reads: not while it "
    "stalls, or its\n"
    "          tray is open\n"
    "MB/s      off the disc for reads, as they are stored; bound: if the drive "
    "did\n"
    "          nothing but transfer\n"
    "xfer %    of the busy time that is transfer\n"
    "longest   wait of any read that was not taken back: until its end, until "
    "it failed, or\n"
    "          until the run was over; how many still waited then is said "
    "below\n";

const struct verb verb_simulate = {
    .name = "simulate",
    .operands = "[--compare A.spk B.spk]",
    .summary = "read a game's load from a drive in virtual time, and measure",
    .examples =
        "  spindle simulate --generate scattered --load 0.95\n"
        "  spindle simulate --generate copies --scheduler sweep -o page.html\n"
        "  spindle simulate --drive wii_dvd6x --trace play.json --layout "
        "data.spk\n"
        "  spindle simulate --trace play.json --compare old.spk new.spk\n"
        "  spindle simulate --trace play.json --layout data.spk --strict "
        "--fail-if-late 1\n"
        "  spindle simulate --generate by-scene --scheduler sweep "
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
