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
#include "support/packed_anims.h"

#include "base/endian.h"
#include "host/host.h"
#include "pack/pack.h"

#include <spindle/anim.h>
#include <spindle/codec.h>
#include <spindle/pak.h>
#include <stdio.h>
#include <string.h>

static struct packed_anims anims;

static void play_all(const char *hero, const char *prop)
{
    anims_play(&anims, "hero/wave.sac", SPN_ANIM_HAS_SCALE, hero);
    anims_play(&anims, "hero/spline.sac", 0, hero);
    anims_play(&anims, "prop/arm.sac", 0, prop);
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
        anims_start(&anims);
        anims_pack_by(&anims, "game", 1, rows[i].by);
        anims_begin_stage(&anims);
        anims_put(&anims, "game", ANIM_PACK_IMAGE);
        for (int k = 0; k < 4 && rows[i].files[k]; k++)
            anims_put(&anims, "game", rows[i].files[k]);
        stage_start(&anims.stage);
        anims_open_image(&anims);
        CHECK_EQ_U(spn_anim_get_count(anims.stage.rt), 3);
        play_all(rows[i].hero, rows[i].prop);
        stage_close(&anims.stage);
        anims_finish(&anims);
    }
}

static void clips_play_from_a_database_in_a_pak(void)
{
    const char *input;
    spn_pak pak;
    struct pack_report report;
    struct pack_options options = {.input_count = 1, .jobs = 1};
    size_t size;
    uint8_t *bytes;

    anims_start(&anims);
    anims_pack_by(&anims, "game", 1, ANIM_PACK_BY_FOLDER);
    input = anims_path(&anims, "game");
    options.inputs = &input;
    options.output = anims_path(&anims, "game.spk");
    CHECK(pack_run(&options, &anims.arena, &anims.diag, &report));
    bytes = anims_read(&anims, options.output, &size);
    anims_begin_stage(&anims);
    slow_platform_add(&anims.stage.disc, "game.spk", bytes, size);
    stage_start(&anims.stage);
    CHECK_EQ(spn_pak_mount(anims.stage.rt, "game.spk", &pak), SPN_OK);
    for (int i = 0; i < ANIMS_TICKS_MAX; i++)
        if (spn_pak_get_status(anims.stage.rt, pak, NULL) == SPN_PENDING)
            stage_tick(&anims.stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_get_status(anims.stage.rt, pak, NULL), SPN_OK);
    anims_open_image(&anims);
    play_all("hero.sad", "prop.sad");
    stage_close(&anims.stage);
    anims_finish(&anims);
}

static void check_same(const char *one, const char *two)
{
    static const char *const names[] = {ANIM_PACK_IMAGE, "hero.sad",
                                        "prop.sad"};

    for (int i = 0; i < 3; i++) {
        size_t sizes[2];
        const uint8_t *first =
            anims_read(&anims,
                       anims_path(&anims, arena_format(&anims.arena, "%s/%s",
                                                       one, names[i])),
                       &sizes[0]);
        const uint8_t *second =
            anims_read(&anims,
                       anims_path(&anims, arena_format(&anims.arena, "%s/%s",
                                                       two, names[i])),
                       &sizes[1]);

        CHECK_EQ_U(sizes[0], sizes[1]);
        CHECK_MEM(first, second, sizes[0]);
    }
}

static void all_numbers_of_threads_give_the_same_bytes(void)
{
    anims_start(&anims);
    anims_pack_by(&anims, "one", 1, ANIM_PACK_BY_FOLDER);
    anims_pack_by(&anims, "four", 4, ANIM_PACK_BY_FOLDER);
    check_same("one", "four");
    anims_finish(&anims);
}

static void clips_are_packed_from_a_pak(void)
{
    const char *input;
    struct pack_report packed;
    struct pack_options options = {
        .input_count = 1, .jobs = 1, .codec = SPN_CODEC_LZ4};
    struct anim_pack_report report;

    anims_start(&anims);
    anims_pack_by(&anims, "game", 1, ANIM_PACK_BY_FOLDER);
    input = anims_path(&anims, "anims");
    options.inputs = &input;
    options.output = anims_path(&anims, "anims.spk");
    CHECK(pack_run(&options, &anims.arena, &anims.diag, &packed));
    CHECK(anims_try_by(&anims, "anims.spk", "again", 2, ANIM_PACK_BY_FOLDER,
                       &report));
    arena_free(&report.arena);
    check_same("game", "again");
    anims_finish(&anims);
}

