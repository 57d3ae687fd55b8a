/* play_report.c - print the measurements of a run, as text and JSON. */
/* SPDX-License-Identifier: MIT */
#include "player/play_report.h"

#include "common/report.h"
#include "simulate/clips_report.h"
#include "simulate/run_report.h"

#include <stdio.h>

/* Frames that were due during playback; at least 1. */
static double frames(const struct play_report *r)
{
    double count = (double)r->frames_shown + r->frames_late;

    return count > 0 ? count : 1;
}

static const char *order_name(const struct play_report *r)
{
    return r->order == SPN_ORDER_DEADLINE ? "deadline" : "key";
}

/* Print what the runtime did with the reads of the drive. */
static void print_order(const struct play_report *r)
{
    char size[16];

    printf("  order             %s, %llu coalesced, %s of gaps\n",
           order_name(r), (unsigned long long)r->reads_coalesced,
           report_bytes((double)r->gap_bytes, size));
    printf("  admitted          %u for %.0f %% of the drive, %u degraded, %u "
           "refused; late of the admitted: %u\n",
           r->admitted_count, r->drive_permille * 0.1, r->degraded_count,
           r->refused_count, r->admitted_late);
}

/* Print the memory of each table that this configuration has. */
static void print_memory(const spn_memory_report *memory)
{
    for (uint32_t i = 0; i < SPN_MEMORY_TABLE_COUNT; i++) {
        const spn_memory_row *row = &memory->rows[i];

        if (row->bytes == 0)
            continue;
        printf("    %-12s %12llu bytes", row->name,
               (unsigned long long)row->bytes);
        if (row->count > 0)
            printf(", %llu for each of %u",
                   (unsigned long long)(row->bytes / row->count), row->count);
        if (row->grows_by[0])
            printf(" (%s)", row->grows_by);
        printf("\n");
    }
}

static void add_memory(cJSON *json, const spn_memory_report *memory)
{
    cJSON *rows = report_array(json, "memory");

    for (uint32_t i = 0; i < SPN_MEMORY_TABLE_COUNT; i++) {
        cJSON *row = report_item(rows);

        report_text(row, "table", memory->rows[i].name);
        report_number(row, "bytes", (double)memory->rows[i].bytes);
        report_number(row, "count", memory->rows[i].count);
    }
}

/* Print whether the machine delivered the drive's reads in time. On the real
 * clock only. */
static void print_punctuality(const struct play_report *r)
{
    const spn_emulator_stats *s = &r->drive;
    uint64_t in_time = s->reads > s->taken_late ? s->reads - s->taken_late : 0;

    printf("  kept to its time  %.1f %% of reads within %.0f ms, the worst "
           "%.1f ms late\n",
           s->reads ? 100.0 * (double)in_time / (double)s->reads : 100.0,
           SPN_EMULATOR_LATE_US * 1e-3, (double)s->latest_us * 1e-3);
}

/* The share of time in which the drive was busy. An access that has not ended
 * counts whole. */
static double busy_share(const struct play_report *r)
{
    double part = (double)r->drive.busy_us * 1e-6 / r->seconds;

    return part < 1 ? part : 1;
}

static void print_drive(const struct play_report *r, bool is_virtual)
{
    const spn_emulator_stats *s = &r->drive;

    printf("  drive             %s, %.0f %% busy, %.2f seeks a second\n",
           r->drive_name, 100 * busy_share(r), (double)s->seeks / r->seconds);
    printf("  head              %.2f s of seeks over %.1f mm\n",
           (double)s->seek_us * 1e-6, (double)s->travel_um * 1e-3);
    printf("  disc              %.2f s of rotation, %.2f s of transfer, %.2f s "
           "of gaps\n",
           (double)s->rotate_us * 1e-6, (double)s->transfer_us * 1e-6,
           (double)s->gap_us * 1e-6);
    printf("  read ahead        %llu hits in %llu reads\n",
           (unsigned long long)s->buffer_hits, (unsigned long long)s->reads);
    printf("  retries           %llu, %.2f s\n", (unsigned long long)s->retries,
           (double)s->retry_us * 1e-6);
    if (!is_virtual)
        print_punctuality(r);
    print_order(r);
}

static struct reported_run reported(struct play_report *r)
{
    return (struct reported_run){.order = order_name(r),
                                 .tally = &r->reads.tally,
                                 .drive = &r->drive,
                                 .time_us = r->reads.end_us - r->reads.begin_us,
                                 .done = r->reads.done,
                                 .failed = r->reads.failed,
                                 .bytes = r->reads.bytes};
}

