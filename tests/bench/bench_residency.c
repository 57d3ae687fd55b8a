/* bench_residency.c - what is in memory of animation clips, and whether it is
 * there in time.
 *
 * All clips are files that the encoder has made (support/segment_clips.h): 100
 * joints that rotate, a root that travels. 10,000 of about 40 KB are packed
 * into a database and a header image by the code of `spindle anim pack`, once
 * by their names, and once more by a trace of a run with the first database.
 * Everything is played on the emulated drive, in virtual time.
 *
 *   clips             their number, mean bytes, frames of the first one
 *   image/10000       bytes of memory for each clip beside its name: pages of
 *                     the heap that the open image takes, without the names,
 *                     and what spn_memory_needed grows by with anim_count;
 *                     nanoseconds to find a clip by its name; reads that open
 *                     the image
 *   cold/DRIVE/N      a clip of about N bytes, played without notice on an idle
 *                     drive, whose head is 35 MB away: KiB of the first read,
 *                     moves of the head and milliseconds until
 *                     spn_anim_play_sample gives a pose, and milliseconds until
 *                     all is there
 *   scenes/DRIVE/trace, scenes/DRIVE/names
 *                     support/clip_game.h, with a pose of each play in each
 *                     frame; the clips lie in the order of the trace of another
 *                     run, which has another seed and visits each scene twice;
 *                     or in that of their names. Permille of frames with their
 *                     clip there, and with the pose of their time; hits and
 *                     misses of the timeline
 *   grace/DRIVE/trace, grace/DRIVE/names
 *                     of the same runs: clips that were wanted again within
 *                     their grace, and how many of these were read again;
 *                     longest update in microseconds of this machine
 *   drive/DRIVE/trace, drive/DRIVE/names
 *                     of the same runs, for each visit: reads of the drive,
 *                     MB; milliseconds of seeks and waits for the sector, and
 *                     in all
 *
 * A frame is one play in one update. The files take 1.2 GB in a temporary
 * folder. The clock stands still during an update, and the platform has no
 * function that waits: an update that waited for a read would not return.
 *
 * Exits with 1 if a bar is missed: the constants below, one read that opens the
 * image, one seek before the first pose, nothing read twice within its grace.
 * The last line has their number.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/bench.h"
#include "support/clip_disc.h"
#include "support/clip_game.h"
#include "support/segment_clips.h"

#include "anim/tool/anim_pack.h"
#include "anim/tool/clip_file_input.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CLIPS CLIP_GAME_CLIPS
#define CLIP_BYTES 40000u
#define DATABASE "human/body.sad"
#define SKELETON "body.sas"
#define RECORDED_VISITS 200u
#define VISITS 100u

static struct clip_disc disc;
static struct segment_clips made;
static struct arena arena; /* names, paths */
static struct diag diag;
static const char *names[CLIPS];

/* Bars. The last one is of the order by a trace. */
#define IMAGE_BYTES_MAX 64.0 /* a clip, beside its name */
#define FIRST_READ_MAX CLIP_FIRST_BYTES
#define WITH_CLIP_PERMILLE 990.0

static unsigned missed;

/* Say so on the row's line if a bar is missed. */
static void check_bar(bool is_met, const char *bar)
{
    if (is_met)
        return;
    printf(",MISSED: %s", bar);
    missed++;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_residency: %s\n", what);
    exit(1);
}

static const char *path_of(const char *name)
{
    return arena_format(&arena, "%s/%s", test_temp(), name);
}

/* -- files -- */

static void write_file(const char *path, const struct anim_file *bytes)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes->bytes, 1, bytes->size, file) != bytes->size ||
        fclose(file) != 0)
        fail("a file cannot be written");
}

static void write_clips(void)
{
    uint64_t bytes = 0;
    uint32_t segments = 0;

    if (mkdir(path_of("clips"), 0777) != 0 ||
        mkdir(path_of("clips/human"), 0777) != 0)
        fail("no folder");
    write_file(path_of("clips/human/" SKELETON), &made.skeleton);
    for (uint32_t i = 0; i < CLIPS; i++) {
        struct anim_clip_header header;
        struct anim_file file;
        struct arena own;

        arena_init(&own);
        names[i] = arena_format(&arena, "human/%05u.sac", i);
        segment_clips_make(&made, i, CLIP_BYTES, &own, &file);
        if (spn__anim_clip_read_header(file.bytes, &header, NULL) != SPN_OK)
            fail("a clip is damaged");
        write_file(path_of(arena_format(&arena, "clips/%s", names[i])), &file);
        bytes += file.size;
        segments = i == 0 ? header.segment_count : segments;
        arena_free(&own);
    }
    printf("clips,%u,%.0f bytes,%u frames\n", CLIPS, (double)bytes / CLIPS,
           segments * 16);
}

/* Pack the clips to a folder; `trace` is NULL, or one of a game with the
 * database `recorded`. */
