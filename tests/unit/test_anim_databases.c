/* test_anim_databases.c
 *
 * Goal: a database is in memory while it is in use, and for the time-outs after
 *   that; its clips become unavailable before its memory goes; a database that
 *   could not be read is never taken for loaded.
 * Method: one database of made-up clips on a disc with a virtual clock and
 *   scripted faults. Reads and events are counted.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

enum { CLIPS = 8, BYTES = 20000, SECOND = 1000000, TICK = STAGE_TICK_US };

static struct anim_stage stage;

static void open_stage(void)
{
    anim_stage_init(&stage, CLIPS, BYTES, true);
    anim_stage_open(&stage);
}

static spn_anim_database_state state(void)
{
    spn_anim_database_state out;

    CHECK_EQ(spn_anim_database_get_state(stage.stage.rt, stage.d, &out),
             SPN_OK);
    return out;
}

static void preload(void)
{
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, stage.d,
                                       SPN_PRIORITY_DEFAULT),
             SPN_OK);
}

static uint32_t count(spn_anim_event_kind kind)
{
    return anim_stage_count(&stage, kind, 0, stage.d);
}

/* -- databases -- */

static void database_serves_all_its_clips_from_one_read(void)
{
    spn_anim anims[CLIPS];

    open_stage();
    stage.stage.disc.command_us = 100000;
    CHECK_EQ(state().status, SPN_EMPTY);
    CHECK_STR(state().path, "d.sad");
    CHECK_EQ_U(state().bytes, CLIPS * BYTES);
    preload();
    CHECK_EQ(state().status, SPN_PENDING);
    /* Wanted while the database is being read: no read of its own. */
    anims[3] = anim_stage_clip(&stage, 3);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anims[3]), SPN_OK);
    anim_stage_tick(&stage, TICK);
    CHECK_EQ(anim_stage_status(&stage, anims[3]), SPN_PENDING);
    anim_stage_until_database(&stage, SPN_OK);
    for (uint32_t i = 0; i < CLIPS; i++) {
        anims[i] = anim_stage_clip(&stage, i);
        CHECK_EQ(anim_stage_status(&stage, anims[i]), SPN_OK);
        CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anims[i]), SPN_OK);
        anim_stage_check_bytes(&stage, i);
    }
    anim_stage_tick(&stage, TICK);
    CHECK_EQ_U(state().used_clips, CLIPS);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).bytes_read, CLIPS * BYTES);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded, 1);
    CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d), SPN_ERR_STATE);
    anim_stage_run(&stage, 5 * SECOND);
    CHECK_EQ(state().status, SPN_OK);
    CHECK_EQ_U(state().is_hidden, 0);
    anim_stage_close(&stage);
}

/* There is one record, and a clip has it. */
static void database_is_pending_while_it_waits_for_a_record(void)
{
    spn_anim anim;

    anim_stage_init(&stage, CLIPS, BYTES, true);
    stage.stage.config.anim_loaded_count = 1;
    anim_stage_open(&stage);
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    (void)anim_stage_until(&stage, anim, SPN_OK);
    preload();
    anim_stage_run(&stage, 3 * TICK);
    CHECK_EQ(state().status, SPN_PENDING);
    CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_OK);
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_close(&stage);
}

