/* bench_emulator.c - how late reads end in real time, after the time at which
 * the emulated drive completes them.
 *
 * A runtime with its threads reads files that are scattered over the disc. A
 * table between the runtime and the emulator records times. A read is due at
 * the drive's time, and ends when the io thread polls its completion. Nothing
 * else runs, so the figures show the machine's wake-up latency. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "host/host.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES 8u
#define FILE_BYTES (1u << 20)
#define READ_BYTES 65536u
#define READS_MAX 1000u

struct meter {
    spn_platform inner; /* the emulator's table */
    spn_emulator *emulator;
    uint64_t due_us;
    uint32_t count;
    uint64_t late_us[READS_MAX];
};

static struct meter meter;
static uint32_t ended;

/* -- the table between runtime and emulator -- */

static spn_status on_file_open(void *user, const char *path,
                               spn_platform_file_info *info)
{
    (void)user;
    return meter.inner.file_open(meter.inner.user, path, info);
}

static void on_file_close(void *user, spn_platform_file file)
{
    (void)user;
    meter.inner.file_close(meter.inner.user, file);
}

static spn_status on_read_submit(void *user, spn_platform_file file,
                                 uint64_t offset, const spn_extent *extents,
                                 uint32_t extent_count, uint32_t tag)
{
    spn_status status = meter.inner.read_submit(meter.inner.user, file, offset,
                                                extents, extent_count, tag);

    (void)user;
    /* There is one drive, and the files are in memory: the time is that of this
     * read. */
    meter.due_us = spn_emulator_due_us(meter.emulator);
    return status;
}

static spn_status on_read_poll(void *user, spn_platform_completion *out,
                               uint64_t *due_us)
{
    spn_status status = meter.inner.read_poll(meter.inner.user, out, due_us);
    uint64_t now_us = meter.inner.now_us(meter.inner.user);

    (void)user;
    if (status == SPN_OK && meter.count < READS_MAX)
        meter.late_us[meter.count++] = now_us - meter.due_us;
    return status;
}

/* -- one drive -- */

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

static void on_done(const spn_read_result *result)
{
    if (result->status != SPN_OK)
        exit(1);
    ended++;
}

/* Read one after the other, polling every millisecond. */
static void read_all(spn_runtime *rt, const spn_platform *platform,
                     char paths[FILES][512], uint32_t count)
{
    static uint8_t buffer[READ_BYTES];
    struct test_random random = {1};
    uint64_t event;

    if (platform->event_create(platform->user, SPN_EVENT_FOR_WAITER, &event) !=
        SPN_OK)
        exit(1);
    for (ended = 0; ended < count;) {
        spn_read_desc desc = {.path = paths[test_random_below(&random, FILES)],
                              .offset = (uint64_t)READ_BYTES *
                                        test_random_below(&random, 16),
                              .bytes = READ_BYTES,
                              .buffer = buffer,
                              .buffer_bytes = sizeof buffer,
                              .priority = SPN_PRIORITY_NORMAL,
                              .on_done = on_done};
        uint32_t before = ended;
        spn_read read;

        if (spn_read_start(rt, &desc, &read) != SPN_OK)
            exit(1);
        while (ended == before) {
            platform->event_wait(platform->user, event,
                                 platform->now_us(platform->user) + 1000);
            spn_update(rt);
        }
    }
    platform->event_destroy(platform->user, event);
}

static void print(const char *name)
{
    static const uint32_t percents[] = {50, 90, 99, 100};

    qsort(meter.late_us, meter.count, sizeof meter.late_us[0], compare);
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        uint32_t index = (meter.count * percents[i] + 99) / 100 - 1;

        printf("realtime_late_p%u/%s,%u,%llu\n", (unsigned)percents[i], name,
               (unsigned)meter.count, (unsigned long long)meter.late_us[index]);
    }
    fflush(stdout);
}

static void measure(const char *name, uint32_t count, char paths[FILES][512])
{
    spn_emulator_drive drive = {.profile = spn_drive_profile_find(name)};
    spn_emulator_place places[FILES];
    spn_platform real;
    spn_emulator_config config = {.platform = &real,
                                  .drives = &drive,
                                  .drive_count = 1,
                                  .places = places,
                                  .place_count = FILES};
    spn_platform platform;
    spn_config runtime = {.platform = &platform, .heap_bytes = 1u << 20};
    spn_emulator *emulator;
    spn_runtime *rt;
    void *memory[3];
    size_t bytes;

    memory[0] = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    if (host_platform_init(memory[0], host_platform_bytes(), &real))
        exit(1);
    for (uint32_t i = 0; i < FILES; i++)
        places[i] = (spn_emulator_place){
            paths[i], 0, drive.profile->layer_bytes / FILES * i};
    bytes = (spn_emulator_bytes(&config) + 63) / 64 * 64;
    memory[1] = aligned_alloc(64, bytes);
    if (spn_emulator_init(&config, memory[1], bytes, &emulator, &meter.inner))
        exit(1);
    meter.emulator = emulator;
    meter.count = 0;
    platform = meter.inner;
    platform.file_open = on_file_open;
    platform.file_close = on_file_close;
    platform.read_submit = on_read_submit;
    platform.read_poll = on_read_poll;
    platform.read_cancel = NULL;
    bytes = (spn_memory_needed(&runtime) + 63) / 64 * 64;
    memory[2] = aligned_alloc(64, bytes);
    if (spn_init(&runtime, memory[2], bytes, &rt))
        exit(1);
    read_all(rt, &platform, paths, count);
    spn_shutdown(rt);
    print(name);
    for (int i = 0; i < 3; i++)
        free(memory[i]);
}

int main(void)
{
    static char paths[FILES][512];

    for (uint32_t i = 0; i < FILES; i++) {
        FILE *file;

        snprintf(paths[i], sizeof paths[i], "%s/%u", test_temp(), i);
        file = fopen(paths[i], "wb");
        if (!file || fseek(file, FILE_BYTES - 1, SEEK_SET) != 0 ||
            fputc(0, file) == EOF || fclose(file) != 0)
            return 1;
    }
    printf("name,reads,us\n");
    measure("x360_dvd12x", 60, paths);
    measure("hdd_5400", 300, paths);
    return 0;
}
