/* cmd_play.c - spindle play: caches through the real runtime. */
/* SPDX-License-Identifier: MIT */
#include "play/play.h"
#include "report.h"
#include "verbs.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below the range of every number. */
#define NOT_GIVEN (-1.0)

struct values {
    struct play_options play;
    const char *ahead;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    {.name = "seconds",
     .letter = 's',
     .kind = OPTION_NUMBER,
     .offset = AT(play.seconds),
     .argument = "S",
     .help = "how long (default: once through the longest clip, "
             "1 for a single frame)",
     .low = 0.001,
     .high = 1e6},
    {.name = "streams",
     .letter = 'n',
     .kind = OPTION_WHOLE,
     .offset = AT(play.stream_count),
     .argument = "N",
     .help = "streams, spread over the files (default: one each)",
     .low = 1,
     .high = 4096},
    {.name = "heap",
     .kind = OPTION_WHOLE,
     .offset = AT(play.heap_mib),
     .argument = "MIB",
     .help = "the runtime's heap (default 64)",
     .low = 1,
     .high = 4095},
    {.name = "workers",
     .kind = OPTION_WHOLE,
     .offset = AT(play.worker_count),
     .argument = "N",
     .help = "threads that decode; 0: none (default 2); not with --virtual",
     .low = 0,
     .high = 64},
    {.name = "rate",
     .letter = 'r',
     .kind = OPTION_NUMBER,
     .offset = AT(play.rate),
     .argument = "FPS",
     .help = "pictures a second (default 60)",
     .low = 0.1,
     .high = 1000},
    {.name = "buffer-ahead",
     .kind = OPTION_TEXT,
     .offset = AT(ahead),
     .argument = "MIN,MAX",
     .help = "seconds: read below MIN, up to MAX (default 2,5)"},
    {.name = "virtual",
     .kind = OPTION_FLAG,
     .offset = AT(play.is_virtual),
     .help = "on a virtual clock, without threads: repeatable"},
    {.name = "disc-rate",
     .kind = OPTION_NUMBER,
     .offset = AT(play.disc_rate),
     .argument = "MB/S",
     .help = "of the disc (default 20); with --virtual",
     .low = 0.001,
     .high = 1e6},
    {.name = "seek-ms",
     .kind = OPTION_NUMBER,
     .offset = AT(play.seek_ms),
     .argument = "MS",
     .help = "of a read that does not continue the last (default 30); with "
             "--virtual",
     .low = 0,
     .high = 1e6},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = AT(is_json),
     .help = "the report as one JSON object"},
};

/* Frames that came to be wanted while it played. */
static double frames(const struct play_report *r)
{
    double count = (double)r->frames_shown + r->frames_late;

    return count > 0 ? count : 1;
}

static void print_words(const struct play_report *r, bool is_virtual)
{
    char size[4][16];

    printf("played %.2f s, %u %s, %s clock\n", r->seconds, r->stream_count,
           r->stream_count == 1 ? "stream" : "streams",
           is_virtual ? "virtual" : "real");
    printf("  ready after       %.0f ms\n", r->start_s * 1e3);
    printf("  frames            %u shown, %u late (%u after the first "
           "second)\n",
           r->frames_shown, r->frames_late,
           r->frames_late - r->frames_late_at_1s);
    printf("  trouble           %u dropped, %u stalls\n", r->frames_dropped,
           r->stalls);
    printf("  pictures          %u, %u overruns\n", r->pictures, r->overruns);
    printf("  read              %s, %.2f MB/s\n",
           report_bytes((double)r->bytes_read, size[0]),
           (double)r->bytes_read / r->seconds / 1e6);
    if (is_virtual)
        printf("  disc              %.0f %% busy, %.2f seeks a second\n",
               r->disc_busy_s * 100 / r->seconds,
               (double)r->disc_seeks / r->seconds);
    printf("  least buffered    %.0f ms\n", r->buffered_min_s * 1e3);
    printf("  memory            %s, of it heap %s\n",
           report_bytes((double)r->memory_bytes, size[0]),
           report_bytes((double)r->heap_bytes, size[1]));
    printf("  heap peak         %s used, %s live, %s static; %llu waits\n",
           report_bytes((double)r->used_bytes_peak, size[0]),
           report_bytes((double)r->live_bytes_peak, size[1]),
           report_bytes((double)r->static_bytes, size[2]),
           (unsigned long long)r->heap_waits);
    printf("  decode            %.3f ms a frame\n",
           r->decode_s * 1e3 / frames(r));
    printf("  fill              %.3f ms a picture, %.1f ns a vertex\n",
           r->fill_s * 1e3 / (r->pictures ? r->pictures : 1),
           r->vertices_filled > 0 ? r->fill_s * 1e9 / (double)r->vertices_filled
                                  : 0);
    printf("  frame hash        %016llx over %u frames\n",
           (unsigned long long)r->frame_hash, r->frames_distinct);
}

