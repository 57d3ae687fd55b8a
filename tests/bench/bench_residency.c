/* bench_residency.c - what is in memory of animation clips, and whether it is
 * there in time.
 *
 *   image/10000       bytes in memory for each clip beside its name, with those
 *                     of the tables; nanoseconds to find a clip by its name
 *   cold/DRIVE/N      a clip of N bytes, played without notice on an idle
 *                     drive, 35 MB from the head: KiB and milliseconds of the
 *                     first part; milliseconds until all is there
 *   scenes/DRIVE/N    10,000 clips of 40,000 bytes in one database, in scenes
 * of 100 clips; all 100 play, and every 30 s another scene follows. A timeline
 * looks 2 s ahead. The database has the clips in the order of their first use
 * in another run, which has the scenes in another order (packed), or in that of
 * their names (names): permille of frames with their clip there; hits and
 * misses of the timeline; clips that were read again within their grace;
 * longest update in microseconds of this machine
 *
 * The runtime runs in virtual time on the emulated drive.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/bench.h"
#include "support/slow_platform.h"
#include "support/tiny_clips.h"

#include <spindle/anim.h>
#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIPS 10000u
#define CLIP_BYTES 40000u
#define SCENE 100u
#define SCENES (CLIPS / SCENE)
#define SECOND 1000000u
#define TICK_US 16667u
#define DRIVE "x360_dvd12x"

static struct slow_platform disc;
static spn_platform platform;
static spn_emulator *emulator;
static void *emulator_memory;
static void *memory;
static spn_runtime *rt;

static void fail(const char *what)
{
    fprintf(stderr, "bench_residency: %s\n", what);
    exit(1);
}

static void *aligned(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!block)
        fail("out of memory");
    return block;
}

static void open_runtime(const char *drive)
{
    spn_emulator_drive emulated = {.profile = spn_drive_profile_find(drive)};
    const spn_emulator_config config = {
        .platform = &disc.table, .drives = &emulated, .drive_count = 1};
    spn_config c = {.platform = &platform,
                    .heap_bytes = 64u << 20,
                    .anim_count = CLIPS,
                    .cache_count = 1,
                    .node_count = 1};

    emulator_memory = aligned(spn_emulator_bytes(&config));
    if (spn_emulator_init(&config, emulator_memory, spn_emulator_bytes(&config),
                          &emulator, &platform) != SPN_OK)
        fail("no emulator");
    c.media[SPN_MEDIUM_OPTICAL].drive = emulated.profile;
    memory = aligned(spn_memory_needed(&c));
    if (spn_init(&c, memory, spn_memory_needed(&c), &rt) != SPN_OK)
        fail("no runtime");
}

static void close_runtime(void)
{
    spn_shutdown(rt);
    free(memory);
    free(emulator_memory);
}

static void tick(void)
{
    disc.clock_us += TICK_US;
    spn_update(rt);
}

static void open_image(void)
{
    if (spn_anim_open_image(rt, "i.sai") != SPN_OK)
        fail("no image");
    for (int i = 0;
         i < 10000 && spn_anim_get_image_status(rt, NULL) == SPN_PENDING; i++)
        tick();
    if (spn_anim_get_image_status(rt, NULL) != SPN_OK)
        fail("the image was refused");
}

/* -- the image -- */

static struct tiny_clips clips;
static spn_anim found;

static void find_all(void *user)
{
    (void)user;
    for (uint32_t i = 0; i < CLIPS; i++) {
        spn_anim anim;

        if (spn_anim_find(rt, clips.sources[i].name, &anim) != SPN_OK)
            fail("a clip is missing");
        found ^= anim;
    }
}

