/* cmd_drives.c - the verb `drives`: describe disc drives. */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "common/report.h"
#include "drives/drive_chart.h"
#include "drives/drive_file.h"
#include "host/host.h"

#include <stddef.h>

#define DRIVES_MAX 32u
#define SAMPLES 20u

struct values {
    const char *output;
    bool is_profile;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(output), "OUT.svg",
                  "draw the curves of the named drives, or of all, as SVG; - "
                  "is stdout",
                  NULL, NULL),
    OPTION_FLAG("profile", 0, AT(is_profile),
                "print the profile as an editable text file, with the "
                "source of each constant: fact [F] or assumption [A]; with "
                "--json as fields"),
    OPTION_JSON(AT(is_json), "print list and curves as one JSON object"),
};

struct drives {
    const spn_drive_profile *chosen[DRIVES_MAX];
    spn_drive_profile read[DRIVES_MAX];
    uint32_t count;
};

static bool choose_all(struct drives *d)
{
    while (d->count < DRIVES_MAX && spn_drive_profile_at(d->count)) {
        d->chosen[d->count] = spn_drive_profile_at(d->count);
        d->count++;
    }
    return true;
}

static bool choose(struct drives *d, char **names, uint32_t count,
                   struct diag *diag)
{
    for (; d->count < count; d->count++) {
        if (!drive_file_choose(names[d->count], &d->read[d->count], diag))
            return false;
        d->chosen[d->count] = &d->read[d->count];
    }
    return true;
}

static void add_json(cJSON *array, const spn_drive_profile *p, bool is_profile)
{
    cJSON *item = report_item(array);
    cJSON *curve;

    report_text(item, "name", p->name);
    report_text(item, "about", p->about);
    report_number(item, "layers", p->layers);
    report_number(item, "layer_bytes", (double)p->layer_bytes);
    report_number(item, "rate_in", p->rate_in);
    report_number(item, "rate_out", p->rate_out);
    report_number(item, "seek_third_ms", drive_stroke_ms(p, 1.0 / 3));
    report_number(item, "seek_full_ms", drive_stroke_ms(p, 1));
    if (is_profile) {
        drive_file_report(p, report_object(item, "profile"));
        drive_file_report_sources(p, report_object(item, "sources"));
    }
    curve = report_array(item, "curve");
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        struct drive_sample s = drive_sample_at(p, i, SAMPLES);
        cJSON *point = report_item(curve);

        report_number(point, "offset_mb", s.offset_mb);
        report_number(point, "radius_mm", s.radius_mm);
        report_number(point, "rate_mb_s", s.rate_mb_s);
        report_number(point, "turn_ms", s.rotation_ms);
        report_number(point, "seek_ms", s.seek_ms);
        report_number(point, "scattered_megabyte_ms", s.megabyte_ms);
    }
}

static void print_drives(const struct drives *d, const struct values *values,
                         bool is_named, struct diag *diag)
{
    if (values->is_json) {
        cJSON *json = report_begin("drives");
        cJSON *array = report_array(json, "drives");

        for (uint32_t i = 0; i < d->count; i++)
            add_json(array, d->chosen[i], values->is_profile);
        report_end(json, diag);
        return;
    }
    for (uint32_t i = 0; values->is_profile && i < d->count; i++)
        drive_file_print(d->chosen[i], stdout);
    if (values->is_profile)
        return;
    drive_chart_list(d->chosen, d->count, stdout);
    for (uint32_t i = 0; is_named && i < d->count; i++) {
        putchar('\n');
        drive_chart_text(d->chosen[i], stdout);
    }
}

static bool draw(const struct drives *d, const char *path, struct diag *diag)
{
    struct host_output *output = host_output_open(path, diag);

    return output && host_output_finish(
                         output, drive_chart_svg(d->chosen, d->count, output));
}

static bool is_clear_of_inputs(const char *output, char **names, uint32_t count,
                               struct diag *diag)
{
    for (uint32_t i = 0; i < count; i++)
        if (!host_output_differs(output, names[i], diag))
            return false;
    return true;
}

static bool run_drives(const struct verb_call *call)
{
    static struct drives drives;
    const struct values *values = call->values;
    uint32_t count = call->operand_count;
    struct diag *diag = call->diag;
    bool is_good;

    if (values->is_profile && count == 0)
        return options_refuse(call->verb->name, "--profile of which drive?");
    if (values->output && host_output_is_stdout(values->output) &&
        (values->is_json || values->is_profile))
        return options_refuse(call->verb->name,
                              "--output - and --%s both go to stdout",
                              values->is_json ? "json" : "profile");
    is_good = count == 0 ? choose_all(&drives)
                         : choose(&drives, call->operands, count, diag);
    if (is_good && values->output)
        is_good =
            is_clear_of_inputs(values->output, call->operands, count, diag) &&
            draw(&drives, values->output, diag);
    if (is_good && !(values->output && host_output_is_stdout(values->output)))
        print_drives(&drives, values, count > 0, diag);
    return true;
}

const struct verb verb_drives = {
    .name = "drives",
    .operands = "[NAME|FILE...]",
    .summary = "list disc drives, draw their seek times and rates",
    .examples = "  spindle drives\n"
                "  spindle drives x360_dvd12x\n"
                "  spindle drives wii_dvd6x gc_dvd3x -o nintendo.svg\n"
                "  spindle drives x360_dvd12x --profile > mine.txt\n"
                "  spindle drives mine.txt\n",
    .notes =
        "A FILE has one \"key = value\" per line; # begins a comment. \"like "
        "=\n"
        "NAME\" copies a built-in drive; it comes before the values that\n"
        "differ. Times are in us, rates in bytes per second. seek_near and\n"
        "seek_far are three numbers: base, slope and root of the seek time "
        "base\n"
        "+ slope * d / unit + root * sqrt(d / unit), where d is the travel of\n"
        "the head in nanometres, or the distance in bytes.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 0,
    .operand_max = DRIVES_MAX,
    .values_bytes = sizeof(struct values),
    .run = run_drives,
};
