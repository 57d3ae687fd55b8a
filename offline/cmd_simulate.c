/* cmd_simulate.c - spindle simulate: a load against a drive, in virtual time.
 */
/* SPDX-License-Identifier: MIT */
#include "common/host.h"
#include "drives/drive_file.h"
#include "drives/fault_spec.h"
#include "io/drive.h"
#include "simulate/game_faults.h"
#include "simulate/sim_page.h"
#include "simulate/sim_report.h"
#include "verbs.h"

#include <stddef.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)
/* Of what has a default that is told by itself. */
#define NOT_GIVEN UINT32_MAX

struct values {
    const char *drive;
    const char *trace;
    const char *layout;
    const char *generate;
    const char *scheduler;
    const char *output;
    const char *write_trace;
    double load;      /* 0: not given */
    uint32_t seed;    /* or NOT_GIVEN */
    uint32_t seconds; /* 0: not given */
    uint32_t fault_count;
    uint32_t heap_mib;
    struct option_texts faults;
    bool is_open_loop;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    {.name = "drive",
     .kind = OPTION_TEXT,
     .offset = AT(drive),
     .argument = "NAME|FILE",
     .help = "the drive (x360_dvd12x); see spindle drives"},
    {.name = "trace",
     .kind = OPTION_TEXT,
     .offset = AT(trace),
     .argument = "TRACE.json",
     .help = "what a game has read when; with --layout, or with --generate "
             "as --write-trace wrote it"},
    {.name = "layout",
     .kind = OPTION_TEXT,
     .offset = AT(layout),
     .argument = "PAK.spk",
     .help = "where that lies: a pak, from the disc's first byte on"},
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
     .high = NOT_GIVEN - 1,
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

/* What the run is made of, and must outlive it. */
struct inputs {
    spn_drive_profile drive;
    struct arena *arena;
    struct read_trace trace;
    struct pak_reader pak;
    struct load_pak load_pak;
    bool is_pak_open;
    struct fault_spec faults[OPTION_TEXTS_MAX]; /* as many as were told */
};

/* A name may have the pak's own before it, as play has it. */
static bool place_in_pak(const struct inputs *in, struct fault_spec spec,
                         const char *const *names, spn_emulator_fault *out,
                         struct diag *diag)
{
    size_t bytes = strlen(in->pak.path);
    const char *name;

    if (strncmp(spec.name, in->pak.path, bytes) == 0 && spec.name[bytes] == ':')
        spec.name += bytes + 1;
    name =
        fault_spec_choose(&spec, names, in->pak.index.header.entry_count, diag);
    return name && fault_spec_in_pak(&spec, name, &in->pak, out, diag);
}

/* The pak lies on the disc from its first byte on. */
static bool place_faults(const struct values *v, const struct inputs *in,
                         spn_emulator_fault *out, struct diag *diag)
{
    uint32_t count = in->is_pak_open ? in->pak.index.header.entry_count : 0;
    const char **names = ARENA_NEW(in->arena, const char *, count);

    for (uint32_t i = 0; i < count; i++)
        names[i] = spn__pak_entry(&in->pak.index, i).name;
    for (uint32_t i = 0; i < v->faults.count; i++) {
        const struct fault_spec *spec = &in->faults[i];

        out[i] = spec->fault;
        if (spec->name ? !place_in_pak(in, *spec, names, &out[i], diag)
                       : !fault_spec_judge(
                             spec, spn__drive_disc_bytes(&in->drive), diag))
            return false;
    }
    return true;
}

static bool has_name(const struct values *v, const struct inputs *in)
{
    for (uint32_t i = 0; i < v->faults.count; i++)
        if (in->faults[i].name)
            return true;
    return false;
}

static bool fits(const struct verb *verb, const struct values *v,
                 struct inputs *in)
{
    if (!fault_spec_read_all(verb->name, &v->faults, in->faults))
        return false;
    if (!v->trace && !v->generate)
        options_refuse(verb->name,
                       "what is read? --trace with --layout, or --generate");
    else if (v->trace && !v->layout && !v->generate)
        options_refuse(verb->name, "--trace of files that lie where? --layout");
    else if (v->layout && v->generate)
        options_refuse(verb->name, "--layout or --generate, not both");
    else if (v->layout && !v->trace)
        options_refuse(verb->name, "--layout of which --trace?");
    else if (!v->layout && has_name(v, in))
        options_refuse(verb->name,
                       "--fault of a file needs --layout; on a made up disc it "
                       "is at an offset=BYTE");
    else if (v->output && v->write_trace &&
             strcmp(v->output, v->write_trace) == 0)
        options_refuse(verb->name, "--output and --write-trace are one file");
    else if (v->trace && v->load > 0)
        options_refuse(verb->name, "--load is of a made up game: a --trace has "
                                   "its own");
    else if (v->trace && v->seed != NOT_GIVEN && v->fault_count == 0)
        options_refuse(verb->name, "--seed of a --trace is that of --faults");
    else if (v->write_trace && v->trace)
        options_refuse(verb->name, "--write-trace of a made up game alone");
    else
        return true;
    return false;
}

static bool open_inputs(const struct values *v, struct inputs *in,
                        struct diag *diag)
{
    const char *const files[] = {v->trace, v->layout, v->drive};

