/* sim_compare.c - a row for each scene, then the work of the drives.
 *
 * If only one disc has all reads of a scene, the scene has no times and is not
 * in the sum: the times would belong to different reads.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_compare.h"

#include "simulate/clips_report.h"

#include <math.h>

#define MILLION 1e6

static void print_value(double value, FILE *file)
{
    if (isnan(value))
        fprintf(file, " %12s", "-");
    else
        fprintf(file, " %12.2f", value);
}

/* Count the reads that one disc has and the other lacks. */
struct lacking {
    uint32_t counts[2];
};

static bool is_lacking(const struct lacking *lacking)
{
    return lacking->counts[0] > 0 || lacking->counts[1] > 0;
}

static bool lacks(const struct sim_setting *setting, uint32_t read)
{
    return setting->is_left_out && setting->is_left_out[read];
}

static struct lacking count_lacking(const struct sim_setting setting[2],
                                    uint32_t first, uint32_t limit)
{
    struct lacking lacking = {{0, 0}};

    for (uint32_t i = first; i < limit; i++)
        for (uint32_t k = 0; k < 2; k++)
            if (lacks(&setting[k], i) && !lacks(&setting[1 - k], i))
                lacking.counts[k]++;
    return lacking;
}

/* Print a row; `is_alike`: both values are of the same reads, and their
 * difference is printed. */
static void print_row(const char *name, const double values[2], bool is_alike,
                      FILE *file)
{
    fprintf(file, "  %-33s", name);
    print_value(values[0], file);
    print_value(values[1], file);
    if (is_alike && values[0] > 0 && !isnan(values[1]))
        fprintf(file, " %+8.1f %%", 100 * (values[1] / values[0] - 1));
}

static void print_lacking(const struct lacking *lacking, FILE *file)
{
    const char *before = "";

    for (uint32_t i = 0; i < 2; i++) {
        if (lacking->counts[i] == 0)
            continue;
        fprintf(file, "%s %c lacks %u reads", before, (char)('A' + i),
                (unsigned)lacking->counts[i]);
        before = ",";
    }
}

static void print_scenes(const struct sim_setting setting[2],
                         const struct sim_run *const pair[2], FILE *file)
{
    uint32_t count = pair[0]->record.visit_count;
    uint32_t alike_count = 0;
    double sums[2] = {0, 0};

    for (uint32_t k = 0; k < count; k++) {
        const struct sim_group *visit = &pair[0]->record.visits[k];
        const struct lacking lacking =
            count_lacking(setting, visit->first, visit->limit);
        double values[2];
        char name[34];

        for (uint32_t i = 0; i < 2; i++)
            values[i] = lacking.counts[i] > 0
                            ? NAN
                            : sim_visit_ready_s(&pair[i]->record.visits[k]);
        if (!is_lacking(&lacking)) {
            alike_count++;
            sums[0] += values[0];
            sums[1] += values[1];
        }
        print_row(report_name(visit->scene, name, sizeof name), values, true,
                  file);
        print_lacking(&lacking, file);
        fputc('\n', file);
    }
    if (count > 1 && alike_count > 0) {
        print_row(alike_count == count ? "all scenes" : "scenes of equal reads",
                  sums, true, file);
        fputc('\n', file);
    }
}

static void print_drives(const struct sim_setting setting[2],
                         const struct sim_run *const pair[2], FILE *file)
{
    static const char *const names[] = {"late, %", "drive busy, s", "seeks",
                                        "longest wait, s"};
    const struct lacking lacking =
        count_lacking(setting, 0, setting[0].read_count);
    double values[4][2];

    for (uint32_t i = 0; i < 2; i++) {
        const struct sim_record *r = &pair[i]->record;
        const struct tally_sums sums = tally_sum(&r->tally);

        values[0][i] =
            sums.count ? 100 * (double)sums.late / (double)sums.count : 0;
        values[1][i] = (double)r->drive.busy_us / MILLION;
        values[2][i] = (double)r->drive.seeks;
        values[3][i] = (double)sums.longest_us / MILLION;
    }
    if (is_lacking(&lacking)) {
        fputs("  of different reads:", file);
        print_lacking(&lacking, file);
        fputc('\n', file);
    }
    for (uint32_t i = 0; i < 4; i++) {
        print_row(names[i], values[i], !is_lacking(&lacking), file);
        fputc('\n', file);
    }
}

void sim_compare_text(const struct sim_setting setting[2],
                      const struct sim_run *const pair[2], FILE *file)
{
    char name[256];

    fprintf(file, "  drive   %s, %s\n",
            report_name(setting[0].drive->name, name, 64),
            setting[0].drive->about);
    if (setting[0].clips)
        fprintf(file, "  clips   %s, by %s\n",
                report_name(setting[0].clips, name, sizeof name),
                game_order_names[pair[0]->order]);
    if (setting[0].trace)
        fprintf(file, "  reads   %s, %s, by %s\n",
                report_name(setting[0].trace, name, sizeof name),
                setting[0].chained > 0 ? "closed loop" : "open loop",
                game_order_names[pair[0]->order]);
    for (uint32_t i = 0; i < 2; i++)
        fprintf(file, "  %c       %s\n", (char)('A' + i),
                report_name(setting[i].layout, name, sizeof name));
    fprintf(file, "\n  %-33s %12s %12s %10s\n",
            setting[0].trace ? "ready after, s" : "", "A", "B", "B for A");
    print_scenes(setting, pair, file);
    if (setting[0].trace)
        fputc('\n', file);
    print_drives(setting, pair, file);
    if (pair[0]->record.clips.clip_count > 0) {
        clips_report_head(file);
        clips_report_row(&pair[0]->record.clips, "A", file);
        clips_report_row(&pair[1]->record.clips, "B", file);
    }
    if (pair[0]->record.cache_count > 0) {
        played_caches_head(file);
        for (uint32_t i = 0; i < 2; i++)
            played_caches_row(pair[i]->record.caches,
                              pair[i]->record.cache_count, i == 0 ? "A" : "B",
                              file);
    }
}