/* What could not be shown, file by file. */
static void add_faults(cJSON *json, const struct play_report *r)
{
    cJSON *array = report_array(json, "faults");

    for (uint32_t i = 0; i < r->fault_count; i++) {
        const struct play_fault *fault = &r->faults[i];
        cJSON *item = report_item(array);

        report_fault(item, fault->file, fault->frame, &fault->fault);
        report_number(item, "frames_dropped", fault->frames_dropped);
    }
}

static bool print_json(const struct play_report *r, bool is_virtual,
                       struct diag *diag)
{
    cJSON *json = report_begin("play");
    char hash[20];

    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->frame_hash);
    report_bool(json, "is_virtual", is_virtual);
    report_number(json, "seconds", r->seconds);
    report_number(json, "streams", r->stream_count);
    report_number(json, "start_ms", r->start_s * 1e3);
    report_number(json, "frames_shown", r->frames_shown);
    report_number(json, "frames_late", r->frames_late);
    report_number(json, "frames_late_after_1s",
                  r->frames_late - r->frames_late_at_1s);
    report_number(json, "frames_dropped", r->frames_dropped);
    report_bool(json, "is_damaged", r->frames_dropped > 0);
    add_faults(json, r);
    report_number(json, "stalls", r->stalls);
    report_number(json, "pictures", r->pictures);
    report_number(json, "overruns", r->overruns);
    report_number(json, "bytes_read", (double)r->bytes_read);
    report_number(json, "read_mb_per_s",
                  (double)r->bytes_read / r->seconds / 1e6);
    if (is_virtual) {
        report_number(json, "disc_busy_s", r->disc_busy_s);
        report_number(json, "disc_seeks", (double)r->disc_seeks);
    }
    report_number(json, "buffered_min_ms", r->buffered_min_s * 1e3);
    report_number(json, "memory_bytes", (double)r->memory_bytes);
    report_number(json, "heap_bytes", (double)r->heap_bytes);
    report_number(json, "heap_used_bytes_peak", (double)r->used_bytes_peak);
    report_number(json, "heap_live_bytes_peak", (double)r->live_bytes_peak);
    report_number(json, "static_bytes", (double)r->static_bytes);
    report_number(json, "heap_waits", (double)r->heap_waits);
    report_number(json, "decode_ms_per_frame", r->decode_s * 1e3 / frames(r));
    report_number(json, "fill_ms_per_picture",
                  r->fill_s * 1e3 / (r->pictures ? r->pictures : 1));
    report_number(json, "vertices_filled", (double)r->vertices_filled);
    report_number(json, "frames_distinct", r->frames_distinct);
    report_number(json, "frames_unequal", r->frames_unequal);
    report_text(json, "frame_hash", hash);
    return report_end(json, diag);
}

