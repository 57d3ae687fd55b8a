/* bench_realtime.c - how closely `play --realtime` follows the drive's times.
 *
 * The tool's own run: threads that decode, an update for each picture, streams
 * of a real clip on an emulated drive. A read is in time when the io thread
 * notices its end at most 2 ms after the computed time. On an idle machine 99 %
 * of the reads should be in time. (bench_emulator prints percentiles of reads
 * alone.) Arguments: seconds for each drive (20).
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compile.h"
#include "harness.h"
#include "player/play.h"

#include <stdio.h>
#include <stdlib.h>

#define STREAMS 8u

static struct diag diag;

static void compile_clip(const char *path)
{
    struct compile_options options;
    struct compile_report report;

    compile_options_default(&options);
    options.input = "tests/data/demo.abc";
    options.output = path;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        exit(1);
}

static void measure(const char *drive, const char *path, double seconds)
{
    const struct play_options options = {.files = &path,
                                         .file_count = 1,
                                         .stream_count = STREAMS,
                                         .seconds = seconds,
                                         .rate = 60,
                                         .heap_mib = 64,
                                         .worker_count = UINT32_MAX,
                                         .drive = drive};
    struct play_report report;
    struct arena arena;
    const spn_emulator_stats *s = &report.drive;

    arena_init(&arena);
    if (!play_run(&options, &arena, &diag, &report) || s->reads == 0)
        exit(1);
    printf("realtime_play/%s,%llu,%.2f,%.2f,%.1f\n", drive,
           (unsigned long long)s->reads,
           100.0 * (double)(s->reads - s->taken_late) / (double)s->reads,
           (double)s->latest_us * 1e-3,
           (double)s->busy_us * 1e-4 / report.seconds);
    fflush(stdout);
    play_report_free(&report);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 20;
    char path[512];

    diag_init(&diag);
    snprintf(path, sizeof path, "%s/demo.sgc", test_temp());
    compile_clip(path);
    printf("name,reads,within 2 ms %%,worst ms,busy %%\n");
    measure("x360_dvd12x", path, seconds);
    measure("wii_dvd6x", path, seconds);
    measure("hdd_5400", path, seconds);
    diag_finish(&diag);
    return 0;
}
