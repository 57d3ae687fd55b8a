/* test_anim_retries.c
 *
 * Goal: what cannot be read now is reported, waits, and is read later; it holds
 *   up nothing else, and can be given up at any time.
 * Method: made-up clips on a disc with a virtual clock and scripted faults, in
 *   files of their own or in a database. Clips of 200 KB have two parts.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

enum {
    LARGE = 200024,
    FIRST = 50024, /* the first part of a large clip */
    BYTES = 20000,
    CLIPS = 4,
    SECOND = 1000000
};

static struct anim_stage stage;

static void open_stage(uint32_t count, uint32_t bytes)
{
    anim_stage_init(&stage, count, bytes, false);
    anim_stage_open(&stage);
}

static void open_database(void)
{
    anim_stage_init(&stage, CLIPS, BYTES, true);
    anim_stage_open(&stage);
}

static void tick(void)
{
    anim_stage_tick(&stage, STAGE_TICK_US);
}

/* Reads of a range of the first clip fail from now on. */
static void break_range(uint64_t offset, uint64_t bytes)
{
    slow_platform_fault(&stage.stage.disc,
                        &(struct slow_fault){.kind = SLOW_ERROR,
                                             .path = "a/00000.sac",
                                             .offset = offset,
                                             .bytes = bytes});
}

static void play(uint32_t clip)
{
    spn_anim_play handle;

    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim_stage_clip(&stage, clip),
                                 &handle),
             SPN_OK);
}

static uint32_t failures_of(spn_anim anim)
{
    return anim_stage_count(&stage, SPN_ANIM_FAILED, anim, 0);
}

/* -- parts -- */

/* The first part comes with the second attempt, and the rest never. */
static void error_of_the_rest_outlives_the_first_part(void)
{
    spn_fault fault;
    uint64_t begin_us;
    spn_anim anim;

    open_stage(1, LARGE);
    stage.stage.disc.bytes_per_second = 2000000;
    break_range(0, LARGE);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_IO);
    while (failures_of(anim) < 2)
        tick();
    slow_platform_clear_faults(&stage.stage.disc);
    break_range(FIRST, LARGE - FIRST);
    begin_us = stage.stage.disc.clock_us;
    while (failures_of(anim) < 5) {
        tick();
        CHECK_EQ(anim_stage_status(&stage, anim), SPN_ERR_IO);
    }
    /* After 0.25, 0.5 and 1 s. An attempt takes a quarter of a second. */
    CHECK(stage.stage.disc.clock_us - begin_us > 7 * SECOND / 4);
    CHECK(stage.stage.disc.clock_us - begin_us < 11 * SECOND / 4);
    CHECK(spn__clip_is_ready(stage.stage.rt->anim, anim - 1));
    CHECK_EQ(spn_anim_get_status(stage.stage.rt, anim, &fault), SPN_ERR_IO);
    CHECK_EQ_U(fault.offset, FIRST);
    CHECK_STR(fault.what, "bytes of a clip");
    CHECK_STR(fault.file, "a/00000.sac");
    CHECK_EQ(fault.status, SPN_ERR_IO);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

static void error_of_the_first_part_outlives_the_rest(void)
{
    spn_anim anim;

    open_stage(1, LARGE);
    stage.stage.disc.bytes_per_second = 2000000;
    break_range(0, FIRST);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_IO);
    while (failures_of(anim) < 3) {
        tick();
        CHECK_EQ(anim_stage_status(&stage, anim), SPN_ERR_IO);
    }
    /* The rest was read once. */
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 4);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_READY, anim, 0), 0);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 5);
    anim_stage_close(&stage);
}

/* A file is open only while it is read. */
static void clip_that_waits_keeps_no_file_open(void)
{
    spn_anim anim;

    open_stage(1, LARGE);
    anim_stage_set(&stage, "anim_retry_ms", "60000");
    break_range(FIRST, LARGE - FIRST);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_IO);
    anim_stage_run(&stage, 5 * STAGE_TICK_US);
    CHECK(spn__clip_is_ready(stage.stage.rt->anim, anim - 1));
    CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_run(&stage, 61 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

/* -- reads that cannot be started -- */

/* One file can be open. The second clip, whose first part is needed before the
 * rest of the first one, waits for that file. */
static void clip_without_a_file_holds_up_no_other(void)
{
    spn_anim anims[2];

    anim_stage_init(&stage, 2, LARGE, false);
    stage.stage.config.file_count = 1;
    anim_stage_open(&stage);
    stage.stage.disc.command_us = 100000;
    for (uint32_t i = 0; i < 2; i++) {
        anims[i] = anim_stage_clip(&stage, i);
        play(i);
        tick();
    }
    CHECK_EQ(anim_stage_status(&stage, anims[1]), SPN_PENDING);
    CHECK(anim_stage_until(&stage, anims[0], SPN_OK) < SECOND);
    CHECK(anim_stage_until(&stage, anims[1], SPN_OK) < SECOND);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_check_bytes(&stage, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).reads_failed, 0);
    anim_stage_close(&stage);
}

