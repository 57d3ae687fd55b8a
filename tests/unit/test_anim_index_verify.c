/* test_anim_index_verify.c
 *
 * Goal: verify finds each wrong byte of a database and of an image, also if the
 *   checksums are repaired, and says where it is; an image that does not agree
 *   with its databases or clip files is refused.
 * Method: a packed folder, changed byte by byte; files of two packings are
 *   mixed.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/anim_walk.h"
#include "support/packed_anims.h"
#include "support/tiny_clips.h"

#include "anim/tool/index_verify.h"

#include <stdio.h>
#include <string.h>

static struct packed_anims anims;
static struct index_verify_report report;

static bool verify_database(const char *name)
{
    anims_begin_diag(&anims);
    return database_verify(anims_path(&anims, name), 1, &anims.diag, &report);
}

static bool verify_image(const char *root)
{
    anims_begin_diag(&anims);
    return image_verify(anims_path(&anims, "game/animations.sai"), root, 1,
                        &anims.diag, &report);
}

static bool says(const char *text)
{
    return strstr(anims.diag.text, text) != NULL;
}

static void start(enum anim_pack_by by)
{
    anims_start(&anims);
    anims_pack_by(&anims, "game", 1, by);
}

static void good_files_pass(void)
{
    size_t size;

    start(ANIM_PACK_BY_FOLDER);
    CHECK(verify_database("game/hero.sad"));
    CHECK_EQ_U(report.clip_count, 2);
    CHECK_EQ_U(report.database_count, 1);
    (void)anims_read(&anims, anims_path(&anims, "game/hero.sad"), &size);
    CHECK_EQ_U(report.bytes, size);
    CHECK(verify_image(NULL));
    CHECK_EQ_U(report.clip_count, 3);
    CHECK_EQ_U(report.database_count, 2);
    CHECK(verify_image(anims_path(&anims, "game")));
    CHECK(!verify_image(anims_path(&anims, "anims")));
    CHECK_EQ(anims.diag.code, EXIT_IO_FAILED);
    /* Clips with files of their own. */
    anims_begin_diag(&anims);
    anims_pack_by(&anims, "game", 4, ANIM_PACK_BY_FILE);
    CHECK(verify_image(NULL));
    CHECK_EQ_U(report.clip_count, 3);
    CHECK_EQ_U(report.database_count, 0);
    anims_finish(&anims);
}

/* Change each byte of a file, and shorten it; `verify` must refuse it. */
static void try_file(const char *name, bool (*verify)(void))
{
    struct test_random random = {11};
    size_t size;
    uint8_t *good = anims_read(&anims, anims_path(&anims, name), &size);
    uint8_t *bad = ARENA_NEW(&anims.arena, uint8_t, size);

    CHECK(verify());
    for (size_t at = 0; at < size; at++)
        for (int is_mended = 0; is_mended < 2; is_mended++) {
            test_context("byte %u%s", (unsigned)at,
                         is_mended ? ", mended" : "");
            memcpy(bad, good, size);
            bad[at] ^= (uint8_t)(1u << test_random_below(&random, 8));
            if (is_mended)
                tiny_clips_correct(bad, size);
            /* A mended checksum is the good one. */
            if (memcmp(bad, good, size) == 0)
                continue;
            anims_write(&anims, name, bad, size);
            CHECK(!verify());
            CHECK_EQ(anims.diag.code, EXIT_INPUT_REFUSED);
        }
    for (size_t length = 0; length < size; length++) {
        test_context("%u bytes", (unsigned)length);
        anims_write(&anims, name, good, length);
        CHECK(!verify());
    }
    anims_write(&anims, name, good, size);
    CHECK(verify());
}

static bool verify_prop(void)
{
    return verify_database("game/prop.sad");
}

static bool verify_game(void)
{
    return verify_image(NULL);
}

static void every_byte_of_a_database_counts(void)
{
    start(ANIM_PACK_BY_FOLDER);
    try_file("game/prop.sad", verify_prop);
    anims_finish(&anims);
}

static void every_byte_of_an_image_counts(void)
{
    start(ANIM_PACK_BY_FOLDER);
    try_file("game/animations.sai", verify_game);
    anims_finish(&anims);
    start(ANIM_PACK_BY_FILE);
    try_file("game/animations.sai", verify_game);
    anims_finish(&anims);
}

static void damaged_clips_are_named(void)
{
    uint8_t *bytes;
    size_t size;

    start(ANIM_PACK_BY_FOLDER);
    bytes = anims_read(&anims, anims_path(&anims, "game/hero.sad"), &size);
    bytes[size - 1] ^= 1;
    anims_write(&anims, "game/hero.sad", bytes, size);
    CHECK(!verify_database("game/hero.sad"));
    CHECK(says("hero.sad: offset 0x"));
    CHECK(says(": hero/wave.sac: "));
    CHECK(!verify_image(NULL));
    CHECK(says(": hero/wave.sac: "));
    anims_finish(&anims);
    start(ANIM_PACK_BY_FILE);
    anims_write(&anims, "game/hero/wave.sac", "damaged", 7);
    CHECK(!verify_image(NULL));
    CHECK(says("game/hero/wave.sac: offset 0x0: file size: found 7, but the "
               "image has "));
    anims_finish(&anims);
}

/* A clip with other bytes, of the same size. */
static void change_wave(void)
{
    size_t size;
    uint8_t *bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);

    bytes[20]++; /* the frame rate */
    anim_mend_clip(bytes, size);
    anims_write(&anims, "anims/hero/wave.sac", bytes, size);
}

static void copy(const char *from, const char *to)
{
    size_t size;
    uint8_t *bytes = anims_read(&anims, anims_path(&anims, from), &size);

    anims_write(&anims, to, bytes, size);
}

static void images_of_other_databases_are_refused(void)
{
    start(ANIM_PACK_BY_FOLDER);
    change_wave();
    anims_pack_by(&anims, "new", 1, ANIM_PACK_BY_FOLDER);
    copy("new/hero.sad", "game/hero.sad");
    CHECK(verify_database("game/hero.sad"));
    CHECK(!verify_image(NULL));
    CHECK(says("game/hero.sad: checksum of the data: found 0x"));
    CHECK(says(", but the image has 0x"));
    anims_finish(&anims);
    start(ANIM_PACK_BY_FOLDER);
    CHECK_EQ(rename(anims_path(&anims, "anims/hero/wave.sac"),
                    anims_path(&anims, "anims/hero/wade.sac")),
             0);
    anims_pack_by(&anims, "new", 1, ANIM_PACK_BY_FOLDER);
    copy("new/animations.sai", "game/animations.sai");
    CHECK(!verify_image(NULL));
    CHECK(says("hero"));
    anims_finish(&anims);
    start(ANIM_PACK_BY_FILE);
    change_wave();
    copy("anims/hero/wave.sac", "game/hero/wave.sac");
    CHECK(!verify_image(NULL));
    CHECK(says("game/hero/wave.sac: hero/wave.sac: checksum of the first part: "
               "found 0x"));
    anims_finish(&anims);
}

TEST_MAIN(TEST(good_files_pass), TEST(every_byte_of_a_database_counts),
          TEST(every_byte_of_an_image_counts), TEST(damaged_clips_are_named),
          TEST(images_of_other_databases_are_refused))
