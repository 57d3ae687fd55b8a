/* run_report.c - the tables and the JSON of a tally and a drive. */
/* SPDX-License-Identifier: MIT */
#include "simulate/run_report.h"

#define MILLION 1e6

static const char *const class_names[DEADLINE_CLASSES] = {"sound", "clip",
                                                          "stream", "bulk"};

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double mean_ms(const struct tally_class *c)
{
    return share(c->sum_us, c->count) / 1e3;
}

static double wait_ms(const struct reported_run *r, uint32_t class,
                      uint32_t permille)
{
    return (double)tally_wait_us(r->tally, (enum deadline_class) class,
                                 permille) /
           1e3;
}

/* Bytes read per second: of the whole time, and of the transfer time alone. */
static double rate(const struct reported_run *r)
{
    return share(r->stored_bytes ? r->stored_bytes : r->bytes, r->time_us) *
           MILLION;
}

static double bound(const struct reported_run *r)
{
    return share(r->drive->bytes, r->drive->transfer_us) * MILLION;
}

/* The share of time in which the drive was busy. An access that has not ended
 * counts whole. */
static double busy(const struct reported_run *r)
{
    double part = share(r->drive->busy_us, r->time_us);

    return part < 1 ? part : 1;
}

/* -- text -- */

static void print_drive(const struct reported_run *r, FILE *file)
{
    const struct tally_sums sums = tally_sum(r->tally);
    const spn_emulator_stats *d = r->drive;

    fprintf(file,
            "  %-8s %6.2f %6llu %5llu %7.1f %7.1f %7.1f %8.2f %6.2f %6.2f "
            "%5.0f %8.1f\n",
            r->order, 100 * share(sums.late, sums.count),
            (unsigned long long)r->done, (unsigned long long)r->failed,
            100 * busy(r), (double)d->seek_us / MILLION,
            (double)d->rotate_us / MILLION, (double)d->travel_um / MILLION,
            rate(r) / MILLION, bound(r) / MILLION,
            100 * share(d->transfer_us, d->busy_us),
            (double)sums.longest_us / MILLION);
}

static void print_waits(const struct reported_run *r, FILE *file)
{
    fprintf(file, "  %-8s", r->order);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++) {
        char text[64];

        snprintf(text, sizeof text, "%.0f / %.0f / %.0f",
                 mean_ms(&r->tally->classes[i]), wait_ms(r, i, 950),
                 wait_ms(r, i, 990));
        fprintf(file, " %20s", text);
    }
    fputc('\n', file);
}

/* Print reads that still waited: those without a deadline appear in no other
 * column. */
static bool print_waiting(const struct reported_run *r, const char *before,
                          FILE *file)
{
    unsigned long long waiting = tally_sum(r->tally).waiting;
    const char *what = waiting == 1 ? "read still waited in the end"
                                    : "reads still waited in the end";

    if (waiting == 0)
        return false;
    if (r->unanswered > 0)
        what = waiting == 1 ? "read was never answered"
                            : "reads were never answered";
    fprintf(file, "%s  %-9s %llu %s\n", before, r->order, waiting, what);
    return true;
}

void run_report_text(const struct reported_run *runs, uint32_t count,
                     FILE *file)
{
    const char *before = "\n";

    fputs("  order    late %  reads fails  busy %  seek s  turn s travel m   "
          "MB/s  bound xfer % longest s\n",
          file);
    for (uint32_t i = 0; i < count; i++)
        print_drive(&runs[i], file);
    fputs("\n  waits, ms: mean / 95 % / 99 %\n  order   ", file);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        fprintf(file, " %20s", class_names[i]);
    fputc('\n', file);
    for (uint32_t i = 0; i < count; i++)
        print_waits(&runs[i], file);
    for (uint32_t i = 0; i < count; i++)
        if (print_waiting(&runs[i], before, file))
            before = "";
}

/* -- JSON -- */

static void add_classes(const struct reported_run *r, cJSON *object)
{
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++) {
        const struct tally_class *c = &r->tally->classes[i];
        cJSON *item = report_object(object, class_names[i]);

        report_number(item, "reads", (double)tally_class_count(c));
        report_number(item, "late", (double)c->late);
        report_number(item, "waiting", (double)c->waiting);
        report_number(item, "bytes", (double)c->bytes);
        report_number(item, "mean_ms", mean_ms(c));
        report_number(item, "p95_ms", wait_ms(r, i, 950));
        report_number(item, "p99_ms", wait_ms(r, i, 990));
        report_number(item, "longest_ms", (double)c->longest_us / 1e3);
    }
}

static void add_drive(const struct reported_run *r, cJSON *object)
{
    const spn_emulator_stats *d = r->drive;

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

void run_report_json(const struct reported_run *r, cJSON *object)
{
    const struct tally_sums sums = tally_sum(r->tally);

    report_number(object, "seconds", (double)r->time_us / MILLION);
    report_number(object, "done", (double)r->done);
    report_number(object, "failed", (double)r->failed);
    report_number(object, "waiting", (double)sums.waiting);
    report_number(object, "never_answered", (double)r->unanswered);
    report_number(object, "bytes", (double)r->bytes);
    report_number(object, "late", (double)sums.late);
    report_number(object, "late_share", share(sums.late, sums.count));
    report_number(object, "longest_ms", (double)sums.longest_us / 1e3);
    add_classes(r, report_object(object, "classes"));
    add_drive(r, report_object(object, "drive"));
}