/* -- bad input -- */

/* A clip with other bytes is packed to an output that is good, or refused
 * without an output. */
static bool try_clip(const uint8_t *bytes, size_t size)
{
    static unsigned number;
    const char *out = arena_format(&anims.arena, "out%u", number++);
    struct anim_pack_report report;
    bool is_good;

    anims_begin_diag(&anims);
    anims_write(&anims, "anims/hero/wave.sac", bytes, size);
    is_good =
        anims_try_by(&anims, "anims", out, 1, ANIM_PACK_BY_FOLDER, &report);
    arena_free(&report.arena);
    CHECK_EQ(is_good, anims.diag.code == EXIT_DONE);
    if (!is_good) {
        CHECK_EQ(anims.diag.code, EXIT_INPUT_REFUSED);
        CHECK(strstr(anims.diag.text, "wave.sac") ||
              strstr(anims.diag.text, "hero.sad"));
        CHECK(!host_exists(anims_path(&anims, out)));
    }
    return is_good;
}

static void shortened_clips_are_refused(void)
{
    uint8_t *bytes;
    size_t size;

    anims_start(&anims);
    bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);
    for (size_t length = 0; length < size; length++) {
        test_context("%u bytes", (unsigned)length);
        CHECK(!try_clip(bytes, length));
        CHECK(strstr(anims.diag.text, "file size: found") != NULL);
    }
    anims_finish(&anims);
}

static void changed_clips_are_refused_or_packed(void)
{
    struct test_random random = {5};
    uint8_t *bytes;
    uint8_t *changed;
    uint32_t refused = 0;
    size_t size;

    anims_start(&anims);
    bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);
    changed = ARENA_NEW(&anims.arena, uint8_t, size);
    for (size_t at = 0; at < size; at++) {
        test_context("byte %u", (unsigned)at);
        memcpy(changed, bytes, size);
        changed[at] ^= (uint8_t)(1u << test_random_below(&random, 8));
        CHECK(!try_clip(changed, size));
        anim_mend_clip(changed, size);
        refused += !try_clip(changed, size);
    }
    CHECK(refused > 0 && refused < size);
    anims_finish(&anims);
}

static void rates_above_the_limit_are_refused(void)
{
    uint8_t *bytes;
    size_t size;

    anims_start(&anims);
    bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);
    for (size_t at = 20; at <= 24; at += 4) {
        uint8_t changed[4096];

        memcpy(changed, bytes, size);
        memcpy(changed + at, "\xa1\x86\x01", 4); /* 100,001 */
        anim_mend_clip(changed, size);
        CHECK(!try_clip(changed, size));
        CHECK(strstr(anims.diag.text, "rate: found 100001"));
        CHECK_EQ_U(anims.diag.refusal.offset, at);
    }
    anims_finish(&anims);
}

static void folders_with_two_skeletons_are_refused(void)
{
    struct anim_pack_report report;
    uint8_t *bytes;
    size_t size;

    anims_start(&anims);
    anims_pack_by(&anims, "game", 1, ANIM_PACK_BY_FOLDER);
    bytes = anims_read(&anims, anims_path(&anims, "anims/prop/arm.sac"), &size);
    anims_write(&anims, "anims/hero/arm.sac", bytes, size);
    CHECK(
        !anims_try_by(&anims, "anims", "bad", 1, ANIM_PACK_BY_FOLDER, &report));
    arena_free(&report.arena);
    CHECK(strstr(anims.diag.text, "hero.sad: hero/spline.sac: its skeleton "));
    CHECK(strstr(anims.diag.text, " is not that of hero/arm.sac, "));
    CHECK(!host_exists(anims_path(&anims, "bad")));
    anims_begin_diag(&anims);
    CHECK(anims_try_by(&anims, "anims", "good", 1, ANIM_PACK_BY_SKELETON,
                       &report));
    CHECK_EQ_U(report.database_count, 2);
    /* Equal clips are stored once. */
    CHECK_EQ_U(report.databases[0].clip_count, 2);
    CHECK_STR(report.databases[0].path, "prop/arm.sad");
    CHECK_EQ_U(report.databases[0].clip_bytes, 2 * size);
    (void)anims_read(&anims, anims_path(&anims, "game/prop.sad"), &size);
    CHECK_EQ_U(report.databases[0].bytes, size);
    arena_free(&report.arena);
    anims_finish(&anims);
}