/* The game closes a file that is not its own. */
static void clip_whose_read_cannot_be_started_is_reported(void)
{
    spn_anim anims[2];
    spn_fault fault;

    open_database();
    anims[0] = anim_stage_clip(&stage, 0);
    anims[1] = anim_stage_clip(&stage, 1);
    anim_stage_add_ref(&stage, anim_stage_clip(&stage, 2));
    anim_stage_until(&stage, anim_stage_clip(&stage, 2), SPN_OK);
    CHECK_EQ(
        spn_file_close(stage.stage.rt, stage.stage.rt->anim->databases[0].file),
        SPN_OK);
    anim_stage_add_ref(&stage, anims[0]);
    anim_stage_add_ref(&stage, anims[1]);
    tick();
    CHECK_EQ(spn_anim_get_status(stage.stage.rt, anims[0], &fault),
             SPN_ERR_HANDLE);
    CHECK_STR(fault.what, "bytes of a clip");
    CHECK_STR(fault.file, "d.sad");
    CHECK_EQ(fault.status, SPN_ERR_HANDLE);
    CHECK_EQ_U(failures_of(anims[0]), 1);
    CHECK_EQ(stage.events[stage.event_count - 1].status, SPN_ERR_HANDLE);
    CHECK_EQ_U(anim_stage_stats(&stage).reads_failed, 1);
    /* The other one is read, and opens the file again. */
    CHECK(anim_stage_until(&stage, anims[1], SPN_OK) < SECOND / 5);
    CHECK_EQ(anim_stage_status(&stage, anims[0]), SPN_ERR_HANDLE);
    anim_stage_until(&stage, anims[0], SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    CHECK_EQ_U(failures_of(anims[0]), 1);
    anim_stage_close(&stage);
}

/* -- given up -- */

/* At each step of attempts that fail, with one part in flight or in memory. */
static void clip_can_be_given_up_at_any_step_of_retries(void)
{
    for (int part = 0; part < 2; part++)
        for (int step = 0; step < 30; step++) {
            spn_anim anim;
            uint32_t reads;

            test_context("part %d, step %d", part, step);
            open_stage(1, LARGE);
            stage.stage.disc.bytes_per_second = 2000000;
            anim_stage_set(&stage, "anim_retry_ms", "50");
            anim_stage_set(&stage, "anim_grace_ms", "100");
            break_range(part == 0 ? 0 : FIRST, part == 0 ? FIRST : 1000);
            anim = anim_stage_clip(&stage, 0);
            anim_stage_add_ref(&stage, anim);
            for (int i = 0; i < step; i++)
                tick();
            anim_stage_release(&stage, anim);
            if (step % 2) {
                CHECK_EQ(spn_anim_unload(stage.stage.rt, anim), SPN_OK);
                CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
            }
            anim_stage_run(&stage, SECOND / 2);
            CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
            CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
            CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
            reads = anim_stage_stats(&stage).reads;
            anim_stage_run(&stage, 2 * SECOND);
            CHECK_EQ_U(anim_stage_stats(&stage).reads, reads);
            slow_platform_clear_faults(&stage.stage.disc);
            anim_stage_add_ref(&stage, anim);
            CHECK(anim_stage_until(&stage, anim, SPN_OK) < SECOND / 2);
            anim_stage_check_bytes(&stage, 0);
            anim_stage_close(&stage);
        }
}

/* Clips that may not be unloaded keep what is in memory: nothing. */
static void clip_that_fails_when_nobody_wants_it_leaves_nothing(void)
{
    spn_anim anim;

    open_stage(1, LARGE);
    stage.stage.disc.bytes_per_second = 2000000;
    anim_stage_set(&stage, "anim_disable_unloading", "1");
    break_range(0, LARGE);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    tick();
    anim_stage_release(&stage, anim);
    tick();
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_PENDING);
    anim_stage_run(&stage, SECOND);
    CHECK_EQ_U(failures_of(anim), 2);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).loading, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
    anim_stage_close(&stage);
}