static void database_is_hidden_before_it_is_freed(void)
{
    spn_anim anim;

    open_stage();
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_run(&stage, 2 * SECOND - 3 * TICK);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_run(&stage, 4 * TICK);
    CHECK_EQ_U(state().is_hidden, 1);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(count(SPN_ANIM_HIDDEN), 1);
    CHECK(anim_stage_stats(&stage).loaded_bytes > 0);
    anim_stage_run(&stage, 2 * SECOND - 5 * TICK);
    CHECK_EQ(state().status, SPN_OK);
    anim_stage_run(&stage, 4 * TICK);
    CHECK_EQ(state().status, SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
    CHECK_EQ_U(count(SPN_ANIM_LOADED), 1);
    CHECK_EQ_U(count(SPN_ANIM_UNLOADED), 1);
    anim_stage_close(&stage);
}

static void database_that_is_hidden_comes_back_without_a_read(void)
{
    spn_anim anim;

    open_stage();
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim = anim_stage_clip(&stage, 5);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ_U(state().is_hidden, 1);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_tick(&stage, TICK);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_check_bytes(&stage, 5);
    CHECK_EQ_U(count(SPN_ANIM_SHOWN), 1);
    CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ_U(state().is_hidden, 1);
    preload();
    CHECK_EQ_U(state().is_hidden, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    anim_stage_close(&stage);
}

static void database_time_outs_can_be_set(void)
{
    open_stage();
    anim_stage_set(&stage, "ca_DBAUnloadUnregisterTime", "3.5");
    anim_stage_set(&stage, "ca_DBAUnloadRemoveTime", "1");
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    /* It is not removed before it is hidden. */
    anim_stage_run(&stage, 3500000 - 3 * TICK);
    CHECK_EQ(state().status, SPN_OK);
    CHECK_EQ_U(state().is_hidden, 0);
    anim_stage_run(&stage, 5 * TICK);
    CHECK_EQ(state().status, SPN_EMPTY);
    CHECK_EQ_U(count(SPN_ANIM_HIDDEN), 1);
    anim_stage_set(&stage, "ca_DisableAnimationUnloading", "1");
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_run(&stage, 8 * SECOND);
    CHECK_EQ(state().status, SPN_OK);
    anim_stage_close(&stage);
}

static void database_that_is_locked_or_owned_stays(void)
{
    uint32_t left = 7;

    open_stage();
    CHECK_EQ(
        spn_anim_database_lock(stage.stage.rt, stage.d, 1, SPN_PRIORITY_URGENT),
        SPN_OK);
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_run(&stage, 5 * SECOND);
    CHECK_EQ(state().status, SPN_OK);
    CHECK_EQ_U(state().is_locked, 1);
    CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d), SPN_ERR_STATE);
    CHECK_EQ(spn_anim_database_unload_all(stage.stage.rt, &left), SPN_OK);
    CHECK_EQ_U(left, 1);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_database_add_owner(stage.stage.rt, stage.d), SPN_OK);
    CHECK_EQ(spn_anim_database_lock(stage.stage.rt, stage.d, 0, 0), SPN_OK);
    CHECK_EQ(spn_anim_database_remove_owner(stage.stage.rt, stage.d), SPN_OK);
    anim_stage_run(&stage, 5 * SECOND);
    CHECK_EQ(state().status, SPN_OK);
    CHECK_EQ_U(state().owner_count, 1);
    CHECK_EQ(spn_anim_database_remove_owner(stage.stage.rt, stage.d), SPN_OK);
    CHECK_EQ(spn_anim_database_remove_owner(stage.stage.rt, stage.d),
             SPN_ERR_STATE);
    CHECK_EQ(spn_anim_database_unload_all(stage.stage.rt, &left), SPN_OK);
    CHECK_EQ_U(left, 0);
    CHECK_EQ(state().status, SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
    anim_stage_close(&stage);
}

/* It stays for ever. */
static void database_owners_stay_at_their_maximum(void)
{
    open_stage();
    stage.stage.rt->anim->databases[0].owner_count = SPN_ANIM_REFS_MAX - 1;
    for (int i = 0; i < 3; i++)
        CHECK_EQ(spn_anim_database_add_owner(stage.stage.rt, stage.d), SPN_OK);
    CHECK_EQ_U(state().owner_count, SPN_ANIM_REFS_MAX);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(spn_anim_database_remove_owner(stage.stage.rt, stage.d),
                 SPN_OK);
    CHECK_EQ_U(state().owner_count, SPN_ANIM_REFS_MAX);
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_close(&stage);
}

