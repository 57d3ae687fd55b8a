/* test_anim_waits.c
 *
 * Goal: a clip that waits for a record is read in its turn when there is one,
 *   and a synchronous load goes on where it has stopped.
 * Method: made-up clips on a disc with a virtual clock, which logs its reads.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_stage.h"

enum {
    CLIPS = 8,
    RECORDS = 3,
    BYTES = 20000,
    LARGE = 200024,
    SECOND = 1000000
};

static struct anim_stage stage;

static void tick(void)
{
    anim_stage_tick(&stage, STAGE_TICK_US);
}

/* -- records -- */

static void check_read(uint32_t read, uint32_t clip)
{
    spn_anim_info info;

    test_context("read %u", read);
    CHECK_EQ(
        spn_anim_get_info(stage.stage.rt, anim_stage_clip(&stage, clip), &info),
        SPN_OK);
    CHECK_EQ_U(stage.stage.disc.log[read].offset, info.offset);
}

/* All records are in use when a clip without a time, one of a cue in 0.6 s and
 * one that plays become wanted, in this order, which is also that of the disc.
 */
static void clips_keep_their_deadlines_while_they_wait_for_records(void)
{
    spn_anim_cue cue = {600000, 0};
    spn_anim anims[2 * RECORDS];
    spn_anim_timeline timeline;
    spn_anim_play play;
    uint32_t first;

    anim_stage_init(&stage, CLIPS, BYTES, true);
    stage.stage.config.anim_loaded_count = RECORDS;
    anim_stage_open(&stage);
    stage.stage.disc.command_us = 5000;
    anim_stage_set(&stage, "anim_reads_max", "1");
    for (uint32_t i = 0; i < 2 * RECORDS; i++)
        anims[i] = anim_stage_clip(&stage, i);
    for (uint32_t i = 0; i < RECORDS; i++)
        anim_stage_add_ref(&stage, anims[i]);
    for (uint32_t i = 0; i < RECORDS; i++)
        anim_stage_until(&stage, anims[i], SPN_OK);
    first = stage.stage.disc.reads;
    anim_stage_add_ref(&stage, anims[3]);
    tick();
    cue.anim = anims[4];
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, &cue, 1),
             SPN_OK);
    tick();
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anims[5], &play), SPN_OK);
    tick();
    for (uint32_t i = RECORDS; i < 2 * RECORDS; i++)
        CHECK_EQ(anim_stage_status(&stage, anims[i]), SPN_PENDING);
    for (uint32_t i = 0; i < RECORDS; i++)
        anim_stage_release(&stage, anims[i]);
    for (uint32_t i = RECORDS; i < 2 * RECORDS; i++)
        anim_stage_until(&stage, anims[i], SPN_OK);
    CHECK_EQ_U(stage.stage.disc.reads - first, 3);
    check_read(first, 5);
    check_read(first + 1, 4);
    check_read(first + 2, 3);
    anim_stage_close(&stage);
}

/* -- synchronous loads -- */

/* Half a second, 10 ms at a time, with updates between the calls or without. */
static void synchronous_load_goes_on_after_a_time_out(void)
{
    for (int has_updates = 0; has_updates < 2; has_updates++) {
        spn_status status = SPN_ERR_TIMEOUT;
        uint32_t calls = 0;

        anim_stage_init(&stage, 1, LARGE, false);
        anim_stage_open(&stage);
        stage.stage.disc.bytes_per_second = 400000;
        for (; status == SPN_ERR_TIMEOUT && calls < 100; calls++) {
            status = spn_anim_load_synchronously(
                stage.stage.rt, anim_stage_clip(&stage, 0), 10000);
            if (has_updates)
                tick();
            else
                stage.stage.disc.clock_us += 10000;
        }
        CHECK_EQ(status, SPN_OK);
        CHECK(calls > 20);
        anim_stage_check_bytes(&stage, 0);
        CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
        CHECK_EQ_U(anim_stage_stats(&stage).bytes_read, LARGE);
        anim_stage_close(&stage);
    }
}

/* The first part is under way at the time-out, and comes. */
static void synchronous_load_that_is_given_up_begins_nothing_more(void)
{
    spn_anim anim;

    anim_stage_init(&stage, 1, LARGE, false);
    anim_stage_open(&stage);
    stage.stage.disc.bytes_per_second = 400000;
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, 10000),
             SPN_ERR_TIMEOUT);
    anim_stage_run(&stage, SECOND);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_READY, anim, 0), 1);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_PENDING);
    anim_stage_run(&stage, 2 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(clips_keep_their_deadlines_while_they_wait_for_records),
          TEST(synchronous_load_goes_on_after_a_time_out),
          TEST(synchronous_load_that_is_given_up_begins_nothing_more))
