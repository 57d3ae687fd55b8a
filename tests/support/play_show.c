/* play_show.c - see play_show.h. */
/* SPDX-License-Identifier: MIT */
#include "support/play_show.h"

#include "base/endian.h"
#include "cache/cache_wire.h"
#include "compile/compile.h"
#include "harness.h"
#include "support/cache_checksums.h"

#include <spindle/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct show show;
const char *show_drive;
bool show_knows_drive;
cloth_place show_place;
uint64_t show_decode_us;

#define CLIPS_MAX 8u

/* The clips since show_free_clips, then the one that was made last. */
static void *clips[CLIPS_MAX];
static uint32_t clip_count;
static void *clip;
static size_t clip_bytes;

static void stop(const char *what)
{
    fprintf(stderr, "play_show: %s\n", what);
    exit(1);
}

/* -- the clip -- */

void show_load_clip(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(1);
    clip_bytes = (size_t)ftell(file);
    rewind(file);
    clip = malloc(clip_bytes);
    if (!clip || fread(clip, 1, clip_bytes, file) != clip_bytes)
        exit(1);
    fclose(file);
    if (clip_count == CLIPS_MAX)
        stop("too many clips");
    clips[clip_count++] = clip;
}

/* The archive has a frame a second; the clip is to have 30. */
static void set_times(void)
{
    struct wire_header *header = clip;
    struct wire_frame *frames;
    struct cache_parts parts;

    if (!cache_parts_find(clip, clip_bytes, &parts))
        exit(1);
    frames = (void *)((uint8_t *)clip + parts.frame_table);
    for (uint32_t i = 0; i < parts.frame_count; i++)
        spn_store_u64le(frames[i].time_us,
                        (uint64_t)spn_load_u32le(frames[i].number) *
                            SHOW_FRAME_US);
    spn_store_u64le(header->duration_us,
                    (uint64_t)(parts.frame_count - 1) * SHOW_FRAME_US);
    cache_checksums_correct(clip, clip_bytes);
}

void show_make_clip(uint32_t side, uint32_t frames, bool is_lifted)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;
    char archive[512];
    char cache[512];

    snprintf(archive, sizeof archive, "%s/cloth.abc", test_temp());
    snprintf(cache, sizeof cache, "%s/cloth.sgc", test_temp());
    grid_archive_write(archive, side, frames,
                       show_place ? show_place : cloth_archive_place);
    diag_init(&diag);
    compile_options_default(&options);
    options.input = archive;
    options.output = cache;
    options.is_lifted = is_lifted;
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        exit(1);
    diag_finish(&diag);
    show_load_clip(cache);
    set_times();
}

uint64_t show_make_long_clip(void)
{
    show_make_clip(SHOW_LONG_SIDE, SHOW_LONG_FRAMES, false);
    return show_heap_needed(1);
}

void show_free_clips(void)
{
    while (clip_count > 0)
        free(clips[--clip_count]);
    clip = NULL;
    clip_bytes = 0;
}

/* -- the runtime -- */

static void on_decompressed(void *user, const spn_event *event)
{
    struct show *s = user;

    s->decodes++;
    s->first_decodes += event->node == s->nodes[0];
}

static void on_decoded(void *user, const spn_event *event)
{
    struct show *s = user;

    if (show_decode_us > 0)
        play_worker_charge(&s->worker, event);
}

static const spn_listener listener = {
    .user = &show, .decompress_end = on_decompressed, .decode_end = on_decoded};

/* What threads would do until then: reads and jobs go on between updates. */
static void work_until(uint64_t end_us)
{
    for (;;) {
        uint64_t due_us;

        while (spn__runtime_step(show.rt, &due_us) > 0)
            continue;
        if (due_us >= end_us)
            break;
        if (due_us > show.disc.clock_us)
            show.disc.clock_us = due_us;
    }
    show.disc.clock_us = end_us;
}

void show_tick(void)
{
    if (show.emulator_memory)
        work_until(show.disc.clock_us + SHOW_TICK_US);
    else
        show.disc.clock_us += SHOW_TICK_US;
    if (show_decode_us > 0)
        play_worker_run(&show.worker, show.disc.clock_us);
    spn_update(show.rt);
    if (show_decode_us > 0)
        play_worker_run(&show.worker, show.disc.clock_us);
}