static void pack(const char *out, const char *trace, const char *recorded)
{
    const char *input = path_of("clips");
    const struct anim_pack_options options = {.inputs = &input,
                                              .input_count = 1,
                                              .folder = path_of(out),
                                              .by = ANIM_PACK_BY_SKELETON,
                                              .traces = &trace,
                                              .trace_count = trace ? 1 : 0,
                                              .recorded = &recorded,
                                              .recorded_count = trace ? 1 : 0,
                                              .jobs = 2};
    struct anim_pack_report report;

    if (!anim_pack(&options, &diag, &report) || report.clip_count != CLIPS ||
        report.database_count != 1)
        fail("the clips cannot be packed");
    arena_free(&report.arena);
}

static void put_file(const char *folder, const char *name)
{
    size_t bytes;
    void *data;

    if (!host_read_file(path_of(arena_format(&arena, "%s/%s", folder, name)),
                        &data, &bytes, &diag))
        fail("no such file");
    slow_platform_add(&disc.disc, name, data, bytes);
}

static void put_skeleton(void)
{
    slow_platform_add(&disc.disc, SKELETON, made.skeleton.bytes,
                      made.skeleton.size);
}

/* Open a runtime with what was packed to a folder. */
static void open_packed(const char *folder)
{
    clip_disc_init(&disc);
    put_file(folder, ANIM_PACK_IMAGE);
    put_skeleton();
    put_file(folder, DATABASE);
    clip_disc_open(&disc, CLIPS, ANIM_PACK_IMAGE);
}

static void close_packed(void)
{
    clip_disc_close(&disc);
    for (uint32_t i = 0; i < disc.disc.file_count; i++)
        if (strcmp(disc.disc.files[i].path, SKELETON) != 0)
            free((void *)(uintptr_t)disc.disc.files[i].data);
}

/* -- the image -- */

static spn_anim found;

static void find_all(void *user)
{
    (void)user;
    for (uint32_t i = 0; i < CLIPS; i++) {
        spn_anim anim;

        if (spn_anim_find(disc.rt, names[i], &anim) != SPN_OK)
            fail("a clip is missing");
        found ^= anim;
    }
}

/* What the tables that do not depend on the number of clips leave out. */
static double table_bytes(void)
{
    spn_config config = disc.config;
    size_t most;

    config.anim_loaded_count = 1;
    most = spn_memory_needed(&config);
    config.anim_count = 1;
    return (double)(most - spn_memory_needed(&config));
}

static void print_image(void)
{
    spn_heap_stats heap;
    uint32_t reads;
    double bytes;
    double us;

    open_packed("names");
    reads = disc.disc.reads;
    spn_heap_get_stats(disc.rt, &heap);
    bytes = (double)(heap.bytes - heap.free_bytes) + table_bytes();
    for (uint32_t i = 0; i < CLIPS; i++)
        bytes -= (double)strlen(names[i]) + 1;
    us = bench_best_us(find_all, NULL, 5);
    printf("image/%u,%.2f bytes a clip,%.0f ns,%u reads", CLIPS, bytes / CLIPS,
           us * 1000 / CLIPS, reads);
    check_bar(bytes / CLIPS <= IMAGE_BYTES_MAX, "bytes");
    check_bar(reads == 1, "reads");
    putchar('\n');
    close_packed();
}

/* -- one clip on an idle drive -- */

static void make_inputs(uint32_t count, uint32_t bytes, struct arena *own,
                        struct clip_input *inputs)
{
    for (uint32_t i = 0; i < count; i++) {
        struct anim_file file;
        struct clip_file opened;

        segment_clips_make(&made, i, bytes, own, &file);
        if (!clip_file_read(&opened, names[i], file.bytes, file.size, own,
                            &diag))
            fail("a clip is refused");
        clip_file_input(&opened, names[i], own, &inputs[i]);
    }
}

static void open_database(const struct clip_input *inputs, uint32_t count,
                          struct arena *own)
{
    struct clip_index_file file;
    struct clip_index_file image;
    struct clip_database_source source = {"d.sad", &file.index};

    if (!clip_database_make(own, &diag, "d.sad", inputs, count, &file) ||
        !clip_image_make(own, &diag, "i.sai", &source, 1, NULL, 0, &image))
        fail("no database");
    clip_disc_init(&disc);
    slow_platform_add(&disc.disc, "i.sai", image.bytes, image.size);
    put_skeleton();
    slow_platform_add(&disc.disc, "d.sad", file.bytes, file.size);
    clip_disc_open(&disc, count, "i.sai");
}

static uint64_t seeks(void)
{
    spn_emulator_stats s;

    if (spn_emulator_get_stats(disc.emulator, 0, &s) != SPN_OK)
        fail("no drive");
    return s.seeks;
}

static double ms_since(uint64_t begin_us)
{
    return (double)(disc.disc.clock_us - begin_us) / 1000;
}

