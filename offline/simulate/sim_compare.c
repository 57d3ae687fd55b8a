/* sim_compare.c - a row for each scene, then the drive's work. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_compare.h"

#include <math.h>

#define MILLION 1e6

static void print_value(double value, FILE *file)
{
    if (isnan(value))
        fprintf(file, " %12s", "-");
    else
        fprintf(file, " %12.2f", value);
}

/* The second for the first. */
static void print_row(const char *name, const double values[2], FILE *file)
{
    fprintf(file, "  %-33s", name);
    print_value(values[0], file);
    print_value(values[1], file);
    if (values[0] > 0 && !isnan(values[1]))
        fprintf(file, " %+8.1f %%", 100 * (values[1] / values[0] - 1));
    fputc('\n', file);
}

static double ready_s(const struct sim_visit *visit)
{
    uint64_t us;

    return sim_visit_is_ready(visit, &us) ? (double)us / MILLION : NAN;
}

static void print_scenes(const struct sim_run *const pair[2], FILE *file)
{
    double sums[2] = {0, 0};

    for (uint32_t k = 0; k < pair[0]->record.visit_count; k++) {
        double values[2];
        char name[34];

        for (uint32_t i = 0; i < 2; i++) {
            values[i] = ready_s(&pair[i]->record.visits[k]);
            sums[i] += values[i];
        }
        print_row(
            report_name(pair[0]->record.visits[k].scene, name, sizeof name),
            values, file);
    }
    if (pair[0]->record.visit_count > 1)
        print_row("all scenes", sums, file);
}

static double late_percent(const struct sim_record *r)
{
    uint64_t count = tally_count(&r->tally);

    return count ? 100 * (double)tally_late(&r->tally) / (double)count : 0;
}

static void print_drives(const struct sim_run *const pair[2], FILE *file)
{
    double values[4][2];

    for (uint32_t i = 0; i < 2; i++) {
        const struct sim_record *r = &pair[i]->record;

        values[0][i] = late_percent(r);
        values[1][i] = (double)r->drive.busy_us / MILLION;
        values[2][i] = (double)r->drive.seeks;
        values[3][i] = (double)tally_longest_us(&r->tally) / MILLION;
    }
    print_row("late, %", values[0], file);
    print_row("drive busy, s", values[1], file);
    print_row("seeks", values[2], file);
    print_row("longest wait, s", values[3], file);
}

void sim_compare_words(const struct sim_setting setting[2],
                       const struct sim_run *const pair[2], FILE *file)
{
    char name[256];

    fprintf(file, "  drive   %s, %s\n",
            report_name(setting[0].drive->name, name, 64),
            setting[0].drive->about);
    fprintf(file, "  reads   %s, %s, by %s\n",
            report_name(setting[0].trace, name, sizeof name),
            setting[0].chained > 0 ? "closed loop" : "open loop",
            policy_names[pair[0]->order]);
    for (uint32_t i = 0; i < 2; i++)
        fprintf(file, "  %c       %s\n", (char)('A' + i),
                report_name(setting[i].layout, name, sizeof name));
    fprintf(file, "\n  %-33s %12s %12s %10s\n", "ready after, s", "A", "B",
            "B for A");
    print_scenes(pair, file);
    fputc('\n', file);
    print_drives(pair, file);
}