/* Within its grace the clip keeps its first part, and how long it waits. */
static void clip_that_is_wanted_again_goes_on_with_its_retries(void)
{
    spn_anim anim;

    open_stage(1, LARGE);
    break_range(FIRST, LARGE - FIRST);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    while (failures_of(anim) < 3)
        tick();
    anim_stage_release(&stage, anim);
    anim_stage_run(&stage, SECOND + SECOND / 2);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_ERR_IO);
    CHECK_EQ_U(failures_of(anim), 3);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    /* The rest four times. */
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 5);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_READY, anim, 0), 1);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

static spn_status database_status(void)
{
    spn_anim_database_state state;

    CHECK_EQ(spn_anim_database_get_state(stage.stage.rt, stage.d, &state),
             SPN_OK);
    return state.status;
}

static void database_can_be_given_up_at_any_step_of_retries(void)
{
    const struct slow_fault fault = {.kind = SLOW_ERROR, .path = "d.sad"};

    for (int step = 0; step < 30; step++) {
        test_context("step %d", step);
        open_database();
        stage.stage.disc.bytes_per_second = 2000000;
        anim_stage_set(&stage, "anim_retry_ms", "50");
        slow_platform_fault(&stage.stage.disc, &fault);
        CHECK_EQ(spn_anim_database_add_owner(stage.stage.rt, stage.d), SPN_OK);
        for (int i = 0; i < step; i++)
            tick();
        CHECK(database_status() == SPN_PENDING ||
              database_status() == SPN_ERR_IO);
        CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d),
                 SPN_ERR_STATE);
        CHECK_EQ(spn_anim_database_remove_owner(stage.stage.rt, stage.d),
                 SPN_OK);
        if (step % 2)
            CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d), SPN_OK);
        anim_stage_run(&stage, 5 * SECOND);
        CHECK_EQ(database_status(), SPN_EMPTY);
        CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
        CHECK_EQ_U(anim_stage_stats(&stage).loading, 0);
        CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_HIDDEN, 0, 0), 0);
        slow_platform_clear_faults(&stage.stage.disc);
        CHECK_EQ(spn_anim_database_preload(stage.stage.rt, stage.d, 0), SPN_OK);
        CHECK(anim_stage_until_database(&stage, SPN_OK) < SECOND);
        anim_stage_close(&stage);
        CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    }
}

static void runtime_can_be_shut_down_at_any_step_of_retries(void)
{
    for (int database = 0; database < 2; database++)
        for (int step = 0; step < 30; step++) {
            const struct slow_fault fault = {.kind = SLOW_ERROR,
                                             .path = database ? "d.sad"
                                                              : "a/00000.sac",
                                             .offset = database ? 0 : FIRST,
                                             .bytes = database ? 0 : 1000};

            test_context("database %d, step %d", database, step);
            anim_stage_init(&stage, 1, LARGE, database != 0);
            anim_stage_open(&stage);
            stage.stage.disc.bytes_per_second = 2000000;
            anim_stage_set(&stage, "anim_retry_ms", "50");
            slow_platform_fault(&stage.stage.disc, &fault);
            anim_stage_add_ref(&stage, anim_stage_clip(&stage, 0));
            if (database)
                CHECK_EQ(spn_anim_database_preload(stage.stage.rt, stage.d, 0),
                         SPN_OK);
            for (int i = 0; i < step; i++)
                tick();
            anim_stage_close(&stage);
            CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
        }
}

TEST_MAIN(TEST(error_of_the_rest_outlives_the_first_part),
          TEST(error_of_the_first_part_outlives_the_rest),
          TEST(clip_that_waits_keeps_no_file_open),
          TEST(clip_without_a_file_holds_up_no_other),
          TEST(clip_whose_read_cannot_be_started_is_reported),
          TEST(clip_can_be_given_up_at_any_step_of_retries),
          TEST(clip_that_fails_when_nobody_wants_it_leaves_nothing),
          TEST(clip_that_is_wanted_again_goes_on_with_its_retries),
          TEST(database_can_be_given_up_at_any_step_of_retries),
          TEST(runtime_can_be_shut_down_at_any_step_of_retries))