static void play_cold(spn_anim anim, uint32_t bytes)
{
    static _Alignas(SPN_ANIM_POSE_ALIGN) float memory[65536];
    const spn_anim_skeleton skeleton = clip_disc_skeleton(&disc, SKELETON);
    const uint64_t begin_us = disc.disc.clock_us;
    spn_anim_play_state state = {0};
    spn_anim_stats before;
    spn_anim_stats after;
    spn_anim_play play = 0;
    spn_anim_pose pose;
    uint64_t seek_count = seeks();
    uint64_t first_bytes;
    double pose_ms;

    spn_anim_get_stats(disc.rt, &before);
    if (spn_anim_skeleton_make_pose(disc.rt, skeleton, memory, sizeof memory,
                                    &pose) != SPN_OK ||
        spn_anim_play_start(disc.rt, anim, &play) != SPN_OK)
        fail("no play");
    spn_update(disc.rt);
    while (spn_anim_play_sample(disc.rt, play, 0, skeleton, &pose, NULL, 0) ==
           SPN_PENDING)
        clip_disc_tick(&disc, 500);
    pose_ms = ms_since(begin_us);
    seek_count = seeks() - seek_count;
    spn_anim_get_stats(disc.rt, &after);
    first_bytes = after.bytes_read - before.bytes_read;
    while (!state.is_loaded) {
        clip_disc_tick(&disc, 500);
        (void)spn_anim_play_get_state(disc.rt, play, &state);
    }
    printf("cold/" CLIP_DISC_DRIVE
           "/%u,first read of %.0f KiB,%u seeks,pose after %.1f ms,"
           "all after %.1f ms",
           bytes, (double)first_bytes / 1024, (unsigned)seek_count, pose_ms,
           ms_since(begin_us));
    check_bar(first_bytes <= FIRST_READ_MAX, "bytes");
    check_bar(seek_count == 1, "seeks");
    putchar('\n');
}

static void print_cold(uint32_t bytes)
{
    const uint32_t count = 40000000 / bytes;
    struct clip_input *inputs;
    struct arena own;
    spn_anim anim;

    arena_init(&own);
    inputs = ARENA_NEW(&own, struct clip_input, count);
    make_inputs(count, bytes, &own, inputs);
    open_database(inputs, count, &own);
    /* Move the head to the other end. */
    if (spn_anim_find(disc.rt, names[count - 1], &anim) != SPN_OK ||
        spn_anim_add_ref(disc.rt, anim) != SPN_OK)
        fail("a clip is missing");
    for (int i = 0; i < 300; i++)
        clip_disc_tick(&disc, CLIP_DISC_TICK_US);
    if (!spn_anim_is_loaded(disc.rt, anim))
        fail("the last clip cannot be read");
    if (spn_anim_find(disc.rt, names[count / 8], &anim) != SPN_OK)
        fail("a clip is missing");
    play_cold(anim, bytes);
    clip_disc_close(&disc);
    arena_free(&own);
}

/* -- scenes -- */

static void record(const char *trace)
{
    const struct clip_game game = {.names = names,
                                   .skeleton = SKELETON,
                                   .seed = 7,
                                   .visits = RECORDED_VISITS,
                                   .trace = trace};
    struct clip_game_result result;

    open_packed("names");
    clip_game_run(&disc, &game, &result);
    close_packed();
}

static void print_drive(const char *order)
{
    spn_emulator_stats s;

    if (spn_emulator_get_stats(disc.emulator, 0, &s) != SPN_OK)
        fail("no drive");
    printf("drive/" CLIP_DISC_DRIVE "/%s,%.1f reads,%.2f MB,%.0f ms,%.0f ms\n",
           order, (double)s.reads / VISITS, (double)s.bytes / 1e6 / VISITS,
           (double)(s.seek_us + s.rotate_us) / 1000 / VISITS,
           (double)s.busy_us / 1000 / VISITS);
}

static void print_scenes(const char *order)
{
    const struct clip_game game = {.names = names,
                                   .skeleton = SKELETON,
                                   .seed = 8,
                                   .visits = VISITS,
                                   .has_poses = true};
    struct clip_game_result r;
    double with_clip;

    open_packed(order);
    clip_game_run(&disc, &game, &r);
    with_clip = 1000.0 * (double)r.with_clip / (double)r.frames;
    printf("scenes/" CLIP_DISC_DRIVE
           "/%s,%.2f permille,%.2f permille,%u hits,%u misses",
           order, with_clip, 1000.0 * (double)r.with_pose / (double)r.frames,
           r.hits, r.misses);
    check_bar(strcmp(order, "trace") != 0 || with_clip >= WITH_CLIP_PERMILLE,
              "clips");
    printf("\ngrace/" CLIP_DISC_DRIVE "/%s,%u wanted,%u again,%.0f us", order,
           r.resumed, r.again, r.update_us);
    check_bar(r.again == 0, "again");
    putchar('\n');
    print_drive(order);
    close_packed();
}

int main(void)
{
    const char *trace;

    arena_init(&arena);
    diag_init(&diag);
    segment_clips_init(&made);
    trace = path_of("trace.json");
    printf("name,figures\n");
    write_clips();
    pack("names", NULL, NULL);
    print_image();
    print_cold(40000);
    print_cold(240000);
    record(trace);
    pack("trace", trace, path_of("names/" DATABASE));
    print_scenes("trace");
    print_scenes("names");
    segment_clips_free(&made);
    diag_finish(&diag);
    arena_free(&arena);
    printf("bars missed,%u\n", missed);
    return missed != 0;
}
