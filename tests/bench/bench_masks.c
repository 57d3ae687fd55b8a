/* bench_masks.c - what decoding costs if half of the meshes are left out.
 *
 * A crowd of 16 lifted cloths of 2,116 vertices each is played once, 121
 * frames, on one thread and a disc without delays. The row has the processor
 * time of decoding in ms, with all meshes and with every second one
 * (spn_node_set_mesh_mask), and the ratio.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/compile.h"
#include "harness.h"
#include "support/bench.h"
#include "support/crowd_archive.h"
#include "support/slow_platform.h"

#include <spindle/listener.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOTHS = 16, SIDE = 46, FRAMES = 121, TICK_US = 16667, RUNS = 5 };

struct times {
    double begin_us;
    double decode_us; /* of all frames */
};

static void stop(const char *what)
{
    fprintf(stderr, "bench_masks: %s\n", what);
    exit(1);
}

static void must(spn_status status, const char *what)
{
    if (status != SPN_OK)
        stop(what);
}

static void on_begin(void *user, const spn_event *event)
{
    struct times *times = user;

    (void)event;
    times->begin_us = bench_cpu_us();
}

static void on_end(void *user, const spn_event *event)
{
    struct times *times = user;

    (void)event;
    times->decode_us += bench_cpu_us() - times->begin_us;
}

static uint8_t *compile(size_t *bytes)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char archive[512];
    char cache[512];
    uint8_t *clip;
    FILE *file;

    snprintf(archive, sizeof archive, "%s/crowd.abc", test_temp());
    snprintf(cache, sizeof cache, "%s/crowd.sgc", test_temp());
    crowd_archive_write(archive, CLOTHS, SIDE, FRAMES);
    diag_init(&diag);
    diag.is_quiet = true;
    compile_options_default(&options);
    options.input = archive;
    options.output = cache;
    options.is_lifted = true;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        stop("compile");
    diag_finish(&diag);
    file = fopen(cache, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop("open");
    *bytes = (size_t)ftell(file);
    rewind(file);
    clip = malloc(*bytes);
    if (!clip || fread(clip, 1, *bytes, file) != *bytes)
        stop("read");
    fclose(file);
    return clip;
}

static void tick(spn_runtime *rt, struct slow_platform *disc)
{
    disc->clock_us += TICK_US;
    spn_update(rt);
}

static void play(spn_runtime *rt, struct slow_platform *disc, uint32_t mask)
{
    spn_status status = SPN_PENDING;
    spn_node_state state = {0};
    spn_cache cache;
    spn_node node;

    must(spn_cache_open(rt, "crowd", &cache), "spn_cache_open");
    while (status == SPN_PENDING) {
        tick(rt, disc);
        status = spn_cache_get_status(rt, cache, NULL);
    }
    must(status, "spn_cache_get_status");
    must(spn_node_create(rt, cache, NULL, &node), "spn_node_create");
    must(spn_node_set_mesh_mask(rt, node, &mask, 1), "spn_node_set_mesh_mask");
    must(spn_node_start_streaming(rt, node, 0), "spn_node_start_streaming");
    while (!state.is_ready) {
        tick(rt, disc);
        must(spn_node_get_state(rt, node, &state), "spn_node_get_state");
    }
    for (int64_t us = 0; us < FRAMES * 33333; us += TICK_US) {
        must(spn_node_set_playback_time(rt, node, us), "time");
        tick(rt, disc);
    }
    must(spn_node_get_state(rt, node, &state), "spn_node_get_state");
    if (state.frames_late > 0)
        stop("a frame is late");
}

/* Play once. Returns the processor time of decoding. */
static double decode_us(const void *clip, size_t bytes, uint32_t mask)
{
    struct times times = {0};
    const spn_listener listener = {.user = &times,
                                   .decompress_begin = on_begin,
                                   .decompress_end = on_end,
                                   .decode_begin = on_begin,
                                   .decode_end = on_end};
    struct slow_platform disc;
    const spn_config config = {.platform = &disc.table, .listener = &listener};
    spn_runtime *rt;
    size_t needed;
    void *memory;

    slow_platform_init(&disc);
    slow_platform_add(&disc, "crowd", clip, bytes);
    needed = spn_memory_needed(&config);
    memory = aligned_alloc(64, (needed + 63) / 64 * 64);
    if (!memory)
        stop("no memory");
    must(spn_init(&config, memory, needed, &rt), "spn_init");
    play(rt, &disc, mask);
    spn_shutdown(rt);
    free(memory);
    return times.decode_us;
}

/* The least of several runs: interruptions only add time. */
static double least_us(const void *clip, size_t bytes, uint32_t mask)
{
    double least = decode_us(clip, bytes, mask);

    for (int i = 1; i < RUNS; i++) {
        const double us = decode_us(clip, bytes, mask);

        least = us < least ? us : least;
    }
    return least;
}

int main(void)
{
    size_t bytes;
    uint8_t *clip = compile(&bytes);
    const double all_us = least_us(clip, bytes, 0xffff);
    const double half_us = least_us(clip, bytes, 0x5555);

    printf("name,all_ms,half_ms,of_all\n");
    printf("crowd,%.1f,%.1f,%.3f\n", all_us / 1000, half_us / 1000,
           half_us / all_us);
    free(clip);
    return 0;
}
