/* test_anim_paks.c
 *
 * Goal: clips are read from a pak that is mounted only after a read has failed
 *   because no file was there, from a database and from files of their own.
 * Method: a disc whose clips are only in a pak.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_stage.h"
#include "support/tiny_pak.h"

#include <spindle/pak.h>
#include <string.h>

enum { CLIPS = 2, BYTES = 5000 };

static struct anim_stage stage;
static struct tiny_pak pak;

/* All files but the image are only in the pak. */
static void open_stage(bool has_database)
{
    struct tiny_pak_file files[CLIPS];
    char names[CLIPS][SLOW_PATH_BYTES];
    struct slow_platform *disc = &stage.stage.disc;
    uint32_t count = 0;

    anim_stage_init(&stage, CLIPS, BYTES, has_database);
    for (uint32_t i = 0; i < disc->file_count; i++) {
        struct slow_file *f = &disc->files[i];

        if (strcmp(f->path, stage.image_path) == 0)
            continue;
        strcpy(names[count], f->path);
        strcpy(f->path, "not here");
        files[count] = (struct tiny_pak_file){
            .name = names[count], .data = f->data, .bytes = (size_t)f->bytes};
        count++;
    }
    tiny_pak_make(&pak, files, count);
    slow_platform_add(disc, "p.spk", pak.bytes, pak.size);
    stage.stage.config.pak_count = 1;
    anim_stage_open(&stage);
}

static void mount(void)
{
    spn_pak handle;

    CHECK_EQ(spn_pak_mount(stage.stage.rt, "p.spk", &handle), SPN_OK);
    while (spn_pak_get_status(stage.stage.rt, handle, NULL) == SPN_PENDING)
        anim_stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_get_status(stage.stage.rt, handle, NULL), SPN_OK);
}

static void check_late_mount(bool has_database)
{
    spn_anim clip;

    open_stage(has_database);
    /* Always sooner than anim_remove_ms, which closes unused files. */
    anim_stage_set(&stage, "anim_retry_ms", "100");
    clip = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, clip);
    (void)anim_stage_until(&stage, clip, SPN_ERR_NOT_FOUND);
    anim_stage_run(&stage, 2000000);
    CHECK_EQ(anim_stage_status(&stage, clip), SPN_ERR_NOT_FOUND);
    mount();
    (void)anim_stage_until(&stage, clip, SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_release(&stage, clip);
    anim_stage_close(&stage);
    tiny_pak_free(&pak);
}

static void database_is_read_from_a_pak_that_is_mounted_late(void)
{
    check_late_mount(true);
}

static void clip_file_is_read_from_a_pak_that_is_mounted_late(void)
{
    check_late_mount(false);
}

TEST_MAIN(TEST(database_is_read_from_a_pak_that_is_mounted_late),
          TEST(clip_file_is_read_from_a_pak_that_is_mounted_late))