static void database_whose_read_fails_is_not_loaded(void)
{
    const struct slow_fault fault = {.kind = SLOW_ERROR, .path = "d.sad"};
    spn_anim anim;

    open_stage();
    slow_platform_fault(&stage.stage.disc, &fault);
    anim = anim_stage_clip(&stage, 0);
    preload();
    anim_stage_until_database(&stage, SPN_ERR_IO);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_run(&stage, SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_ERR_IO);
    CHECK(!spn_anim_is_loaded(stage.stage.rt, anim));
    CHECK(count(SPN_ANIM_FAILED) >= 2);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_until_database(&stage, SPN_OK);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

/* Nobody waits for it: it is given up after the time-out. */
static void database_that_cannot_be_read_is_given_up(void)
{
    spn_fault fault;
    uint32_t reads;

    open_stage();
    slow_platform_fault(&stage.stage.disc,
                        &(struct slow_fault){.kind = SLOW_FLIP,
                                             .path = "d.sad",
                                             .value = 8 * 50000});
    preload();
    CHECK(state().fault.what == NULL);
    anim_stage_until_database(&stage, SPN_ERR_CHECKSUM);
    fault = state().fault;
    CHECK_STR(fault.what, "checksum of a database");
    CHECK_STR(fault.file, state().path);
    CHECK_EQ_U(fault.offset, stage.database.size - state().bytes);
    CHECK(fault.has_expected && fault.value != fault.expected);
    CHECK_EQ(fault.status, SPN_ERR_CHECKSUM);
    anim_stage_run(&stage, 5 * SECOND);
    CHECK_EQ(state().status, SPN_EMPTY);
    reads = anim_stage_stats(&stage).reads;
    CHECK(reads >= 3);
    anim_stage_run(&stage, 20 * SECOND);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, reads);
    anim_stage_close(&stage);
}

static void database_read_can_be_aborted_at_any_step(void)
{
    for (int step = 0; step < 12; step++) {
        open_stage();
        stage.stage.disc.bytes_per_second = 1000000;
        preload();
        anim_stage_run(&stage, (uint32_t)step * TICK);
        CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d), SPN_OK);
        CHECK_EQ(state().status, SPN_EMPTY);
        preload();
        anim_stage_until_database(&stage, SPN_OK);
        CHECK_EQ(spn_anim_database_unload(stage.stage.rt, stage.d), SPN_OK);
        anim_stage_run(&stage, SECOND);
        CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, 0);
        CHECK_EQ_U(anim_stage_stats(&stage).reads_failed, 0);
        anim_stage_close(&stage);
        CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    }
}

/* The database file is opened once for reads of several clips. */
static void database_clips_can_be_read_one_by_one(void)
{
    open_stage();
    for (uint32_t i = 0; i < CLIPS; i += 3)
        CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim_stage_clip(&stage, i)),
                 SPN_OK);
    for (uint32_t i = 0; i < CLIPS; i++)
        if (i % 3 == 0) {
            anim_stage_until(&stage, anim_stage_clip(&stage, i), SPN_OK);
            anim_stage_check_bytes(&stage, i);
        } else {
            CHECK_EQ(anim_stage_status(&stage, anim_stage_clip(&stage, i)),
                     SPN_EMPTY);
        }
    CHECK_EQ(state().status, SPN_EMPTY);
    CHECK_EQ_U(state().used_clips, 3);
    CHECK_EQ_U(anim_stage_stats(&stage).bytes_read, 3 * BYTES);
    /* One open for the image. */
    CHECK_EQ_U(stage.stage.disc.opens, 2);
    /* The clips keep their own bytes when the database comes and goes. */
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_check_bytes(&stage, 3);
    anim_stage_check_bytes(&stage, 4);
    anim_stage_close(&stage);
}

