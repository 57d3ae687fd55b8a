/* test_anim_pack.c
 *
 * Goal: a runtime finds packed clips in the image and plays them from their
 *   databases, also in a pak, with the bytes of the clip files. The output is
 *   the same for any number of threads. A damaged clip is refused, and then
 *   nothing is written.
 * Method: small sources are compiled and packed to a temporary folder; the
 *   output lies on a disc with a virtual clock. Clips are shortened, and their
 *   bytes are changed under repaired checksums.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/anim_walk.h"
#include "support/motion_files.h"
#include "support/stage.h"

#include "anim/anim_clips.h"
#include "anim/tool/anim_compile.h"
#include "anim/tool/anim_pack.h"
#include "anim/tool/clip_groups.h"
#include "host/host.h"
#include "pack/pack.h"
#include "runtime.h"

#include <spindle/anim.h>
#include <spindle/pak.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TICKS_MAX 1000

static struct diag diag;
static struct arena arena;
static char folder[512];
static struct motion_file sources[MOTION_FILE_COUNT];

/* -- files -- */

static const char *path_of(const char *name)
{
    return arena_format(&arena, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");

    CHECK(file);
    CHECK_EQ_U(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
}

static uint8_t *read_path(const char *path, size_t *size)
{
    void *text;
    uint8_t *bytes;

    CHECK(host_read_file(path, &text, size, &diag));
    bytes = (uint8_t *)arena_string(&arena, text, *size);
    free(text);
    return bytes;
}

static void begin_diag(void)
{
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
}

static void compile(const char *name, const char *out)
{
    const char *input = path_of(name);
    const struct anim_compile_options options = {
        .inputs = &input,
        .input_count = 1,
        .folder = path_of(out),
        .encode = {.precision = ANIM_PRECISION,
                   .float_precision = ANIM_FLOAT_PRECISION},
        .jobs = 1};
    struct anim_compile_report report;

    CHECK(anim_compile(&options, &diag, &report));
    arena_free(&report.arena);
}

/* anims/hero has the clips spline and wave, anims/prop the clip arm. */
static void start(void)
{
    static unsigned number;
    static const int used[] = {MOTION_FILE_GLB, MOTION_FILE_BVH};

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    CHECK_EQ(mkdir(folder, 0777), 0);
    begin_diag();
    arena_init(&arena);
    motion_files_make(&arena, sources);
    for (int i = 0; i < 2; i++)
        write_file(sources[used[i]].name, sources[used[i]].bytes,
                   sources[used[i]].size);
    CHECK_EQ(mkdir(path_of("anims"), 0777), 0);
    compile("arm.glb", "anims/hero");
    compile("arm.bvh", "anims/prop");
}

static void finish(void)
{
    diag_finish(&diag);
    arena_free(&arena);
}

static bool try_pack(const char *input, const char *out, uint32_t jobs,
                     enum anim_pack_by by, struct anim_pack_report *report)
{
    const char *path = path_of(input);
    const struct anim_pack_options options = {.inputs = &path,
                                              .input_count = 1,
                                              .folder = path_of(out),
                                              .by = by,
                                              .jobs = jobs};

    return anim_pack(&options, &diag, report);
}

static void pack(const char *out, uint32_t jobs, enum anim_pack_by by)
{
    struct anim_pack_report report;

    CHECK(try_pack("anims", out, jobs, by, &report));
    CHECK_EQ_U(report.clip_count, 3);
    arena_free(&report.arena);
}

/* -- the runtime -- */

static struct stage stage;
static spn_pak pak;

static void put(const char *out, const char *name)
{
    size_t size;
    uint8_t *bytes =
        read_path(path_of(arena_format(&arena, "%s/%s", out, name)), &size);

    slow_platform_add(&stage.disc, name, bytes, size);
}

static void begin_stage(void)
{
    stage_init(&stage, NULL);
    stage.config.anim_count = 8;
    stage.config.heap_page_bytes = 4096;
    stage.config.pak_count = 1;
}

static void open_image(void)
{
    CHECK_EQ(spn_anim_open_image(stage.rt, ANIM_PACK_IMAGE), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++)
        if (spn_anim_get_image_status(stage.rt, NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_anim_get_image_status(stage.rt, NULL), SPN_OK);
}

/* Play a clip until it is in memory, and compare it with its file. */
static void play(const char *name, uint32_t flags, const char *database)
{
    spn_anim_play_state state = {0};
    spn_anim_database found = 0;
    const void *bytes = NULL;
    spn_anim_info info;
    spn_anim_play handle;
    spn_anim anim = 0;
    uint8_t *bounce;
    uint8_t *wanted;
    size_t size;

    test_context("%s", name);
    wanted = read_path(path_of(arena_format(&arena, "anims/%s", name)), &size);
    CHECK_EQ(spn_anim_find(stage.rt, name, &anim), SPN_OK);
    CHECK_EQ(spn_anim_get_info(stage.rt, anim, &info), SPN_OK);
    CHECK_EQ_U(info.bytes, size);
    CHECK_EQ_U(info.joint_count, name[0] == 'h' ? 5 : 4);
    CHECK_EQ_U(info.flags, flags);
    if (database)
        CHECK_EQ(spn_anim_database_find(stage.rt, database, &found), SPN_OK);
    CHECK_EQ_U(info.database, found);
    CHECK_EQ(spn_anim_play_start(stage.rt, anim, &handle), SPN_OK);
    for (int i = 0; i < TICKS_MAX && !state.is_loaded; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_anim_play_get_state(stage.rt, handle, &state), SPN_OK);
    }
    CHECK_EQ_U(state.is_loaded, 1);
    bounce = malloc(size);
    CHECK(bounce);
    CHECK_EQ(spn__anim_clip_bytes(stage.rt->anim, anim - 1, 0, info.bytes,
                                  bounce, &bytes),
             SPN_OK);
    CHECK_MEM(bytes, wanted, size);
    free(bounce);
    CHECK_EQ(spn_anim_play_stop(stage.rt, handle), SPN_OK);
}

static void play_all(const char *hero, const char *prop)
{
    play("hero/wave.sac", SPN_ANIM_HAS_SCALE, hero);
    play("hero/spline.sac", 0, hero);
    play("prop/arm.sac", 0, prop);
}

static void clips_play_from_their_databases(void)
{
    static const struct {
        enum anim_pack_by by;
        const char *files[4];
        const char *hero;
        const char *prop;
    } rows[] = {
        {ANIM_PACK_BY_FOLDER, {"hero.sad", "prop.sad"}, "hero.sad", "prop.sad"},
        {ANIM_PACK_BY_SKELETON,
         {"hero/arm.sad", "prop/arm.sad"},
         "hero/arm.sad",
         "prop/arm.sad"},
        {ANIM_PACK_BY_FILE,
         {"hero/wave.sac", "hero/spline.sac", "prop/arm.sac"},
         NULL,
         NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start();
        pack("game", 1, rows[i].by);
        begin_stage();
        put("game", ANIM_PACK_IMAGE);
        for (int k = 0; k < 4 && rows[i].files[k]; k++)
            put("game", rows[i].files[k]);
        stage_start(&stage);
        open_image();
        CHECK_EQ_U(spn_anim_get_count(stage.rt), 3);
        play_all(rows[i].hero, rows[i].prop);
        stage_close(&stage);
        finish();
    }
}

static void clips_play_from_a_database_in_a_pak(void)
{
    const char *input;
    struct pack_report report;
    struct pack_options options = {.input_count = 1, .jobs = 1};
    size_t size;
    uint8_t *bytes;

    start();
    pack("game", 1, ANIM_PACK_BY_FOLDER);
    input = path_of("game");
    options.inputs = &input;
    options.output = path_of("game.spk");
    CHECK(pack_run(&options, &arena, &diag, &report));
    bytes = read_path(options.output, &size);
    begin_stage();
    slow_platform_add(&stage.disc, "game.spk", bytes, size);
    stage_start(&stage);
    CHECK_EQ(spn_pak_mount(stage.rt, "game.spk", &pak), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++)
        if (spn_pak_get_status(stage.rt, pak, NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_get_status(stage.rt, pak, NULL), SPN_OK);
    open_image();
    play_all("hero.sad", "prop.sad");
    stage_close(&stage);
    finish();
}

static void check_same(const char *one, const char *two)
{
    static const char *const names[] = {ANIM_PACK_IMAGE, "hero.sad",
                                        "prop.sad"};

    for (int i = 0; i < 3; i++) {
        size_t sizes[2];
        const uint8_t *first = read_path(
            path_of(arena_format(&arena, "%s/%s", one, names[i])), &sizes[0]);
        const uint8_t *second = read_path(
            path_of(arena_format(&arena, "%s/%s", two, names[i])), &sizes[1]);

        CHECK_EQ_U(sizes[0], sizes[1]);
        CHECK_MEM(first, second, sizes[0]);
    }
}

static void all_numbers_of_threads_give_the_same_bytes(void)
{
    start();
    pack("one", 1, ANIM_PACK_BY_FOLDER);
    pack("four", 4, ANIM_PACK_BY_FOLDER);
    check_same("one", "four");
    finish();
}

static void clips_are_packed_from_a_pak(void)
{
    const char *input;
    struct pack_report packed;
    struct pack_options options = {
        .input_count = 1, .jobs = 1, .codec = SPN_CODEC_LZ4};
    struct anim_pack_report report;

    start();
    pack("game", 1, ANIM_PACK_BY_FOLDER);
    input = path_of("anims");
    options.inputs = &input;
    options.output = path_of("anims.spk");
    CHECK(pack_run(&options, &arena, &diag, &packed));
    CHECK(try_pack("anims.spk", "again", 2, ANIM_PACK_BY_FOLDER, &report));
    arena_free(&report.arena);
    check_same("game", "again");
    finish();
}

/* -- bad input -- */

/* A clip with other bytes is packed to an output that is good, or refused
 * without an output. */
static bool try_clip(const uint8_t *bytes, size_t size)
{
    static unsigned number;
    const char *out = arena_format(&arena, "out%u", number++);
    struct anim_pack_report report;
    bool is_good;

    begin_diag();
    write_file("anims/hero/wave.sac", bytes, size);
    is_good = try_pack("anims", out, 1, ANIM_PACK_BY_FOLDER, &report);
    arena_free(&report.arena);
    CHECK_EQ(is_good, diag.code == EXIT_DONE);
    if (!is_good) {
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        CHECK(strstr(diag.text, "wave.sac") || strstr(diag.text, "hero.sad"));
        CHECK(!host_exists(path_of(out)));
    }
    return is_good;
}

static void shortened_clips_are_refused(void)
{
    uint8_t *bytes;
    size_t size;

    start();
    bytes = read_path(path_of("anims/hero/wave.sac"), &size);
    for (size_t length = 0; length < size; length++) {
        test_context("%u bytes", (unsigned)length);
        CHECK(!try_clip(bytes, length));
        CHECK(strstr(diag.text, "file size: found") != NULL);
    }
    finish();
}

static void changed_clips_are_refused_or_packed(void)
{
    struct test_random random = {5};
    uint8_t *bytes;
    uint8_t *changed;
    uint32_t refused = 0;
    size_t size;

    start();
    bytes = read_path(path_of("anims/hero/wave.sac"), &size);
    changed = ARENA_NEW(&arena, uint8_t, size);
    for (size_t at = 0; at < size; at++) {
        test_context("byte %u", (unsigned)at);
        memcpy(changed, bytes, size);
        changed[at] ^= (uint8_t)(1u << test_random_below(&random, 8));
        CHECK(!try_clip(changed, size));
        anim_mend_clip(changed, size);
        refused += !try_clip(changed, size);
    }
    CHECK(refused > 0 && refused < size);
    finish();
}

static void rates_that_an_image_cannot_have_are_refused(void)
{
    uint8_t *bytes;
    size_t size;

    start();
    bytes = read_path(path_of("anims/hero/wave.sac"), &size);
    for (size_t at = 20; at <= 24; at += 4) {
        uint8_t changed[4096];

        memcpy(changed, bytes, size);
        memcpy(changed + at, "\xa1\x86\x01", 4); /* 100,001 */
        anim_mend_clip(changed, size);
        CHECK(!try_clip(changed, size));
        CHECK(strstr(diag.text, "frame rate: found 100001, at most 100000"));
        CHECK_EQ_U(diag.refusal.offset, at);
    }
    finish();
}

static void folders_with_two_skeletons_are_refused(void)
{
    struct anim_pack_report report;
    uint8_t *bytes;
    size_t size;

    start();
    bytes = read_path(path_of("anims/prop/arm.sac"), &size);
    write_file("anims/hero/arm.sac", bytes, size);
    CHECK(!try_pack("anims", "bad", 1, ANIM_PACK_BY_FOLDER, &report));
    arena_free(&report.arena);
    CHECK(strstr(diag.text, "hero.sad: hero/spline.sac: its skeleton is not "
                            "that of hero/arm.sac"));
    CHECK(!host_exists(path_of("bad")));
    begin_diag();
    CHECK(try_pack("anims", "good", 1, ANIM_PACK_BY_SKELETON, &report));
    CHECK_EQ_U(report.database_count, 2);
    /* Equal clips are stored once. */
    CHECK_EQ_U(report.databases[0].clip_count, 2);
    CHECK_STR(report.databases[0].path, "prop/arm.sad");
    CHECK_EQ_U(report.databases[0].clip_bytes, 2 * size);
    CHECK_EQ_U(report.databases[0].bytes, 2048 + size);
    arena_free(&report.arena);
    finish();
}

static void skeletons_without_a_file_are_named_by_their_hash(void)
{
    struct anim_pack_report report;

    start();
    CHECK_EQ(remove(path_of("anims/prop/arm.sas")), 0);
    write_file("anims/hero/another.sas", "damaged", 7);
    CHECK(try_pack("anims", "game", 1, ANIM_PACK_BY_SKELETON, &report));
    CHECK_STR(report.databases[0].path, "hero/arm.sad");
    CHECK_STR(report.databases[1].path,
              arena_format(&arena, "skeleton-%016llx.sad",
                           (unsigned long long)report.databases[1].skeleton));
    arena_free(&report.arena);
    finish();
}

TEST_MAIN(TEST(clips_play_from_their_databases),
          TEST(clips_play_from_a_database_in_a_pak),
          TEST(clips_are_packed_from_a_pak),
          TEST(all_numbers_of_threads_give_the_same_bytes),
          TEST(shortened_clips_are_refused),
          TEST(changed_clips_are_refused_or_packed),
          TEST(rates_that_an_image_cannot_have_are_refused),
          TEST(folders_with_two_skeletons_are_refused),
          TEST(skeletons_without_a_file_are_named_by_their_hash))