/* Of a clip's header. */
#define REST_POSE_AT 36

static uint32_t rest_pose_of(const char *name)
{
    size_t size;
    const uint8_t *bytes = anims_read(
        &anims,
        anims_path(&anims, arena_format(&anims.arena, "anims/%s", name)),
        &size);

    return spn_load_u32le(bytes + REST_POSE_AT);
}

static void skeletons_without_a_file_are_named_by_their_hash(void)
{
    struct anim_pack_report report;

    anims_start(&anims);
    CHECK_EQ(remove(anims_path(&anims, "anims/prop/arm.sas")), 0);
    anims_write(&anims, "anims/hero/another.sas", "damaged", 7);
    CHECK(anims_try_by(&anims, "anims", "game", 1, ANIM_PACK_BY_SKELETON,
                       &report));
    CHECK_STR(report.databases[0].path, "hero/arm.sad");
    CHECK_STR(report.databases[1].path,
              arena_format(&anims.arena, "skeleton-%016llx-%08lx.sad",
                           (unsigned long long)report.databases[1].skeleton,
                           (unsigned long)rest_pose_of("prop/arm.sac")));
    arena_free(&report.arena);
    anims_finish(&anims);
}

/* A clip of the same joints that was made for another rest pose. */
static void rest_poses_are_kept_apart(void)
{
    const uint32_t rest_pose = 0x89abcdef;
    struct anim_pack_report report;
    uint8_t *bytes;
    size_t size;

    anims_start(&anims);
    bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);
    spn_store_u32le(bytes + REST_POSE_AT, rest_pose);
    anim_mend_clip(bytes, size);
    anims_write(&anims, "anims/hero/wave.sac", bytes, size);
    CHECK(!anims_try_by(&anims, "anims", "game", 1, ANIM_PACK_BY_FOLDER,
                        &report));
    arena_free(&report.arena);
    CHECK_STR(anims.diag.text,
              arena_format(&anims.arena,
                           "hero.sad: hero/wave.sac: its rest pose 89abcdef is "
                           "not that of hero/spline.sac, %08lx",
                           (unsigned long)rest_pose_of("hero/spline.sac")));
    CHECK(!host_exists(anims_path(&anims, "game")));
    anims_begin_diag(&anims);
    CHECK(anims_try_by(&anims, "anims", "game", 1, ANIM_PACK_BY_SKELETON,
                       &report));
    CHECK_EQ_U(report.database_count, 3);
    CHECK_STR(report.databases[0].path, "hero/arm.sad");
    CHECK_EQ_U(report.databases[0].clip_count, 1);
    CHECK_STR(report.databases[1].path,
              arena_format(&anims.arena, "skeleton-%016llx-89abcdef.sad",
                           (unsigned long long)report.databases[0].skeleton));
    arena_free(&report.arena);
    anims_finish(&anims);
}

TEST_MAIN(TEST(clips_play_from_their_databases),
          TEST(clips_play_from_a_database_in_a_pak),
          TEST(clips_are_packed_from_a_pak),
          TEST(all_numbers_of_threads_give_the_same_bytes),
          TEST(shortened_clips_are_refused),
          TEST(changed_clips_are_refused_or_packed),
          TEST(rates_above_the_limit_are_refused),
          TEST(folders_with_two_skeletons_are_refused),
          TEST(skeletons_without_a_file_are_named_by_their_hash),
          TEST(rest_poses_are_kept_apart))
