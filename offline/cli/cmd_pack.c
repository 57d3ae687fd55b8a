/* cmd_pack.c - the verb `pack`: write files into a pak. */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "common/report.h"
#include "common/system.h"
#include "drives/drive_file.h"
#include "pack/pack.h"
#include "pack/pak_list.h"

#include <spindle/codec.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Not given: below the range of every number. */
#define NOT_GIVEN (-1.0)

struct values {
    struct pack_options pack;
    const char *codec;
    struct option_texts codecs;
    struct option_texts orders;
    struct option_texts drives;
    struct option_texts without;
    bool is_list;
    bool is_quiet;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(pack.output), "OUT.spk",
                  "the pak to write; it appears complete or not at all",
                  "an output: -o OUT.spk", "a pak is not written in order"),
    OPTION_CHOICE("codec", AT(codec), "none|lz4hc|deflate|zstd",
                  "none lz4hc deflate zstd",
                  "compress blocks of 64 KiB where this saves space (default "
                  "none)"),
    OPTION_TEXTS("codec-for", AT(codecs), "PATTERN=CODEC",
                 "codec of files whose name matches, as in \"*.json=zstd\"; "
                 "the first match applies; may be repeated"),
    OPTION_WHOLE("level", 0, AT(pack.level), "N", 1, 22,
                 "level of zstd; higher is smaller and slower (default 9)"),
    OPTION_TEXTS("order", AT(orders), "name|type|size|TRACE.json",
                 "order of files on the disc (default name); TRACE.json may "
                 "be repeated: the best order for the traces is chosen, or "
                 "the one that --order first-use, small-first or scene names "
                 "beside them"),
    OPTION_TEXTS("drive", AT(drives), "NAME|FILE",
                 "drive for which the best order is chosen; may be repeated "
                 "(default x360_dvd12x, wii_dvd6x, ps2_dvd4x and hdd_5400)"),
    OPTION_NUMBER("duplicate-budget", 0, AT(pack.duplicate_percent), "PERCENT",
                  0, 1000,
                  "with traces: size that copies may have, in percent of all "
                  "bytes (default 0)"),
    OPTION_FLAG("traced-only", 0, AT(pack.is_traced_only),
                "with traces: omit files that no trace names"),
    OPTION_TEXTS("without", AT(without), "OTHER.spk",
                 "omit files that this pak contains; may be repeated"),
    OPTION_TEXT("prefix", 0, AT(pack.prefix), "TEXT",
                "text before every name, as in \"levels/harbour/\""),
    OPTION_FLAG("skip-odd", 0, AT(pack.skips_flawed),
                "omit files with names that Windows or a terminal "
                "mishandles"),
    OPTION_FLAG("list", 0, AT(is_list), "print every file in disc order"),
    OPTION_JOBS(AT(pack.jobs)),
    OPTION_STRICT(AT(pack.is_strict)),
    OPTION_QUIET(AT(is_quiet), "print no report, progress or warnings"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

/* -- reports -- */

/* Print a row for each drive with the time of each order that was tried. */
static void print_choice(const struct pack_options *settings,
                         const struct pack_choice *choice)
{
    printf("  order             %s\n", pack_order_names[choice->order]);
    if (choice->drive_count == 0)
        return;
    printf("    ready after, s ");
    for (uint32_t i = 0; i < PACK_ORDERS; i++)
        if (choice->estimate_us[i][0] > 0)
            printf(" %11s", pack_order_names[i]);
    printf("\n");
    for (uint32_t d = 0; d < choice->drive_count; d++) {
        char name[16];

        printf("    %-15s",
               report_name(settings->drives[d].name, name, sizeof name));
        for (uint32_t i = 0; i < PACK_ORDERS; i++)
            if (choice->estimate_us[i][0] > 0)
                printf(" %11.2f", (double)choice->estimate_us[i][d] / 1e6);
        printf("\n");
    }
}

static void add_choice(const struct pack_options *settings,
                       const struct pack_choice *choice, cJSON *json)
{
    cJSON *array;

    report_text(json, "order", pack_order_names[choice->order]);
    array = report_array(json, "tried");
    for (uint32_t d = 0; d < choice->drive_count; d++) {
        cJSON *item = report_item(array);
        cJSON *ready;

        report_text(item, "drive", settings->drives[d].name);
        ready = report_object(item, "ready_ms");
        for (uint32_t i = 0; i < PACK_ORDERS; i++)
            if (choice->estimate_us[i][d] > 0)
                report_number(ready, pack_order_names[i],
                              (double)choice->estimate_us[i][d] / 1e3);
    }
}

static void print_text(const struct values *values, const struct pack_report *r)
{
    const struct pak_header *h = &r->written.header;
    char text[4][16];

    printf("%s: %u files, %s\n", values->pack.output, h->entry_count,
           report_bytes((double)h->file_bytes, text[0]));
    printf("  contents          %u, %s, stored in %s\n", h->content_count,
           report_bytes((double)r->written.bytes, text[0]),
           report_bytes((double)r->written.stored_bytes, text[1]));
    printf("  index             %s\n",
           report_bytes((double)h->index_bytes, text[0]));
    if (values->without.count > 0)
        printf("  left out          %u files, %s that other paks have\n",
               r->left_out_count,
               report_bytes((double)r->left_out_bytes, text[0]));
    if (values->pack.is_traced_only)
        printf("  not traced        %u files left out\n", r->untraced_count);
    if (r->layout.scene_count > 0)
        printf("  scenes            %u, using %u files\n",
               r->layout.scene_count, r->layout.traced_files);
    if (values->pack.trace_count > 0)
        print_choice(&values->pack, &r->layout.choice);
    if (r->layout.extra_count > 0)
        printf("  copies            %u, %s (%.2f %% of all bytes), stored in "
               "%s\n",
               r->layout.extra_count,
               report_bytes((double)r->layout.extra_bytes, text[0]),
               (double)r->layout.extra_bytes * 100 / (double)r->written.bytes,
               report_bytes((double)r->written.extra_bytes, text[1]));
}

static bool print_json(const struct values *values, const struct pack_report *r,
                       struct diag *diag)
{
    const struct pak_header *h = &r->written.header;
    cJSON *json = report_begin("pack");

    report_text(json, "output", values->pack.output);
    report_number(json, "files", h->entry_count);
    report_number(json, "contents", h->content_count);
    report_number(json, "bytes", (double)r->written.bytes);
    report_number(json, "stored_bytes", (double)r->written.stored_bytes);
    report_number(json, "file_bytes", (double)h->file_bytes);
    report_number(json, "index_bytes", h->index_bytes);
    report_number(json, "left_out_files", r->left_out_count);
    report_number(json, "left_out_bytes", (double)r->left_out_bytes);
    report_number(json, "untraced_files", r->untraced_count);
    report_number(json, "scenes", r->layout.scene_count);
    report_number(json, "traced_files", r->layout.traced_files);
    report_number(json, "missing_files", r->layout.missing_files);
    report_number(json, "copies", r->layout.extra_count);
    report_number(json, "copy_bytes", (double)r->layout.extra_bytes);
    report_number(json, "copy_stored_bytes", (double)r->written.extra_bytes);
    if (values->pack.trace_count > 0)
        add_choice(&values->pack, &r->layout.choice, json);
    else
        report_text(json, "order", pack_order_names[values->pack.order]);
    report_number(json, "warnings", diag->warning_count);
    if (values->is_list)
        pak_list_json(&r->written.index, json);
    return report_end(json, diag);
}

static void show_progress(void *user, double done)
{
    int *shown = user;
    int percent = (int)(done * 100);

    if (percent == *shown)
        return;
    *shown = percent;
    fprintf(stderr, "\rpacking %3d %%", percent);
    fflush(stderr);
}

/* -- the run -- */

static const struct values defaults = {.pack = {.duplicate_percent = NOT_GIVEN},
                                       .codec = "none"};

/* Split the values of --order into order names and traces. `traces` has room
 * for all. */
static bool split_orders(const struct verb *verb, struct values *values,
                         const char **traces)
{
    struct pack_options *settings = &values->pack;
    uint32_t words = 0;

    for (uint32_t i = 0; i < values->orders.count; i++) {
        const char *text = values->orders.items[i];
        uint32_t order = 0;

        while (order < PACK_BY_TRIAL &&
               strcmp(text, pack_order_names[order]) != 0)
            order++;
        if (order == PACK_BY_TRIAL && !strpbrk(text, "./") &&
            !host_exists(text))
            return options_refuse(
                verb->name,
                "--order \"%s\": no such file, and no order: name, "
                "type, size, first-use, small-first or scene",
                text);
        if (order == PACK_BY_TRIAL) {
            traces[settings->trace_count++] = text;
            continue;
        }
        settings->order = (enum pack_order)order;
        words++;
    }
    if (words > 1)
        return options_refuse(verb->name,
                              "--order is one word at most, and traces");
    if (words == 1 && settings->order <= PACK_BY_SIZE &&
        settings->trace_count > 0)
        return options_refuse(verb->name, "--order %s needs no trace",
                              pack_order_names[settings->order]);
    if (words == 1 && settings->order > PACK_BY_SIZE &&
        settings->trace_count == 0)
        return options_refuse(verb->name,
                              "--order %s of which --order TRACE.json?",
                              pack_order_names[settings->order]);
    if (words == 0)
        settings->order =
            settings->trace_count > 0 ? PACK_BY_TRIAL : PACK_BY_NAME;
    settings->traces = traces;
    return true;
}

static bool set_order(const struct verb *verb, struct values *values,
                      const char **traces)
{
    struct pack_options *settings = &values->pack;

    if (!split_orders(verb, values, traces))
        return false;
    if (settings->trace_count == 0 &&
        (settings->is_traced_only || settings->duplicate_percent != NOT_GIVEN))
        return options_refuse(verb->name, "--%s needs --order TRACE.json",
                              settings->is_traced_only ? "traced-only"
                                                       : "duplicate-budget");
    if (settings->order != PACK_BY_TRIAL && values->drives.count > 0)
        return options_refuse(verb->name,
                              "--drive is what --order TRACE.json is "
                              "chosen for");
    if (values->drives.count > PACK_DRIVES_MAX)
        return options_refuse(verb->name, "--drive at most %u times",
                              (unsigned)PACK_DRIVES_MAX);
    if (settings->duplicate_percent == NOT_GIVEN)
        settings->duplicate_percent = 0;
    return true;
}

static bool set_drives(struct values *values, spn_drive_profile *drives,
                       struct diag *diag)
{
    static const char *const usual[] = {"x360_dvd12x", "wii_dvd6x", "ps2_dvd4x",
                                        "hdd_5400"};
    const char *const *names = usual;
    uint32_t count = sizeof usual / sizeof usual[0];

    if (values->drives.count > 0) {
        names = values->drives.items;
        count = values->drives.count;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!drive_file_choose(names[i], &drives[i], diag))
            return false;
    values->pack.drives = drives;
    values->pack.drive_count = count;
    return true;
}

static void pack(const struct verb_call *call)
{
    struct values *values = call->values;
    struct pack_options *settings = &values->pack;
    struct diag *diag = call->diag;
    spn_drive_profile drives[PACK_DRIVES_MAX];
    struct pack_report report;
    int shown = -1;

    (void)pack_codec_named(values->codec, &settings->codec);
    settings->without = values->without.items;
    settings->without_count = values->without.count;
    if (settings->jobs == 0)
        settings->jobs = system_cpu_count();
    if (!values->is_quiet && !values->is_json && system_is_terminal(2)) {
        settings->progress = show_progress;
        /* cppcheck-suppress autoVariables ; called in pack_run alone */
        settings->progress_user = &shown;
    }
    diag->is_quiet = values->is_quiet;
    if (set_drives(values, drives, diag) &&
        pack_run(settings, call->arena, diag, &report)) {
        if (shown >= 0)
            fprintf(stderr, "\r%16s\r", "");
        if (values->is_json)
            print_json(values, &report, diag);
        else if (!values->is_quiet)
            print_text(values, &report);
        if (values->is_list && !values->is_json)
            pak_list_print(&report.written.index, stdout);
    }
}

/* Does a rule or --codec choose a codec with levels? */
static bool has_level(const struct values *values,
                      const struct pack_rule *rules)
{
    uint32_t codec = SPN_CODEC_STORE;
    bool has_levels;

    (void)pack_codec_named(values->codec, &codec);
    has_levels = codec == SPN_CODEC_ZSTD;
    for (uint32_t i = 0; i < values->codecs.count; i++)
        has_levels = has_levels || rules[i].codec == SPN_CODEC_ZSTD;
    return has_levels;
}

static bool run_pack(const struct verb_call *call)
{
    struct values *values = call->values;
    struct pack_rule rules[OPTION_TEXTS_MAX];
    const char *traces[OPTION_TEXTS_MAX];

    if (!set_order(call->verb, values, traces))
        return false;
    for (uint32_t i = 0; i < values->codecs.count; i++)
        if (!pack_rule_parse(values->codecs.items[i], &rules[i]))
            return options_refuse(call->verb->name,
                                  "--codec-for \"%s\": PATTERN=none, lz4hc, "
                                  "deflate or zstd",
                                  values->codecs.items[i]);
    if (values->pack.level > 0 && !has_level(values, rules))
        return options_refuse(call->verb->name,
                              "--level is of --codec zstd, or --codec-for "
                              "PATTERN=zstd");
    values->pack.rules = rules;
    values->pack.rule_count = values->codecs.count;
    values->pack.inputs = (const char *const *)call->operands;
    values->pack.input_count = call->operand_count;
    pack(call);
    return true;
}

static const char notes[] =
    "A file is named by the last part of its path, a file in a folder by\n"
    "its path relative to that folder. Entries of a pak keep their names.\n"
    "Files with the same content are stored once.\n"
    "\n"
    "A trace is JSON: {\"schema\": 1, \"kind\": \"trace\", \"scenes\": "
    "[{\"name\":\n"
    "\"harbour\", \"reads\": [{\"path\": \"sea.sgc\"}, ...]}, ...]}. A read "
    "may\n"
    "also have at_us, offset, bytes, task, priority and deadline_us. A path\n"
    "selects the file of that name, else the file whose name it ends with,\n"
    "or that ends with it, at a / boundary.\n"
    "\n"
    "With traces, the reads are simulated with each order on each drive; a\n"
    "read that waits for another starts when that has ended. The order with\n"
    "the smallest loss against the best order of each drive is chosen.\n"
    "Order scene: scenes follow each other; a scene begins with the files\n"
    "wanted within 0.1 s of its first read (sounds, clips, streams,\n"
    "others), then the rest, then files read only in part; in each of\n"
    "these, files below 32 KiB come first, then by first use. Order\n"
    "first-use: by first read, trace after trace. A file of several scenes\n"
    "lies in the first of them. --duplicate-budget adds copies to the\n"
    "others, where they save most reads for their bytes (before\n"
    "compression); the orders name, type and size are then not tried.\n";

const struct verb verb_pack = {
    .name = "pack",
    .operands = "FILE|FOLDER|PAK... -o OUT.spk",
    .summary = "put files into a pak, in the order of their use",
    .examples =
        "  spindle pack data -o data.spk --codec lz4hc\n"
        "  spindle pack data -o stream.spk --order play.json --traced-only "
        "--duplicate-budget 4\n"
        "  spindle pack data -o rest.spk --without stream.spk\n",
    .notes = notes,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 4096,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_pack,
};