    for (uint32_t i = 0; i < 3; i++)
        if (files[i] &&
            ((v->output && !host_output_differs(v->output, files[i], diag)) ||
             (v->write_trace &&
              !host_output_differs(v->write_trace, files[i], diag))))
            return false;
    if (!drive_file_choose(v->drive, &in->drive, diag))
        return false;
    if (!v->trace)
        return true;
    if (!read_trace_load(v->trace, in->arena, &in->trace, diag))
        return false;
    if (in->trace.read_count == 0)
        return diag_refuse(diag, v->trace, DIAG_NO_OFFSET, NULL, "no reads");
    if (!v->layout)
        return true;
    in->is_pak_open = pak_reader_open(&in->pak, v->layout, diag);
    in->load_pak.reader = &in->pak;
    return in->is_pak_open;
}

static void close_inputs(struct inputs *in)
{
    if (in->is_pak_open)
        pak_reader_close(&in->pak);
}

static struct load *make_load(const struct values *v, const struct inputs *in,
                              struct diag *diag)
{
    struct workload_config config = {.drive = &in->drive,
                                     .load = (uint32_t)(v->load * 1000 + 0.5),
                                     .seed = v->seed};
    struct load_source source = {.trace = &in->trace,
                                 .trace_path = v->trace,
                                 .is_open_loop = v->is_open_loop};
    struct load *load;

    if (v->layout) {
        source.paks = &in->load_pak;
        source.pak_count = 1;
        return load_trace(&source, &in->drive, diag);
    }
    while (strcmp(workload_layout_names[config.layout], v->generate) != 0)
        config.layout++;
    if (v->trace)
        return load_trace_made(&source, &config, diag);
    load = load_generate(&config);
    if (!load)
        diag_refuse(diag, in->drive.name, DIAG_NO_OFFSET, NULL, LOAD_NO_ROOM);
    return load;
}

static uint64_t limit_us(const struct values *v)
{
    if (v->seconds > 0)
        return v->seconds * SECOND_US;
    return v->trace ? UINT64_MAX : 120 * SECOND_US;
}

/* The same in all runs: said once. */
static void tell_missing(const struct values *v, const struct inputs *in,
                         const struct load *load, struct sim_setting *setting,
                         struct diag *diag)
{
    struct load_missing missing = load_missing(load);

    if (missing.count > 0 && setting->left_out == 0)
        diag_warn(diag, v->trace, missing.path,
                  "%s: %u of %u reads are left out", missing.what,
                  (unsigned)missing.count, (unsigned)in->trace.read_count);
    setting->left_out = missing.count;
    if (!v->is_open_loop)
        setting->chained = read_trace_chained(&in->trace);
}

static bool run_one(const struct values *v, const struct inputs *in,
                    struct sim_setting *setting, struct sim_run *run,
                    struct host_output *trace, struct diag *diag)
{
    spn_emulator_fault faults[GAME_FAULTS_MAX + OPTION_TEXTS_MAX];
    struct load *load = make_load(v, in, diag);
    struct game_sim sim = {.drive = &in->drive,
                           .order = run->order,
                           .limit_us = limit_us(v),
                           .heap_mib = v->heap_mib,
                           .faults = faults,
                           .fault_count = v->fault_count + v->faults.count};
    uint64_t last_us;
    bool is_good;