static void print_image(void)
{
    struct clip_index_file image;
    spn_memory_report report;
    spn_config c = {.platform = &disc.table};
    spn_anim_stats stats;
    uint64_t with;
    uint64_t names;
    double us;

    tiny_clips_init(&clips, "animation/human/locomotion/relaxed/walk_forward",
                    CLIPS, TINY_CLIPS_HEADER_BYTES + 65);
    image = tiny_clips_image(&clips);
    slow_platform_init(&disc);
    slow_platform_add(&disc, "i.sai", image.bytes, image.size);
    open_runtime(DRIVE);
    open_image();
    spn_anim_get_stats(rt, &stats);
    names = image.index.header.name_bytes;
    /* Tables that grow with each clip. */
    c.anim_count = CLIPS;
    c.anim_loaded_count = 1;
    spn_memory_get_report(&c, &report);
    with = report.rows[SPN_MEMORY_ANIM].bytes;
    c.anim_count = 1;
    spn_memory_get_report(&c, &report);
    with -= report.rows[SPN_MEMORY_ANIM].bytes;
    us = bench_best_us(find_all, NULL, 5);
    printf("image/%u,%.2f bytes a clip,%.0f ns\n", CLIPS,
           ((double)stats.header_bytes - (double)names + (double)with) / CLIPS,
           us * 1000 / CLIPS);
    close_runtime();
    tiny_clips_free(&clips);
}

/* Open a runtime with a database of the clips, and their image, on a drive. */
static void open_database(void)
{
    const struct clip_index_file file = tiny_clips_database(&clips);
    const struct clip_index_file image =
        tiny_clips_image_of(&clips, "d.sad", &file);

    slow_platform_init(&disc);
    slow_platform_add(&disc, "i.sai", image.bytes, image.size);
    slow_platform_add(&disc, "d.sad", file.bytes, file.size);
    open_runtime(DRIVE);
    open_image();
}

/* -- one clip on an idle drive -- */

static void wait_a_little(spn_anim_play play, spn_anim_play_state *state)
{
    disc.clock_us += 500;
    spn_update(rt);
    (void)spn_anim_play_get_state(rt, play, state);
}

static void print_cold(uint32_t bytes)
{
    uint64_t ready_us;
    spn_anim_stats before;
    spn_anim_stats after;
    spn_anim_play play;
    spn_anim_play_state state = {0};
    uint64_t begin_us;
    spn_anim anim;

    tiny_clips_init(&clips, "a", 40000000 / bytes, bytes);
    open_database();
    /* The head is at the other end. */
    spn_anim_find(rt, clips.sources[clips.count - 1].name, &anim);
    (void)spn_anim_load_synchronously(rt, anim, UINT64_MAX);
    for (int i = 0; i < 300; i++)
        tick();
    spn_anim_find(rt, clips.sources[clips.count / 8].name, &anim);
    begin_us = disc.clock_us;
    spn_anim_get_stats(rt, &before);
    if (spn_anim_play_start(rt, anim, &play) != SPN_OK)
        fail("no play");
    spn_update(rt);
    while (!state.is_ready)
        wait_a_little(play, &state);
    ready_us = disc.clock_us - begin_us;
    spn_anim_get_stats(rt, &after);
    while (!state.is_loaded)
        wait_a_little(play, &state);
    printf("cold/" DRIVE "/%u,first part of %.0f KiB after %.1f ms,all after "
           "%.1f ms\n",
           bytes, (double)(after.bytes_read - before.bytes_read) / 1024,
           (double)ready_us / 1000, (double)(disc.clock_us - begin_us) / 1000);
    close_runtime();
    tiny_clips_free(&clips);
}

/* -- scenes -- */

static struct {
    uint32_t order[SCENES]; /* scenes of this run */
    uint32_t clips[SCENES][SCENE];
    spn_anim_cue cues[CLIPS];
    spn_anim_play plays[SCENE];
} game;

static void shuffle(uint32_t *numbers, uint32_t count, uint64_t seed)
{
    struct test_random random = {seed};

    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = test_random_below(&random, i);
        const uint32_t number = numbers[i - 1];

        numbers[i - 1] = numbers[k];
        numbers[k] = number;
    }
}

/* Clips of a scene lie anywhere among the names. */
static void cast(void)
{
    static uint32_t numbers[CLIPS];

    for (uint32_t i = 0; i < CLIPS; i++)
        numbers[i] = i;
    shuffle(numbers, CLIPS, 1);
    memcpy(game.clips, numbers, sizeof numbers);
}

