/* sim_report.c - the setting, then a row for each order of reads. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_report.h"

#include "simulate/clips_report.h"
#include "simulate/run_report.h"

#include <math.h>

#define MILLION 1e6

static struct reported_run reported(struct sim_run *run)
{
    struct sim_record *r = &run->record;

    return (struct reported_run){.order = game_order_names[run->order],
                                 .tally = &r->tally,
                                 .drive = &r->drive,
                                 .time_us = r->time_us,
                                 .done = r->done,
                                 .failed = r->failed,
                                 .unanswered = r->unanswered,
                                 .bytes = r->bytes,
                                 .stored_bytes = r->stored_bytes};
}

/* -- text -- */

static void print_setting(const struct sim_setting *s,
                          const struct sim_record *r, FILE *file)
{
    char name[256];

    fprintf(file, "  drive   %s, %s\n", report_name(s->drive->name, name, 64),
            s->drive->about);
    if (s->clips)
        fprintf(file, "  clips   %s%s",
                report_name(s->clips, name, sizeof name), s->trace ? "\n" : "");
    if (s->trace)
        fprintf(file, "  reads   %s", report_name(s->trace, name, sizeof name));
    else if (!s->clips)
        fprintf(file, "  reads   made up, load %.2f, seed %u", s->load,
                (unsigned)s->seed);
    if (s->trace || s->clips)
        fprintf(file, " on %s", report_name(s->layout, name, sizeof name));
    if (s->trace)
        fprintf(file, ", %s", s->chained > 0 ? "closed loop" : "open loop");
    else if (!s->clips)
        fprintf(file, ", files %s", s->layout);
    if (s->fault_count > 0)
        fprintf(file, ", %u faults", (unsigned)s->fault_count);
    fprintf(file, ", %.1f s\n\n", (double)r->time_us / MILLION);
}

/* -- scenes -- */

/* Print the names of the orders as heads of columns. */
static void print_orders(const struct sim_run *runs, uint32_t count, FILE *file)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, " %8s", game_order_names[runs[i].order]);
    fputc('\n', file);
}

/* Print a result of a group of reads; without `value` "-", and the number of
 * failures if there are any. */
static void print_result(const struct sim_group *group, double value,
                         FILE *file)
{
    char text[24] = "-";

    if (group->failed > 0)
        snprintf(text, sizeof text, "%u fail", group->failed);
    else if (!isnan(value))
        snprintf(text, sizeof text, "%.2f", value);
    fprintf(file, " %8s", text);
}

static void print_visits(const struct sim_run *runs, uint32_t count, FILE *file)
{
    fprintf(file,
            "\n  scenes: ready after, s: from the start of its first read to "
            "the end of its last\n  %-33s %6s",
            "scene", "reads");
    print_orders(runs, count, file);
    for (uint32_t k = 0; k < runs[0].record.visit_count; k++) {
        const struct sim_group *visit = &runs[0].record.visits[k];
        char name[34];

        fprintf(file, "  %-33s %6u",
                report_name(visit->scene, name, sizeof name),
                (unsigned)visit->reads);
        for (uint32_t i = 0; i < count; i++)
            print_result(&runs[i].record.visits[k],
                         sim_visit_ready_s(&runs[i].record.visits[k]), file);
        fputc('\n', file);
    }
}

/* Duration of a burst divided by its pure transfer time. NAN: not all reads
 * have succeeded. */
static double burst_times(const struct sim_group *burst)
{
    return sim_burst_is_over(burst) && burst->transfer_us > 0
               ? (double)(burst->end_us - burst->at_us) /
                     (double)burst->transfer_us
               : NAN;
}

static void print_bursts(const struct sim_run *runs, uint32_t count, FILE *file)
{
    fprintf(file,
            "\n  what scenes want at once: its time, in times of its pure "
            "transfer\n  %-24s %8s %6s",
            "scene", "at s", "reads");
    print_orders(runs, count, file);
    for (uint32_t k = 0; k < runs[0].record.burst_count; k++) {
        const struct sim_group *burst = &runs[0].record.bursts[k];
        char name[25];

        fprintf(file, "  %-24s %8.1f %6u",
                report_name(burst->scene, name, sizeof name),
                (double)burst->at_us / MILLION, (unsigned)burst->reads);
        for (uint32_t i = 0; i < count; i++)
            print_result(&runs[i].record.bursts[k],
                         burst_times(&runs[i].record.bursts[k]), file);
        fputc('\n', file);
    }
}

/* A row for each order, then the clips in the first one. */
static void print_clips(const struct sim_run *runs, uint32_t count, FILE *file)
{
    clips_report_head(file);
    for (uint32_t i = 0; i < count; i++)
        clips_report_row(&runs[i].record.clips, game_order_names[runs[i].order],
                         file);
    clips_report_table(&runs[0].record.clips, file);
}

static void print_caches(const struct sim_run *runs, uint32_t count, FILE *file)
{
    played_caches_head(file);
    for (uint32_t i = 0; i < count; i++)
        played_caches_row(runs[i].record.caches, runs[i].record.cache_count,
                          game_order_names[runs[i].order], file);
}

