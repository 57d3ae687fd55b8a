/* test_anim_residency.c
 *
 * Goal: a new reference keeps what is in memory, whatever else needs room. A
 *   clip waits neither for ever for its database, nor behind a larger one for
 *   which there is no room; and that one does not wait for ever either.
 * Method: an image of made-up clips on a disc with a virtual clock. Calls that
 *   need records or memory come between a new reference and the next update, in
 *   the same update, and before it in the list of changes. Databases that are
 *   slow, or fail; heaps with room for some of the clips.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

#include <stdio.h>

enum { CLIPS = 4, BYTES = 20000 };

static struct anim_stage stage;

static void tick(void)
{
    anim_stage_tick(&stage, STAGE_TICK_US);
}

static void load_and_release(spn_anim anim)
{
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_release(&stage, anim);
    tick();
}

/* -- new references -- */

static void want_by_play(spn_anim anim)
{
    spn_anim_play play;

    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play), SPN_OK);
}

static void want_by_lock(spn_anim anim)
{
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 1), SPN_OK);
}

/* The next update sees the cue before it looks at references. */
static void want_by_timeline(spn_anim anim)
{
    static spn_anim_cue cue;
    spn_anim_timeline timeline;

    cue = (spn_anim_cue){0, anim};
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, &cue, 1),
             SPN_OK);
}

static void want_by_ref(spn_anim anim)
{
    anim_stage_add_ref(&stage, anim);
}

/* Two clips are idle, and there is no record for a third one: it takes that of
 * the clip without a new reference, which has been idle for less long. */
static void new_reference_keeps_an_idle_clip(void)
{
    static void (*const wants[])(spn_anim) = {want_by_play, want_by_lock,
                                              want_by_timeline, want_by_ref};

    for (uint32_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        spn_anim anims[3];

        test_context("case %u", i);
        anim_stage_init(&stage, CLIPS, BYTES, false);
        stage.stage.config.anim_loaded_count = 2;
        anim_stage_open(&stage);
        for (uint32_t k = 0; k < 3; k++)
            anims[k] = anim_stage_clip(&stage, k);
        load_and_release(anims[0]);
        load_and_release(anims[1]);
        /* Changes are looked at in the order of the calls. */
        if (wants[i] != want_by_ref)
            anim_stage_add_ref(&stage, anims[0]);
        wants[i](anims[2]);
        if (wants[i] == want_by_ref)
            anim_stage_add_ref(&stage, anims[0]);
        tick();
        CHECK_EQ(anim_stage_status(&stage, anims[0]), SPN_OK);
        anim_stage_until(&stage, anims[2], SPN_OK);
        CHECK_EQ(anim_stage_status(&stage, anims[0]), SPN_OK);
        CHECK_EQ(anim_stage_status(&stage, anims[1]), SPN_EMPTY);
        CHECK_EQ_U(anim_stage_stats(&stage).reads, 3);
        anim_stage_close(&stage);
    }
}

/* -- databases under way -- */

enum { SECOND = 1000000, PAGE = 4096 };

static void open_database_stage(void)
{
    anim_stage_init(&stage, CLIPS, BYTES, true);
    anim_stage_open(&stage);
}

static void preload(void)
{
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, stage.d,
                                       SPN_PRIORITY_DEFAULT),
             SPN_OK);
}

/* The data of the database, 80 KB, takes 4 s, a clip 1 s. */
static void clip_does_not_wait_for_a_slow_database(void)
{
    spn_anim anims[3];
    spn_anim_play play;

    open_database_stage();
    for (uint32_t i = 0; i < 3; i++)
        anims[i] = anim_stage_clip(&stage, i);
    stage.stage.disc.command_us = 4 * SECOND;
    preload();
    tick();
    tick();
    stage.stage.disc.command_us = 100000;
    anim_stage_add_ref(&stage, anims[0]);
    anim_stage_run(&stage, 3 * SECOND / 2);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    /* A play does not wait at all, and nobody else for its sake. */
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anims[1], &play), SPN_OK);
    anim_stage_run(&stage, SECOND / 4);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
    anim_stage_run(&stage, SECOND / 2);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 3);
    anim_stage_add_ref(&stage, anims[2]);
    tick();
    tick();
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 4);
    anim_stage_until_database(&stage, SPN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        anim_stage_until(&stage, anims[i], SPN_OK);
        anim_stage_check_bytes(&stage, i);
    }
    anim_stage_add_ref(&stage, anim_stage_clip(&stage, 3));
    anim_stage_until(&stage, anim_stage_clip(&stage, 3), SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 4);
    anim_stage_close(&stage);
}