static void choose_order(uint64_t seed)
{
    for (uint32_t i = 0; i < SCENES; i++)
        game.order[i] = i;
    shuffle(game.order, SCENES, seed);
}

/* Put the clips into the order in which the chosen run uses them. */
static void pack(void)
{
    static struct clip_input packed[CLIPS];

    for (uint32_t i = 0; i < SCENES; i++)
        for (uint32_t k = 0; k < SCENE; k++)
            packed[i * SCENE + k] = clips.sources[game.clips[game.order[i]][k]];
    memcpy(clips.sources, packed, sizeof packed);
}

struct tally {
    uint32_t loads; /* events LOADED */
    uint64_t unloaded_us[CLIPS];
    uint32_t again; /* loaded again within the grace */
};

static void on_event(void *user, const spn_anim_event *event)
{
    struct tally *tally = user;

    if (event->kind == SPN_ANIM_LOADED && event->anim) {
        const uint64_t us = tally->unloaded_us[event->anim - 1];

        tally->loads++;
        tally->again += us > 0 && disc.clock_us - us < 2 * SECOND;
    }
    if (event->kind == SPN_ANIM_UNLOADED && event->anim)
        tally->unloaded_us[event->anim - 1] = disc.clock_us;
}

static spn_anim anim_of(uint32_t source, const char *const *names)
{
    spn_anim anim = 0;

    if (spn_anim_find(rt, names[source], &anim) != SPN_OK)
        fail("a clip is missing");
    return anim;
}

static void play_scene(uint32_t scene, bool is_first)
{
    for (uint32_t k = 0; k < SCENE; k++) {
        if (!is_first)
            (void)spn_anim_play_stop(rt, game.plays[k]);
        if (spn_anim_play_start(rt, game.cues[scene * SCENE + k].anim,
                                &game.plays[k]) != SPN_OK)
            fail("no play");
    }
}

static void print_scenes(bool is_packed)
{
    static const char *names[CLIPS];
    static struct tally tally;
    spn_anim_timeline timeline;
    spn_anim_stats stats;
    double worst_us = 0;
    uint32_t scene = 0;
    uint64_t begin_us;

    memset(&tally, 0, sizeof tally);
    tiny_clips_init(&clips, "a", CLIPS, CLIP_BYTES);
    for (uint32_t i = 0; i < CLIPS; i++)
        names[i] = clips.sources[i].name;
    cast();
    choose_order(7);
    if (is_packed)
        pack();
    open_database();
    spn_anim_listen(rt, on_event, &tally);
    choose_order(8);
    for (uint32_t i = 0; i < CLIPS; i++)
        game.cues[i] = (spn_anim_cue){
            (int64_t)(i / SCENE) * 30 * SECOND + 3 * SECOND,
            anim_of(game.clips[game.order[i / SCENE]][i % SCENE], names)};
    if (spn_anim_timeline_create(rt, &timeline) != SPN_OK ||
        spn_anim_timeline_set_cues(rt, timeline, game.cues, CLIPS) != SPN_OK)
        fail("no timeline");
    begin_us = disc.clock_us;
    while (scene < SCENES / 2) {
        const int64_t us = (int64_t)(disc.clock_us - begin_us);
        double before_us;

        (void)spn_anim_timeline_set_time(rt, timeline, us);
        if (us > game.cues[(size_t)scene * SCENE].time_us) {
            play_scene(scene, scene == 0);
            scene++;
        }
        before_us = bench_cpu_us();
        tick();
        before_us = bench_cpu_us() - before_us;
        worst_us = before_us > worst_us ? before_us : worst_us;
    }
    spn_anim_get_stats(rt, &stats);
    printf("scenes/" DRIVE
           "/%s,%.2f permille,%u hits,%u misses,%u again,%.0f us\n",
           is_packed ? "packed" : "names",
           1000 - 1000.0 * stats.glitches / stats.play_updates, stats.cue_hits,
           stats.cue_misses, tally.again, worst_us);
    close_runtime();
    tiny_clips_free(&clips);
}

int main(void)
{
    printf("name,figures\n");
    print_image();
    print_cold(40000);
    print_cold(240000);
    print_scenes(true);
    print_scenes(false);
    return 0;
}