void sim_report_text(const struct sim_setting *setting, struct sim_run *runs,
                     uint32_t count, FILE *file)
{
    struct reported_run rows[GAME_ORDERS];

    print_setting(setting, &runs[0].record, file);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = reported(&runs[i]);
    run_report_text(rows, count, file);
    if (runs[0].record.visit_count > 0)
        print_visits(runs, count, file);
    if (runs[0].record.burst_count > 0)
        print_bursts(runs, count, file);
    if (runs[0].record.clips.clip_count > 0)
        print_clips(runs, count, file);
    if (runs[0].record.cache_count > 0)
        print_caches(runs, count, file);
}

/* -- JSON -- */

static void add_bursts(const struct sim_record *r, cJSON *array)
{
    for (uint32_t i = 0; i < r->burst_count; i++) {
        const struct sim_group *burst = &r->bursts[i];
        cJSON *item = report_item(array);

        report_text(item, "scene", burst->scene);
        report_number(item, "at_ms", (double)burst->at_us / 1e3);
        report_number(item, "reads", burst->reads);
        report_number(item, "ended", burst->ended);
        report_number(item, "failed", burst->failed);
        report_number(item, "stored_bytes", (double)burst->stored_bytes);
        report_number(item, "transfer_ms", (double)burst->transfer_us / 1e3);
        report_number(item, "ms",
                      sim_burst_is_over(burst)
                          ? (double)(burst->end_us - burst->at_us) / 1e3
                          : NAN);
        report_number(item, "transfer_times", burst_times(burst));
    }
}

static void add_visits(const struct sim_record *r, cJSON *array)
{
    for (uint32_t i = 0; i < r->visit_count; i++) {
        const struct sim_group *visit = &r->visits[i];
        cJSON *item = report_item(array);
        uint64_t us;

        report_text(item, "scene", visit->scene);
        report_number(item, "reads", visit->reads);
        report_number(item, "left_out",
                      visit->limit - visit->first - visit->reads);
        report_number(item, "ended", visit->ended);
        report_number(item, "failed", visit->failed);
        report_number(item, "at_ms",
                      visit->begun > 0 ? (double)visit->at_us / 1e3 : NAN);
        report_number(item, "ready_ms",
                      sim_visit_is_ready(visit, &us) ? (double)us / 1e3 : NAN);
    }
}

static void add_clips(const struct sim_record *r, cJSON *item)
{
    cJSON *array;

    clips_report_json(&r->clips, item);
    array = report_array(item, "clip_memory");
    for (uint32_t i = 0; i < r->memory_count; i++) {
        report_add_number(array, (double)(r->memories[i].at_us / 100) / 10);
        report_add_number(array, (double)r->memories[i].bytes);
    }
}

static void add_run(struct sim_run *run, cJSON *item)
{
    const struct sim_record *r = &run->record;
    const struct reported_run row = reported(run);

    report_text(item, "order", row.order);
    report_text(item, "chosen_by",
                run->order == GAME_ORDER_FIFO ? "simulator" : "runtime");
    report_number(item, "requested", (double)r->requested);
    report_number(item, "dropped", (double)r->dropped);
    report_number(item, "stored_bytes", (double)r->stored_bytes);
    report_number(item, "packed_bytes", (double)r->io.packed_bytes);
    report_number(item, "unpacked_bytes", (double)r->io.unpacked_bytes);
    report_number(item, "copies_tried", (double)r->io.copies_tried);
    report_number(item, "mount_ms", (double)r->mount_us / 1e3);
    report_number(item, "depth_max", r->depth_max);
    report_number(item, "heap_peak_bytes", (double)r->heap.used_bytes_peak);
    report_number(item, "heap_failed", r->heap.failed);
    run_report_json(&row, item);
    add_bursts(r, report_array(item, "bursts"));
    add_visits(r, report_array(item, "scenes"));
    if (r->clips.clip_count > 0)
        add_clips(r, item);
    if (r->cache_count > 0)
        played_caches_json(r->caches, r->cache_count, item);
}

void sim_report_json(const struct sim_setting *s, struct sim_run *runs,
                     uint32_t count, cJSON *object)
{
    cJSON *array;

    report_text(object, "drive", s->drive->name);
    report_text(object, "layout", s->layout);
    if (s->trace) {
        report_text(object, "trace", s->trace);
        report_number(object, "left_out", s->left_out);
        report_text(object, "loop", s->chained > 0 ? "closed" : "open");
        report_number(object, "chained", s->chained);
    } else if (!s->clips) {
        report_number(object, "load", s->load);
        report_number(object, "seed", s->seed);
    }
    if (s->clips)
        report_text(object, "clips", s->clips);
    report_number(object, "faults", s->fault_count);
    array = report_array(object, "runs");
    for (uint32_t i = 0; i < count; i++)
        add_run(&runs[i], report_item(array));
}