/* Its last byte cannot be read: the clips before it can. */
static void clip_does_not_wait_for_a_broken_database(void)
{
    struct slow_fault fault = {.kind = SLOW_ERROR, .path = "d.sad"};

    open_database_stage();
    fault.offset = stage.database.size - 1;
    fault.bytes = 1;
    slow_platform_fault(&stage.stage.disc, &fault);
    preload();
    anim_stage_add_ref(&stage, anim_stage_clip(&stage, 0));
    CHECK(anim_stage_until(&stage, anim_stage_clip(&stage, 0), SPN_OK) <
          SECOND);
    anim_stage_check_bytes(&stage, 0);
    CHECK(anim_stage_count(&stage, SPN_ANIM_FAILED, 0, stage.d) > 0);
    anim_stage_add_ref(&stage, anim_stage_clip(&stage, 1));
    CHECK(anim_stage_until(&stage, anim_stage_clip(&stage, 1), SPN_OK) <
          SECOND);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_close(&stage);
}

/* -- a load without room -- */

static struct tiny_clips small;

/* The database has 20 pages; clips of 5 pages have files of their own. */
static void open_crowded_stage(uint32_t pages)
{
    struct clip_database_source source = {.path = "d.sad"};
    struct clip_index_file image = {0};
    char text[16];

    anim_stage_init(&stage, CLIPS, BYTES, true);
    tiny_clips_init(&small, "b", CLIPS, BYTES);
    source.index = &stage.database.index;
    CHECK(clip_image_make(&small.arena, &small.diag, "j.sai", &source, 1,
                          small.sources, CLIPS, &image));
    stage.stage.config.heap_bytes = 128 * PAGE;
    stage.stage.config.anim_count = 2 * CLIPS;
    for (uint32_t i = 0; i < CLIPS; i++)
        slow_platform_add(&stage.stage.disc, small.sources[i].name,
                          small.sources[i].bytes, small.sources[i].byte_count);
    slow_platform_add(&stage.stage.disc, "j.sai", image.bytes, image.size);
    stage.image_path = "j.sai";
    anim_stage_open(&stage);
    snprintf(text, sizeof text, "%u", pages * 4);
    anim_stage_set(&stage, "anim_memory_kib", text);
}

static spn_anim small_clip(uint32_t i)
{
    spn_anim anim = 0;

    CHECK_EQ(spn_anim_find(stage.stage.rt, small.sources[i].name, &anim),
             SPN_OK);
    return anim;
}

static void close_crowded_stage(void)
{
    anim_stage_close(&stage);
    tiny_clips_free(&small);
}

static spn_status database_status(void)
{
    spn_anim_database_state state;

    CHECK_EQ(spn_anim_database_get_state(stage.stage.rt, stage.d, &state),
             SPN_OK);
    return state.status;
}

static void lock_database(void)
{
    CHECK_EQ(spn_anim_database_lock(stage.stage.rt, stage.d, 1,
                                    SPN_PRIORITY_DEFAULT),
             SPN_OK);
}

/* Room for the database, and for a clip beside it. */
static void small_clip_passes_a_large_load(void)
{
    spn_anim anims[CLIPS];

    open_crowded_stage(25);
    for (uint32_t i = 0; i < CLIPS; i++)
        anims[i] = small_clip(i);
    anim_stage_add_ref(&stage, anims[0]);
    anim_stage_add_ref(&stage, anims[1]);
    anim_stage_until(&stage, anims[1], SPN_OK);
    lock_database();
    anim_stage_run(&stage, SECOND);
    CHECK_EQ(database_status(), SPN_PENDING);
    /* 5 of 25 pages are left beside the database. */
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anims[2], 1), SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anims[2]), SPN_OK);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anims[3], 1), SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anims[3]), SPN_PENDING);
    CHECK_EQ(database_status(), SPN_PENDING);
    anim_stage_release(&stage, anims[0]);
    anim_stage_release(&stage, anims[1]);
    anim_stage_until_database(&stage, SPN_OK);
    CHECK_EQ(anim_stage_status(&stage, anims[3]), SPN_PENDING);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anims[2], 0), SPN_OK);
    anim_stage_until(&stage, anims[3], SPN_OK);
    close_crowded_stage();
}

/* Two of four clips always play, in turns, so that 20 of 25 pages are never
 * free unless they are kept for the database. */
static void large_load_is_not_passed_for_ever(void)
{
    spn_anim_play plays[2];
    uint32_t i;

    open_crowded_stage(25);
    for (i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_play_start(stage.stage.rt, small_clip(i), &plays[i]),
                 SPN_OK);
    anim_stage_until(&stage, small_clip(1), SPN_OK);
    lock_database();
    for (; i < 40 && database_status() == SPN_PENDING; i++) {
        spn_anim_play next;

        CHECK_EQ(
            spn_anim_play_start(stage.stage.rt, small_clip(i % CLIPS), &next),
            SPN_OK);
        anim_stage_run(&stage, SECOND / 4);
        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[i % 2]), SPN_OK);
        plays[i % 2] = next;
    }
    CHECK_EQ(database_status(), SPN_OK);
    close_crowded_stage();
}

TEST_MAIN(TEST(new_reference_keeps_an_idle_clip),
          TEST(clip_does_not_wait_for_a_slow_database),
          TEST(clip_does_not_wait_for_a_broken_database),
          TEST(small_clip_passes_a_large_load),
          TEST(large_load_is_not_passed_for_ever))