    if (!load)
        return false;
    tell_missing(v, in, load, setting, diag);
    if (trace)
        load_keep_requests(load);
    last_us = load_last_us(load);
    game_faults_draw(load, last_us < sim.limit_us ? last_us : sim.limit_us,
                     v->seed, faults, v->fault_count);
    is_good = place_faults(v, in, faults + v->fault_count, diag) &&
              game_sim_run(&sim, load, &run->record, diag) &&
              (!trace || load_write_trace(load, trace));
    load_destroy(load);
    return is_good;
}

/* All of them; a trace is of the first. */
static bool run_all(const struct values *v, const struct inputs *in,
                    struct sim_setting *setting, struct sim_run *runs,
                    uint32_t count, struct diag *diag)
{
    struct host_output *trace = NULL;

    if (v->write_trace) {
        trace = host_output_open(v->write_trace, diag);
        if (!trace)
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!run_one(v, in, setting, &runs[i], i == 0 ? trace : NULL, diag)) {
            host_output_abandon(trace);
            return false;
        }
    return !trace || host_output_commit(trace);
}

/* The runtime's own first. */
static uint32_t choose_orders(const char *name, struct sim_run *runs)
{
    static const enum policy_kind all[] = {POLICY_SWEEP,  POLICY_KEY,
                                           POLICY_FIFO,   POLICY_SSTF,
                                           POLICY_C_LOOK, POLICY_EDF};
    uint32_t count = 0;

    if (strcmp(name, "clook") == 0)
        name = policy_names[POLICY_C_LOOK];
    for (uint32_t i = 0; i < POLICY_KINDS; i++)
        if (strcmp(name, "all") == 0 || strcmp(name, policy_names[all[i]]) == 0)
            runs[count++].order = all[i];
    return count;
}

static bool write_page(const struct values *v, const struct sim_setting *s,
                       struct sim_run *runs, uint32_t count, struct diag *diag)
{
    struct host_output *output = host_output_open(v->output, diag);

    if (!output)
        return false;
    if (sim_page_write(s, runs, count, output))
        return host_output_commit(output);
    host_output_abandon(output);
    return false;
}

static void report(const struct values *v, const struct sim_setting *s,
                   struct sim_run *runs, uint32_t count, struct diag *diag)
{
    cJSON *json;

    if (!v->is_json) {
        sim_report_words(s, runs, count, stdout);
        return;
    }
    json = report_begin("simulate");
    sim_report_json(s, runs, count, json);
    report_end(json, diag);
}

static void set_defaults(struct values *v)
{
    if (v->load <= 0)
        v->load = 0.95;
    if (v->seed == NOT_GIVEN)
        v->seed = 1;
}

/* After the end of each of the runs. */
static void warn_of_late_faults(const struct values *v, const struct inputs *in,
                                const struct sim_run *runs, uint32_t count,
                                struct diag *diag)
{
    uint64_t end_us = 0;

    for (uint32_t i = 0; i < count; i++)
        if (runs[i].record.time_us > end_us)
            end_us = runs[i].record.time_us;
    fault_spec_warn_late(in->faults, v->faults.count, end_us, diag);
}

static void simulate(const struct values *v, struct inputs *in,
                     const struct verb_call *call)
{
    struct diag *diag = call->diag;
    struct sim_run runs[POLICY_KINDS];
    struct sim_setting setting = {.drive = &in->drive,
                                  .trace = v->trace,
                                  .layout = v->layout ? v->layout : v->generate,
                                  .load = v->load,
                                  .seed = v->seed,
                                  .fault_count =
                                      v->fault_count + v->faults.count,
                                  .heap_mib = v->heap_mib};
    uint32_t count = choose_orders(v->scheduler, runs);
    bool is_good;

    for (uint32_t i = 0; i < count; i++)
        sim_record_init(&runs[i].record);
    is_good =
        open_inputs(v, in, diag) && run_all(v, in, &setting, runs, count, diag);
    if (is_good)
        warn_of_late_faults(v, in, runs, count, diag);
    if (is_good && v->output)
        is_good = write_page(v, &setting, runs, count, diag);
    if (is_good)
        report(v, &setting, runs, count, diag);
    for (uint32_t i = 0; i < count; i++)
        sim_record_free(&runs[i].record);
    close_inputs(in);
}

static int run_simulate(const struct verb_call *call)
{
    struct values *values = call->values;
    struct inputs in = {.arena = call->arena};

    if (!fits(call->verb, values, &in))
        return EXIT_BAD_USAGE;
    set_defaults(values);
    simulate(values, &in, call);
    return (int)call->diag->code;
}

static const struct values defaults = {.drive = "x360_dvd12x",
                                       .scheduler = "all",
                                       .seed = NOT_GIVEN,
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
    .operands = "",
    .summary = "read a game's load from a drive in virtual time, and measure",
    .examples =
        "  spindle simulate --generate scattered --load 0.95\n"
        "  spindle simulate --generate copies --scheduler sweep -o page.html\n"
        "  spindle simulate --drive wii_dvd6x --trace play.json --layout "
        "data.spk\n"
        "  spindle simulate --generate by-scene --scheduler sweep "
        "--write-trace made.json\n"
        "  spindle simulate --generate copies --trace made.json\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 0,
    .operand_max = 0,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_simulate,
};