spn_emulator_stats show_drive_stats(void)
{
    spn_emulator_stats stats = {0};

    if (show.emulator_memory &&
        spn_emulator_get_stats(show.emulator, 0, &stats))
        exit(1);
    return stats;
}

static void start_drive(void)
{
    const spn_emulator_drive drive = {.profile =
                                          spn_drive_profile_find(show_drive)};
    const spn_emulator_config config = {
        .platform = &show.disc.table, .drives = &drive, .drive_count = 1};
    const size_t bytes = spn_emulator_bytes(&config);

    show.emulator_memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!show.emulator_memory ||
        spn_emulator_init(&config, show.emulator_memory, bytes, &show.emulator,
                          &show.drive))
        exit(1);
}

void show_start(uint64_t heap_bytes, void (*job_submit)(void *user))
{
    size_t bytes;

    memset(&show, 0, sizeof show);
    slow_platform_init(&show.disc);
    if (show_drive)
        start_drive();
    show.config =
        (spn_config){.platform = show_drive ? &show.drive : &show.disc.table,
                     .heap_bytes = (uint32_t)heap_bytes,
                     .node_count = SHOW_NODES_MAX,
                     .listener = job_submit ? NULL : &listener,
                     .job_submit = job_submit,
                     .job_gate = job_submit ? &show.gate : NULL};
    if (show_drive && show_knows_drive)
        show.config.media[SPN_MEDIUM_OPTICAL].drive =
            spn_drive_profile_find(show_drive);
    if (show_decode_us > 0)
        play_worker_init(&show.worker, show_decode_us, &show.config);
    bytes = spn_memory_needed(&show.config);
    show.memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!show.memory || spn_init(&show.config, show.memory, bytes, &show.rt))
        exit(1);
    show.worker.rt = show.rt;
}

bool show_open_clip(const char *path)
{
    spn_status status = SPN_PENDING;

    slow_platform_add(&show.disc, path, clip, clip_bytes);
    if (spn_cache_open(show.rt, path, &show.cache))
        exit(1);
    for (int i = 0; i < 10000 && status == SPN_PENDING; i++) {
        show_tick();
        while (show.config.job_submit && spn_job_step(&show.gate, 0))
            continue;
        status = spn_cache_get_status(show.rt, show.cache, NULL);
    }
    return status == SPN_OK &&
           spn_cache_get_info(show.rt, show.cache, &show.info) == SPN_OK;
}

bool show_try_open(uint64_t heap_bytes)
{
    show_start(heap_bytes, NULL);
    return show_open_clip("clip");
}

void show_open(uint64_t heap_bytes)
{
    if (!show_try_open(heap_bytes))
        stop("no room for the cache");
}

void show_close(void)
{
    spn_shutdown(show.rt);
    free(show.memory);
    free(show.emulator_memory);
}

uint64_t show_heap_needed(uint32_t nodes)
{
    uint64_t bytes = 0;

    show_open(256u << 20);
    if (spn_cache_heap_needed(show.rt, show.cache, nodes, &bytes))
        exit(1);
    show_close();
    return bytes;
}

void show_add_nodes(uint32_t count)
{
    const spn_node_desc desc = {.is_looping = 1};

    for (uint32_t i = 0; i < count; i++)
        if (spn_node_create(show.rt, show.cache, &desc, &show.nodes[i]))
            exit(1);
    show.node_count = count;
}

void show_set_time(int64_t time_us)
{
    for (uint32_t i = 0; i < show.node_count; i++)
        if (spn_node_set_playback_time(show.rt, show.nodes[i], time_us))
            exit(1);
}

spn_node_state show_state(uint32_t node)
{
    spn_node_state state;

    if (spn_node_get_state(show.rt, show.nodes[node], &state))
        exit(1);
    return state;
}

bool show_until_ready(uint32_t updates)
{
    for (uint32_t k = 0; k < updates; k++) {
        bool is_ready = true;

        for (uint32_t i = 0; i < show.node_count; i++)
            is_ready = is_ready && show_state(i).is_ready;
        if (is_ready)
            return true;
        show_tick();
    }
    return false;
}

void show_wait(void)
{
    if (!show_until_ready(1000))
        stop("no picture after 1000 updates");
}

void show_begin(uint32_t nodes, int64_t time_us)
{
    show_add_nodes(nodes);
    show_set_time(time_us);
    show_wait();
}