void play_report_text(struct play_report *r, bool is_virtual)
{
    char size[4][16];

    printf("played %.2f s, %u %s, %s clock\n", r->seconds, r->stream_count,
           r->stream_count == 1 ? "stream" : "streams",
           is_virtual ? "virtual" : "real");
    printf("  ready after       %.0f ms\n", r->start_s * 1e3);
    printf("  frames            %u shown, %u left out, %u late (%u after the "
           "first second)\n",
           r->frames_shown, r->frames_left_out, r->frames_late,
           r->frames_late - r->frames_late_at_1s);
    printf("  trouble           %u dropped, %u stalls\n", r->frames_dropped,
           r->stalls);
    printf("  pictures          %u, %u overruns\n", r->pictures, r->overruns);
    printf("  read              %s, %.2f MB/s\n",
           report_bytes((double)r->bytes_read, size[0]),
           (double)r->bytes_read / r->seconds / 1e6);
    if (r->has_drive)
        print_drive(r, is_virtual);
    printf("  least buffered    %.0f ms\n", r->buffered_min_s * 1e3);
    printf("  memory            %s, of it heap %s\n",
           report_bytes((double)r->memory_bytes, size[0]),
           report_bytes((double)r->heap_bytes, size[1]));
    if (r->has_memory)
        print_memory(&r->memory);
    printf("  heap peak         %s used, %s live, %s static; %llu waits\n",
           report_bytes((double)r->used_bytes_peak, size[0]),
           report_bytes((double)r->live_bytes_peak, size[1]),
           report_bytes((double)r->static_bytes, size[2]),
           (unsigned long long)r->heap_waits);
    printf("  from memory       %u of %u %s\n", r->from_memory_count,
           r->cache_count, r->cache_count == 1 ? "cache" : "caches");
    clips_report_text(&r->clips);
    printf("  decode            %.3f ms a frame\n",
           r->decode_s * 1e3 / frames(r));
    printf("  fill              %.3f ms a picture, %.1f ns a vertex\n",
           r->fill_s * 1e3 / (r->pictures ? r->pictures : 1),
           r->vertices_filled > 0 ? r->fill_s * 1e9 / (double)r->vertices_filled
                                  : 0);
    printf("  frame hash        %016llx over %u frames\n",
           (unsigned long long)r->frame_hash, r->frames_distinct);
    clips_report_table(&r->clips, stdout);
    if (r->snapshot.is_taken)
        printf("\nAfter %.3f s:\n%s", r->snapshot.seconds, r->snapshot.text);
    if (r->has_drive) {
        const struct reported_run run = reported(r);

        putchar('\n');
        run_report_text(&run, 1, stdout);
    }
}

static void add_order(cJSON *drive, const struct play_report *r)
{
    report_text(drive, "order", order_name(r));
    report_number(drive, "reads_coalesced", (double)r->reads_coalesced);
    report_number(drive, "gap_bytes", (double)r->gap_bytes);
    report_number(drive, "streams_admitted", r->admitted_count);
    report_number(drive, "admitted_late", r->admitted_late);
    report_number(drive, "streams_degraded", r->degraded_count);
    report_number(drive, "streams_refused", r->refused_count);
    report_number(drive, "admitted_share", r->drive_permille * 1e-3);
}

static void add_drive(cJSON *json, struct play_report *r)
{
    const spn_emulator_stats *s = &r->drive;
    const struct reported_run run = reported(r);
    cJSON *drive;

    report_number(json, "disc_busy_s", (double)s->busy_us * 1e-6);
    report_number(json, "disc_seeks", (double)s->seeks);
    drive = report_object(json, "drive");
    report_text(drive, "name", r->drive_name);
    report_number(drive, "busy_share", busy_share(r));
    report_number(drive, "busy_ms", (double)s->busy_us * 1e-3);
    report_number(drive, "reads", (double)s->reads);
    report_number(drive, "bytes", (double)s->bytes);
    report_number(drive, "seeks", (double)s->seeks);
    report_number(drive, "head_travel_mm", (double)s->travel_um * 1e-3);
    report_number(drive, "command_ms", (double)s->command_us * 1e-3);
    report_number(drive, "seek_ms", (double)s->seek_us * 1e-3);
    report_number(drive, "rotation_ms", (double)s->rotate_us * 1e-3);
    report_number(drive, "gap_ms", (double)s->gap_us * 1e-3);
    report_number(drive, "transfer_ms", (double)s->transfer_us * 1e-3);
    report_number(drive, "retries", (double)s->retries);
    report_number(drive, "retry_ms", (double)s->retry_us * 1e-3);
    report_number(drive, "read_ahead_hits", (double)s->buffer_hits);
    report_number(drive, "taken_late", (double)s->taken_late);
    report_number(drive, "latest_ms", (double)s->latest_us * 1e-3);
    add_order(drive, r);
    run_report_json(&run, report_object(json, "run"));
}

/* Add the files with frames that were not shown. */
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

bool play_report_json(struct play_report *r, bool is_virtual, struct diag *diag)
{
    cJSON *json = report_begin("play");

    report_bool(json, "is_virtual", is_virtual);
    report_number(json, "seconds", r->seconds);
    report_number(json, "streams", r->stream_count);
    report_number(json, "start_ms", r->start_s * 1e3);
    report_number(json, "frames_shown", r->frames_shown);
    report_number(json, "frames_left_out", r->frames_left_out);
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
    if (r->has_drive)
        add_drive(json, r);
    report_number(json, "buffered_min_ms", r->buffered_min_s * 1e3);
    report_number(json, "memory_bytes", (double)r->memory_bytes);
    report_number(json, "heap_bytes", (double)r->heap_bytes);
    if (r->has_memory)
        add_memory(json, &r->memory);
    report_number(json, "heap_used_bytes_peak", (double)r->used_bytes_peak);
    report_number(json, "heap_live_bytes_peak", (double)r->live_bytes_peak);
    report_number(json, "static_bytes", (double)r->static_bytes);
    report_number(json, "heap_waits", (double)r->heap_waits);
    report_number(json, "caches", r->cache_count);
    report_number(json, "caches_from_memory", r->from_memory_count);
    report_number(json, "decode_ms_per_frame", r->decode_s * 1e3 / frames(r));
    report_number(json, "fill_ms_per_picture",
                  r->fill_s * 1e3 / (r->pictures ? r->pictures : 1));
    report_number(json, "vertices_filled", (double)r->vertices_filled);
    report_number(json, "frames_distinct", r->frames_distinct);
    report_number(json, "frames_unequal", r->frames_unequal);
    report_hash(json, "frame_hash", r->frame_hash);
    clips_report_json(&r->clips, json);
    if (r->snapshot.is_taken)
        play_snapshot_json(&r->snapshot, json);
    return report_end(json, diag);
}