/* The clip waits for its next attempt when its database comes. */
static void database_serves_clips_that_could_not_be_read(void)
{
    const struct slow_fault fault = {.kind = SLOW_ERROR, .path = "d.sad"};
    const uint32_t pages = (CLIPS * BYTES + 4095) / 4096;
    spn_anim anim;

    open_stage();
    anim_stage_set(&stage, "anim_retry_ms", "60000");
    slow_platform_fault(&stage.stage.disc, &fault);
    anim = anim_stage_clip(&stage, 2);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_until(&stage, anim, SPN_ERR_IO);
    slow_platform_clear_faults(&stage.stage.disc);
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_check_bytes(&stage, 2);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).loading, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes, pages * 4096);
    anim_stage_close(&stage);
}

/* Its bytes are idle while the database is hidden. */
static void database_is_shown_for_clips_with_bytes_of_their_own(void)
{
    spn_anim anim;

    open_stage();
    anim_stage_set(&stage, "anim_grace_ms", "60000");
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_until(&stage, anim, SPN_OK);
    CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_OK);
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ_U(state().is_hidden, 1);
    CHECK_EQ(anim_stage_status(&stage, anim_stage_clip(&stage, 1)), SPN_EMPTY);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_tick(&stage, TICK);
    CHECK_EQ_U(state().is_hidden, 0);
    CHECK_EQ_U(count(SPN_ANIM_SHOWN), 1);
    CHECK_EQ(anim_stage_status(&stage, anim_stage_clip(&stage, 1)), SPN_OK);
    anim_stage_close(&stage);
}

/* An idle database is memory like an idle clip. */
static void database_that_is_idle_leaves_when_memory_is_short(void)
{
    spn_anim anim;

    anim_stage_init(&stage, CLIPS, BYTES, true);
    stage.stage.config.heap_bytes = 64 * 4096;
    anim_stage_open(&stage);
    preload();
    anim_stage_until_database(&stage, SPN_OK);
    anim_stage_tick(&stage, TICK);
    CHECK_EQ_U(anim_stage_stats(&stage).idle_bytes, 40 * 4096);
    anim_stage_set(&stage, "anim_memory_kib", "100");
    anim_stage_tick(&stage, TICK);
    CHECK_EQ(state().status, SPN_EMPTY);
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
    anim_stage_until(&stage, anim, SPN_OK);
    preload();
    anim_stage_until_database(&stage, SPN_ERR_MEMORY);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_close(&stage);
}

static void database_arguments_are_checked(void)
{
    spn_anim_database database;
    spn_anim_database_state out;

    open_stage();
    CHECK_EQ(spn_anim_database_find(stage.stage.rt, "e.sad", &database),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_anim_database_find(stage.stage.rt, NULL, &database),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, 2, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, 0, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, stage.d,
                                       SPN_PRIORITY_PREEMPTED),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_database_lock(stage.stage.rt, stage.d, 2, 0),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_database_get_state(NULL, stage.d, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_database_get_state(stage.stage.rt, stage.d, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_database_unload(stage.stage.rt, 9), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_database_add_owner(stage.stage.rt, 9), SPN_ERR_HANDLE);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(database_serves_all_its_clips_from_one_read),
          TEST(database_is_pending_while_it_waits_for_a_record),
          TEST(database_is_hidden_before_it_is_freed),
          TEST(database_that_is_hidden_comes_back_without_a_read),
          TEST(database_time_outs_can_be_set),
          TEST(database_that_is_locked_or_owned_stays),
          TEST(database_owners_stay_at_their_maximum),
          TEST(database_whose_read_fails_is_not_loaded),
          TEST(database_that_cannot_be_read_is_given_up),
          TEST(database_read_can_be_aborted_at_any_step),
          TEST(database_clips_can_be_read_one_by_one),
          TEST(database_serves_clips_that_could_not_be_read),
          TEST(database_is_shown_for_clips_with_bytes_of_their_own),
          TEST(database_that_is_idle_leaves_when_memory_is_short),
          TEST(database_arguments_are_checked))
