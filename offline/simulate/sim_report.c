/* sim_report.c - two tables of a row for each order. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_report.h"

#define MILLION 1e6

const char *const sim_class_names[SWEEP_CLASSES] = {"sound", "clip", "stream",
                                                    "bulk"};

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double mean_ms(const struct tally_class *c)
{
    return share(c->sum_us, c->count) / 1e3;
}

static uint64_t longest_us(const struct tally *tally)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < SWEEP_CLASSES; i++)
        if (tally->classes[i].longest_us > longest)
            longest = tally->classes[i].longest_us;
    return longest;
}

/* Bytes a second, with and without what is not transfer. */
static double rate(const struct sim_record *r)
{
    return share(r->bytes, r->time_us) * MILLION;
}

static double bound(const struct sim_record *r)
{
    return share(r->drive.bytes, r->drive.transfer_us) * MILLION;
}

/* A read that is under way in the end is counted whole. */
static double busy(const struct sim_record *r)
{
    double part = share(r->drive.busy_us, r->time_us);

    return part < 1 ? part : 1;
}

/* ---- words ------------------------------------------------------------------
 */

static void print_setting(const struct sim_setting *s,
                          const struct sim_record *r, FILE *file)
{
    char name[256];

    fprintf(file, "  drive   %s, %s\n", report_name(s->drive->name, name, 64),
            s->drive->about);
    if (s->trace)
        fprintf(file, "  reads   %s", report_name(s->trace, name, sizeof name));
    else
        fprintf(file, "  reads   made up, load %.2f, seed %u", s->load,
                (unsigned)s->seed);
    if (s->trace)
        fprintf(file, " on %s", report_name(s->layout, name, sizeof name));
    else
        fprintf(file, ", files %s", s->layout);
    if (s->fault_count > 0)
        fprintf(file, ", %u faults", (unsigned)s->fault_count);
    fprintf(file, ", %.1f s\n\n", (double)r->time_us / MILLION);
}

static void print_drive(const struct sim_run *run, FILE *file)
{
    const struct sim_record *r = &run->record;
    const spn_emulator_stats *d = &r->drive;

    fprintf(file,
            "  %-7s %7.2f %6llu %5llu %7.1f %7.1f %7.1f %8.2f %6.2f %6.2f "
            "%5.0f %8.1f\n",
            policy_names[run->order],
            100 * share(tally_late(&r->tally), tally_count(&r->tally)),
            (unsigned long long)r->done, (unsigned long long)r->failed,
            100 * busy(r), (double)d->seek_us / MILLION,
            (double)d->rotate_us / MILLION, (double)d->travel_um / MILLION,
            rate(r) / MILLION, bound(r) / MILLION,
            100 * share(d->transfer_us, d->busy_us),
            (double)longest_us(&r->tally) / MILLION);
}

static void print_latency(struct sim_run *run, FILE *file)
{
    fprintf(file, "  %-7s", policy_names[run->order]);
    for (uint32_t i = 0; i < SWEEP_CLASSES; i++) {
        struct tally *t = &run->record.tally;
        char text[64];

        snprintf(text, sizeof text, "%.0f / %.0f / %.0f",
                 mean_ms(&t->classes[i]),
                 (double)tally_wait_us(t, (enum sweep_class)i, 950) / 1e3,
                 (double)tally_wait_us(t, (enum sweep_class)i, 990) / 1e3);
        fprintf(file, " %20s", text);
    }
    fputc('\n', file);
}

void sim_report_words(const struct sim_setting *setting, struct sim_run *runs,
                      uint32_t count, FILE *file)
{
    print_setting(setting, &runs[0].record, file);
    fputs("  order    late %  reads fails  busy %  seek s  turn s travel m   "
          "MB/s  bound xfer % longest s\n",
          file);
    for (uint32_t i = 0; i < count; i++)
        print_drive(&runs[i], file);
    fputs("\n  waits, ms: mean / 95 % / 99 %\n  order  ", file);
    for (uint32_t i = 0; i < SWEEP_CLASSES; i++)
        fprintf(file, " %20s", sim_class_names[i]);
    fputc('\n', file);
    for (uint32_t i = 0; i < count; i++)
        print_latency(&runs[i], file);
}

/* ---- for machines -----------------------------------------------------------
 */

static void add_classes(struct tally *tally, cJSON *object)
{
    for (uint32_t i = 0; i < SWEEP_CLASSES; i++) {
        const struct tally_class *c = &tally->classes[i];
        cJSON *item = report_object(object, sim_class_names[i]);
        enum sweep_class class = (enum sweep_class)i;

        report_number(item, "reads", (double)c->count);
        report_number(item, "late", (double)c->late);
        report_number(item, "bytes", (double)c->bytes);
        report_number(item, "mean_ms", mean_ms(c));
        report_number(item, "p95_ms",
                      (double)tally_wait_us(tally, class, 950) / 1e3);
        report_number(item, "p99_ms",
                      (double)tally_wait_us(tally, class, 990) / 1e3);
        report_number(item, "longest_ms", (double)c->longest_us / 1e3);
    }
}

static void add_drive(const struct sim_record *r, cJSON *object)
{
    const spn_emulator_stats *d = &r->drive;

    report_number(object, "busy_share", busy(r));
    report_number(object, "busy_ms", (double)d->busy_us / 1e3);
    report_number(object, "seeks", (double)d->seeks);
    report_number(object, "seek_ms", (double)d->seek_us / 1e3);
    report_number(object, "rotate_ms", (double)d->rotate_us / 1e3);
    report_number(object, "gap_ms", (double)d->gap_us / 1e3);
    report_number(object, "transfer_ms", (double)d->transfer_us / 1e3);
    report_number(object, "retry_ms", (double)d->retry_us / 1e3);
    report_number(object, "wait_ms", (double)d->wait_us / 1e3);
    report_number(object, "travel_mm", (double)d->travel_um / 1e3);
    report_number(object, "buffer_hits", (double)d->buffer_hits);
    report_number(object, "bytes", (double)d->bytes);
    report_number(object, "bytes_per_second", rate(r));
    report_number(object, "bound_bytes_per_second", bound(r));
}

static void add_run(struct sim_run *run, cJSON *item)
{
    struct sim_record *r = &run->record;

    report_text(item, "order", policy_names[run->order]);
    report_text(item, "chosen_by",
                game_sim_is_own(run->order) ? "runtime" : "simulator");
    report_number(item, "seconds", (double)r->time_us / MILLION);
    report_number(item, "asked", (double)r->asked);
    report_number(item, "done", (double)r->done);
    report_number(item, "failed", (double)r->failed);
    report_number(item, "dropped", (double)r->dropped);
    report_number(item, "waiting", (double)r->waiting);
    report_number(item, "bytes", (double)r->bytes);
    report_number(item, "late", (double)tally_late(&r->tally));
    report_number(item, "late_share",
                  share(tally_late(&r->tally), tally_count(&r->tally)));
    report_number(item, "longest_ms", (double)longest_us(&r->tally) / 1e3);
    report_number(item, "depth_max", r->depth_max);
    report_number(item, "heap_peak_bytes", (double)r->heap.used_bytes_peak);
    report_number(item, "heap_failed", r->heap.failed);
    add_classes(&r->tally, report_object(item, "classes"));
    add_drive(r, report_object(item, "drive"));
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
    } else {
        report_number(object, "load", s->load);
        report_number(object, "seed", s->seed);
    }
    report_number(object, "faults", s->fault_count);
    array = report_array(object, "runs");
    for (uint32_t i = 0; i < count; i++)
        add_run(&runs[i], report_item(array));
}
