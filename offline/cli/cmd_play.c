/* cmd_play.c - the verb `play`: play caches and clips through the runtime. */
/* SPDX-License-Identifier: MIT */
#include "cli/player_options.h"
#include "cli/verbs.h"
#include "player/play_report.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct values {
    struct play_options play;
    const char *ahead;
    struct player_texts texts;
    bool is_real;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_NUMBER("seconds", 's', AT(play.seconds), "S", 0.001, 1e6,
                  "length of the run in seconds (default: once through the "
                  "longest cache or clip, and through all clips of an image; 1 "
                  "for a single frame)"),
    OPTION_STREAMS(AT(play.stream_count)),
    OPTION_CHARACTERS(AT(play.characters)),
    OPTION_HEAP(AT(play.heap_mib)),
    OPTION_WORKERS(AT(play.worker_count)),
    OPTION_NUMBER("rate", 'r', AT(play.rate), "FPS", 0.1, 1000,
                  "pictures per second (default 60)"),
    OPTION_TEXT("buffer-ahead", 0, AT(ahead), "MIN,MAX",
                "seconds of data to buffer: read when below MIN, up to MAX "
                "(default 2,5)"),
    OPTION_VIRTUAL(AT(play.is_virtual)),
    OPTION_WHOLE("decode-us", 0, AT(play.decode_us), "US", 1, 1000000,
                 "time to decode a frame on the virtual clock, one at a time "
                 "(default: none); with --virtual"),
    OPTION_FLAG("realtime", 0, AT(is_real),
                "run on the real clock, with threads (default)"),
    OPTION_DRIVE(AT(play.drive)),
    OPTION_CHOICE("order", AT(play.order), "key|deadline", "key deadline",
                  "with --drive: order of waiting reads; key: by priority "
                  "and position; deadline: the deadline scheduler (default)"),
    OPTION_CHOICE("overload", AT(play.overload), "degrade|refuse|ignore",
                  "degrade refuse ignore",
                  "with --drive: what to do with streams for which the drive "
                  "has no time (default degrade)"),
    OPTION_FAULTS(AT(texts.faults)),
    OPTION_DISC_LAYOUT(AT(play.disc_layout)),
    OPTION_NUMBER("disc-rate", 0, AT(play.disc_rate), "MB/S", 0.001, 4000,
                  "transfer rate of the disc without --drive (default 20); "
                  "with --virtual"),
    OPTION_NUMBER("seek-ms", 0, AT(play.seek_ms), "MS", 0, 60000,
                  "time of a seek without --drive (default 30); with "
                  "--virtual"),
    OPTION_PAK(AT(play.pak)),
    OPTION_FLAG("load", 0, AT(play.is_loaded),
                "load the paks into the heap first, and read from there"),
    {.name = "record",
     .kind = OPTION_KIND_TEXT,
     .offset = AT(play.record),
     .argument = "TRACE",
     .help = "write a trace of all reads, for spindle pack --order",
     .no_stdout = "the report goes there"},
    OPTION_TUNE(AT(texts.tunings)),
    OPTION_FLAG("memory", 0, AT(play.has_memory),
                "print the runtime's memory, table by table"),
    OPTION_NUMBER("snapshot", 0, AT(play.snapshot_s), "T", 0.001, 1e6,
                  "print what is in memory T seconds after playback began: "
                  "the heap, frames and reads of each stream, the head"),
    OPTION_TEXT("scene", 0, AT(play.scene), "NAME",
                "name of the recorded scene (default play)"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

static const struct values defaults = {.play = PLAYER_DEFAULTS};

static bool parse_ahead(const char *text, double *low, double *high)
{
    char rest;

    if (strspn(text, "0123456789.,") != strlen(text) ||
        /* NOLINTNEXTLINE(cert-err34-c): too large is infinite, refused. */
        sscanf(text, "%lf,%lf%c", low, high, &rest) != 2)
        return false;
    return *low >= 0.1 && *low <= 60 && *high <= 120 && *low < *high;
}

/* Refuse options that have no effect together. */
static bool options_fit(const struct verb *verb, struct values *values)
{
    struct play_options *o = &values->play;

    if (values->is_real && o->is_virtual)
        return options_refuse(verb->name, "--realtime or --virtual, not both");
    if (o->decode_us > 0 && !o->is_virtual)
        return options_refuse(verb->name,
                              "--decode-us is of the virtual clock: it needs "
                              "--virtual");
    if (o->scene && (!o->record || !*o->scene))
        return options_refuse(verb->name, o->record
                                              ? "--scene without a name"
                                              : "--scene of which --record?");
    if (o->scene && strlen(o->scene) >= SPN_PATH_BYTES_MAX)
        return options_refuse(verb->name, "--scene has more than %u bytes",
                              SPN_PATH_BYTES_MAX - 1);
    if (!o->scene)
        o->scene = "play";
    return true;
}

static bool has_pak(const struct play_options *o)
{
    for (uint32_t i = 0; i < o->file_count + o->clip_file_count; i++)
        if (strstr(o->files[i], ".spk:"))
            return true;
    return o->pak != NULL;
}

static bool run_play(const struct verb_call *call)
{
    struct values *values = call->values;
    struct play_options *play = &values->play;
    struct diag *diag = call->diag;
    struct fault_spec faults[OPTION_TEXTS_MAX];
    struct play_report report;

    if (values->ahead &&
        !parse_ahead(values->ahead, &play->ahead_min_s, &play->ahead_max_s))
        return options_refuse(call->verb->name,
                              "--buffer-ahead is MIN,MAX in seconds, 0.1 to "
                              "120, MIN below MAX; not \"%s\"",
                              values->ahead);
    if (!player_options_finish(call, &values->texts, faults, play))
        return false;
    if (play->is_loaded && !has_pak(play))
        return options_refuse(call->verb->name, "--load which pak? See --pak");
    if (!options_fit(call->verb, values))
        return false;
    if (play_run(play, call->arena, diag, &report)) {
        if (values->is_json)
            play_report_json(&report, play->is_virtual, diag);
        else
            play_report_text(&report, play->is_virtual);
    }
    play_report_free(&report);
    return true;
}

static const char notes[] =
    "A frame is late if another frame had to be shown in its place.\n"
    "\n"
    "Exit code 1: frames were dropped because they, or frames that they\n"
    "refer to, are damaged; 3: because they could not be read. The run\n"
    "continues to its end and prints the report in both cases. Late frames\n"
    "are no error.\n"
    "\n"
    "The frame hash covers the number and the decoded values of every\n"
    "distinct frame that was shown, each frame once, in no order. It is the\n"
    "same for all runs that showed the same frames: with and without\n"
    "--virtual and --drive, for any --workers, --streams, --heap and\n"
    "--rate. On the virtual clock, a frame that is shown again is compared\n"
    "with its first decoding.\n"
    "\n"
    "With --drive, a stream is admitted while all streams together keep the\n"
    "drive busy for less than 90 % of the time. Later streams are degraded\n"
    "(they read in the time that the others leave) or refused (nothing of\n"
    "them is shown).\n"
    "\n"
    "With --drive, the report ends with the tables of spindle simulate, for\n"
    "the reads that ended during playback. A read with a deadline that\n"
    "failed counts as late.\n"
    "\n" FAULT_SPEC_BEGIN
    "the run's\nbeginning, its loading included" FAULT_SPEC_NOTES
    "Clips (.sac) play in a loop. Of an image (.sai) all clips play, one\n"
    "after the other in the order of their names; IMAGE.sai:CLIP is one of\n"
    "them. The files that an image names are looked up in its folder. The\n"
    "skeleton of a clip (.sas) is found in the clip's folder, or named; if\n"
    "skeletons are named, a clip without one is refused, otherwise it has no\n"
    "poses. A glitch is a picture of a clip that was not in memory.\n"
    "\n"
    "A FILE may be PAK.spk:NAME, a file in a pak. With --pak every name is\n"
    "looked up in that pak first. --record writes the reads of the whole\n"
    "run as one scene; files in paks have their names there. spindle pack\n"
    "--order takes the traces of several scenes.\n"
    "\n"
    "A disc layout has one place per line: a byte position on the disc (or\n"
    "- for files that are not on it), then a path, the end of a path, or a\n"
    "prefix of paths and *. The first matching line applies. Files of one *\n"
    "lie one after the other, in the order in which they are opened.\n";

const struct verb verb_play = {
    .name = "play",
    .operands = "FILE.sgc|CLIP.sac|IMAGE.sai[:CLIP]|PAK.spk:NAME...",
    .summary = "play caches and clips with the real runtime, and measure",
    .examples =
        "  spindle play sail.sgc\n"
        "  spindle play sail.sgc --streams 16 --heap 64 --virtual\n"
        "  spindle play a.sgc b.sgc --virtual --disc-rate 8 --seek-ms 150\n"
        "  spindle play a.sgc b.sgc --drive x360_dvd12x\n"
        "  spindle play *.sgc --drive wii_dvd6x --disc-layout disc.txt "
        "--virtual\n"
        "  spindle play a.sgc --drive wii_dvd6x --fault tray-open,at=2,for=1 "
        "--fault unreadable,offset=65536:a.sgc\n"
        "  spindle play a.sgc b.sgc --record harbour.json --scene harbour\n"
        "  spindle play data.spk:a.sgc data.spk:b.sgc --drive x360_dvd12x\n"
        "  spindle play --pak data.spk a.sgc b.sgc --load\n"
        "  spindle play sail.sgc --virtual --snapshot 2.5\n"
        "  spindle play sail.sgc anims/walk.sac anims/run.sac\n"
        "  spindle play sail.sgc game/animations.sai anims/hero.sas "
        "--characters 20 --drive x360_dvd12x --virtual\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 4096,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_play,
};