static int refuse_ahead(const struct verb *verb, const char *text)
{
    return options_refuse(verb->name,
                          "--buffer-ahead is MIN,MAX in seconds, 0.1 to 120, "
                          "MIN below MAX; not \"%s\"",
                          text);
}

static bool parse_ahead(const char *text, double *low, double *high)
{
    char rest;

    if (strspn(text, "0123456789.,") != strlen(text) ||
        sscanf(text, "%lf,%lf%c", low, high, &rest) != 2)
        return false;
    return *low >= 0.1 && *low <= 60 && *high <= 120 && *low < *high;
}

/* Options of one clock mean nothing on the other: silence would mislead. */
static bool options_fit(const struct verb *verb, struct play_options *o)
{
    if (!o->is_virtual &&
        (o->disc_rate != NOT_GIVEN || o->seek_ms != NOT_GIVEN)) {
        options_refuse(verb->name,
                       "--%s is of the virtual disc: it needs "
                       "--virtual",
                       o->disc_rate != NOT_GIVEN ? "disc-rate" : "seek-ms");
        return false;
    }
    if (o->is_virtual && o->worker_count != UINT32_MAX && o->worker_count > 0) {
        options_refuse(verb->name,
                       "--workers is of the real clock: --virtual is without "
                       "threads");
        return false;
    }
    if (o->disc_rate == NOT_GIVEN)
        o->disc_rate = 20;
    if (o->seek_ms == NOT_GIVEN)
        o->seek_ms = 30;
    return true;
}

static int run_play(const struct verb *verb, int argc, char **argv)
{
    struct values values = {.play = {.rate = 60,
                                     .heap_mib = 64,
                                     .worker_count = UINT32_MAX,
                                     .disc_rate = NOT_GIVEN,
                                     .seek_ms = NOT_GIVEN}};
    struct play_report report;
    struct diag diag;
    uint32_t count;
    int code;

    switch (options_parse(verb, argc, argv, &values, &count)) {
    case OPTIONS_HELPED:
        return EXIT_DONE;
    case OPTIONS_REFUSED:
        return EXIT_BAD_USAGE;
    case OPTIONS_READY:
        break;
    }
    if (values.ahead && !parse_ahead(values.ahead, &values.play.ahead_min_s,
                                     &values.play.ahead_max_s))
        return refuse_ahead(verb, values.ahead);
    if (!options_fit(verb, &values.play))
        return EXIT_BAD_USAGE;
    values.play.files = (const char *const *)argv;
    values.play.file_count = count;
    diag_init(&diag);
    if (play_run(&values.play, &diag, &report)) {
        if (values.is_json)
            print_json(&report, values.play.is_virtual, &diag);
        else
            print_words(&report, values.play.is_virtual);
    }
    free(report.faults);
    code = (int)diag.code;
    diag_finish(&diag);
    return code;
}

const struct verb verb_play = {
    .name = "play",
    .operands = "FILE.sgc...",
    .summary = "play caches through the real runtime and measure",
    .examples =
        "  spindle play sail.sgc\n"
        "  spindle play sail.sgc --streams 16 --heap 64 --virtual\n"
        "  spindle play a.sgc b.sgc --virtual --disc-rate 8 --seek-ms 150\n",
    .notes =
        "Frames are late when another than the wanted one had to be "
        "shown.\n\n"
        "Exit code 1: frames were dropped because they, or what they refer "
        "to, are damaged;\n3: because they could not be read. It plays on "
        "to the end, and reports, all the\nsame. Late frames alone are "
        "no error.\n\n"
        "The frame hash is over every distinct frame that was shown: its "
        "number and the\nvalues decoded for it, not interpolated, each "
        "frame once, in no order. It is the\nsame for all runs that have "
        "shown the same frames: with and without --virtual,\nfor any "
        "--workers, --streams, --heap and --rate. On the virtual clock a "
        "frame\nthat is shown again is compared with what it was "
        "before.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 4096,
    .run = run_play,
};
