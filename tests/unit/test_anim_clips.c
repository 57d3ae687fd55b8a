/* test_anim_clips.c
 *
 * Goal: a clip is in memory while it is wanted and for a grace after that; a
 *   read that failed is reported and repeated, never taken for loaded.
 * Method: an image of made-up clips on a disc with a virtual clock and scripted
 *   faults; the bytes are compared, and the reads of the disc are counted.
 *   References are counted by threads, too.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"
#include "support/clip_bytes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 40000, SECOND = 1000000, PAGE = 4096 };

static struct anim_stage stage;

static void open_stage(uint32_t count, uint32_t bytes)
{
    anim_stage_init(&stage, count, bytes, false);
    anim_stage_open(&stage);
}

static void tick(void)
{
    anim_stage_tick(&stage, STAGE_TICK_US);
}

static uint64_t memory(void)
{
    return anim_stage_stats(&stage).loaded_bytes;
}

/* -- the life of a clip -- */

static void clip_is_in_memory_while_it_has_references(void)
{
    spn_anim anim;

    open_stage(4, BYTES);
    stage.stage.disc.command_us = 50000;
    anim = anim_stage_clip(&stage, 2);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK(!spn_anim_is_loaded(stage.stage.rt, anim));
    anim_stage_add_ref(&stage, anim);
    anim_stage_add_ref(&stage, anim);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_PENDING);
    CHECK(anim_stage_until(&stage, anim, SPN_OK) < SECOND);
    CHECK(spn_anim_is_loaded(stage.stage.rt, anim));
    anim_stage_check_bytes(&stage, 2);
    CHECK_EQ_U(memory(), 10 * PAGE);
    anim_stage_release(&stage, anim);
    anim_stage_run(&stage, 5 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    anim_stage_release(&stage, anim);
    anim_stage_run(&stage, 2 * SECOND - 2 * STAGE_TICK_US);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).idle_bytes, 10 * PAGE);
    anim_stage_run(&stage, 4 * STAGE_TICK_US);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(memory(), 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).unloads_grace, 1);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_READY, anim, 0), 1);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_LOADED, anim, 0), 1);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_UNLOADED, anim, 0), 1);
    CHECK_EQ_U(stage.event_count, 3);
    anim_stage_close(&stage);
}

static void clip_is_not_read_again_within_its_grace(void)
{
    spn_anim anim;

    open_stage(1, BYTES);
    anim = anim_stage_clip(&stage, 0);
    for (int i = 0; i < 10; i++) {
        anim_stage_add_ref(&stage, anim);
        anim_stage_until(&stage, anim, SPN_OK);
        anim_stage_release(&stage, anim);
        anim_stage_run(&stage, 2 * SECOND - 3 * STAGE_TICK_US);
    }
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    anim_stage_run(&stage, 4 * STAGE_TICK_US);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
    anim_stage_set(&stage, "anim_grace_ms", "0");
    anim_stage_release(&stage, anim);
    tick();
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    anim_stage_close(&stage);
}

/* Released and wanted again before the read has ended. */
static void clip_that_is_released_early_is_read_once(void)
{
    spn_anim anim;

    open_stage(1, BYTES);
    stage.stage.disc.command_us = 200000;
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    tick();
    tick();
    anim_stage_release(&stage, anim);
    tick();
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_PENDING);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).reads_aborted, 0);
    anim_stage_close(&stage);
}

static void clip_that_is_locked_stays(void)
{
    spn_anim anim;

    open_stage(1, BYTES);
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 2), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 1), SPN_OK);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 1), SPN_OK);
    anim_stage_until(&stage, anim, SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).locked, 1);
    anim_stage_add_ref(&stage, anim);
    anim_stage_release(&stage, anim);
    anim_stage_run(&stage, 4 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    CHECK_EQ(spn_anim_unload(stage.stage.rt, anim), SPN_ERR_STATE);
    CHECK_EQ(spn_anim_lock(stage.stage.rt, anim, 0), SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).locked, 0);
    anim_stage_close(&stage);
}

static void clip_that_plays_stays_and_counts_glitches(void)
{
    spn_anim_play play;
    spn_anim_play other;
    spn_anim_play_state state;
    spn_anim anim;

    anim_stage_init(&stage, 2, BYTES, false);
    stage.stage.config.anim_play_count = 2;
    anim_stage_open(&stage);
    stage.stage.disc.command_us = 100000;
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play), SPN_OK);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, anim), 1);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_run(&stage, 4 * SECOND);
    CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state), SPN_OK);
    CHECK_EQ_U(state.anim, anim);
    CHECK_EQ_U(state.is_ready, 1);
    CHECK_EQ_U(state.is_loaded, 1);
    /* 100 ms are 6 updates; the result is taken in the one after them. */
    CHECK(state.glitches >= 6 && state.glitches <= 8);
    CHECK(state.updates > 240);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &other), SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).plays_ready, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).glitches, state.glitches);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state),
             SPN_ERR_HANDLE);
    anim_stage_run(&stage, 4 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, other), SPN_OK);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    anim_stage_close(&stage);
}

/* A clip of 200 KB on a disc with 400 KB a second: its first part is there
 * after an eighth of a second, all after half a second. */
static void clip_can_be_played_from_its_first_part_on(void)
{
    spn_anim_play play;
    spn_anim_play_state state = {0};
    const void *bytes;
    uint8_t bounce[100];
    uint64_t begin_us;
    spn_anim anim;

    open_stage(2, 200024);
    anim = anim_stage_clip(&stage, 1);
    stage.stage.disc.bytes_per_second = 400000;
    begin_us = stage.stage.disc.clock_us;
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play), SPN_OK);
    tick();
    /* A read of the rest beside it could delay the first part. */
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 1);
    while (!state.is_ready) {
        tick();
        CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state), SPN_OK);
    }
    CHECK(stage.stage.disc.clock_us - begin_us < 180000);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_READY, anim, 0), 1);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_LOADED, anim, 0), 0);
    CHECK_EQ_U(state.is_loaded, 0);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_PENDING);
    CHECK_EQ(clip_bytes(stage.stage.rt, anim, 49900, 100, bounce, &bytes),
             SPN_OK);
    CHECK_MEM(bytes, stage.clips.sources[1].bytes + 49900, 100);
    CHECK_EQ(clip_bytes(stage.stage.rt, anim, 50000, 100, bounce, &bytes),
             SPN_PENDING);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_check_bytes(&stage, 1);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
    CHECK_EQ_U(anim_stage_stats(&stage).bytes_read, 200024);
    CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    anim_stage_close(&stage);
}

/* -- references -- */

static void clip_counts_stay_at_their_maximum(void)
{
    struct anim_counts *counts;
    spn_anim anim;

    open_stage(1, BYTES);
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_ERR_STATE);
    anim_stage_add_ref(&stage, anim);
    tick();
    counts = &stage.stage.rt->anim->counts;
    atomic_store_relaxed(&counts->words[anim - 1], SPN_ANIM_REFS_MAX - 1);
    anim_stage_add_ref(&stage, anim);
    anim_stage_add_ref(&stage, anim);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, anim), SPN_ANIM_REFS_MAX);
    for (int i = 0; i < 5; i++)
        anim_stage_release(&stage, anim);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, anim), SPN_ANIM_REFS_MAX);
    CHECK_EQ_U(anim_stage_stats(&stage).refs_saturated, 1);
    tick();
    anim_stage_close(&stage);
}

enum { THREADS = 3, ROUNDS = 3000, CLIPS = 8 };

static void *count_up_and_down(void *seed)
{
    struct test_random random = {*(uint64_t *)seed};
    uint32_t held[CLIPS] = {0};

    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t clip = test_random_below(&random, CLIPS);

        if (held[clip] > 0 && test_random_below(&random, 2)) {
            if (spn_anim_release(stage.stage.rt, clip + 1) == SPN_OK)
                held[clip]--;
        } else if (spn_anim_add_ref(stage.stage.rt, clip + 1) == SPN_OK) {
            held[clip]++;
        }
    }
    /* Every thread leaves one reference to the clip of its number. */
    for (uint32_t i = 0; i < CLIPS; i++)
        for (; held[i] > 0; held[i]--)
            (void)spn_anim_release(stage.stage.rt, i + 1);
    (void)spn_anim_add_ref(stage.stage.rt,
                           (uint32_t)(*(uint64_t *)seed % CLIPS) + 1);
    return NULL;
}

static void clip_references_are_counted_from_any_thread(void)
{
    pthread_t threads[THREADS];
    uint64_t seeds[THREADS] = {1, 2, 3};

    anim_stage_init(&stage, CLIPS, 1000, false);
    anim_stage_open(&stage);
    CHECK_EQ(spn_anim_listen(stage.stage.rt, NULL, NULL), SPN_OK);
    anim_stage_set(&stage, "anim_grace_ms", "20");
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(
            pthread_create(&threads[i], NULL, count_up_and_down, &seeds[i]), 0);
    for (int i = 0; i < 200; i++)
        tick();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    anim_stage_run(&stage, SECOND);
    for (uint32_t i = 0; i < CLIPS; i++) {
        CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, i + 1),
                   i >= 1 && i <= 3);
        CHECK_EQ(anim_stage_status(&stage, i + 1),
                 i >= 1 && i <= 3 ? SPN_OK : SPN_EMPTY);
    }
    anim_stage_close(&stage);
}

/* -- failures -- */

/* The attempts begin 250 ms, 500 ms, 1 s, 2 s after the failures before. */
static void clip_whose_read_fails_is_read_again_later(void)
{
    const struct slow_fault fault = {.kind = SLOW_ERROR, .path = "a/00000.sac"};
    spn_fault found;
    spn_anim anim;

    open_stage(1, BYTES);
    slow_platform_fault(&stage.stage.disc, &fault);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_IO);
    CHECK_EQ(spn_anim_get_status(stage.stage.rt, anim, &found), SPN_ERR_IO);
    CHECK_STR(found.what, "bytes of a clip");
    CHECK_STR(found.file, "a/00000.sac");
    CHECK_EQ(found.status, SPN_ERR_IO);
    CHECK(!spn_anim_is_loaded(stage.stage.rt, anim));
    CHECK_EQ_U(memory(), 0);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 4);
    CHECK_EQ_U(anim_stage_stats(&stage).reads_failed, 4);
    CHECK_EQ_U(anim_stage_count(&stage, SPN_ANIM_FAILED, anim, 0), 4);
    slow_platform_clear_faults(&stage.stage.disc);
    CHECK(anim_stage_until(&stage, anim, SPN_OK) < SECOND);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 5);
    CHECK_EQ(stage.events[0].status, SPN_ERR_IO);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

static void clip_that_nobody_wants_any_more_is_not_read_again(void)
{
    spn_anim anim;
    uint32_t reads;

    open_stage(1, BYTES);
    slow_platform_fault(
        &stage.stage.disc,
        &(struct slow_fault){.kind = SLOW_OPEN_MISSING, .path = "a/00000.sac"});
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_NOT_FOUND);
    anim_stage_release(&stage, anim);
    tick();
    reads = anim_stage_stats(&stage).reads;
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, reads);
    slow_platform_clear_faults(&stage.stage.disc);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_close(&stage);
}

/* A bit in the rest of the clip: the first part is good and stays. */
static void clip_with_damaged_bytes_is_not_loaded(void)
{
    struct slow_fault fault = {.kind = SLOW_FLIP,
                               .path = "a/00000.sac",
                               .offset = 100000,
                               .bytes = 1,
                               .times = 1,
                               .value = 8 * 100000 + 3};
    spn_fault found;
    spn_anim anim;

    open_stage(1, 200024);
    slow_platform_fault(&stage.stage.disc, &fault);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_CHECKSUM);
    CHECK_EQ(spn_anim_get_status(stage.stage.rt, anim, &found),
             SPN_ERR_CHECKSUM);
    CHECK_STR(found.what, "checksum of a clip");
    CHECK_EQ_U(found.offset, 50024);
    CHECK_EQ_U(found.has_expected, 1);
    CHECK(found.value != found.expected);
    CHECK(spn__clip_is_ready(stage.stage.rt->anim, anim - 1));
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 3);
    anim_stage_close(&stage);
}

static void clip_that_is_unloaded_in_flight_leaves_nothing(void)
{
    spn_anim anim;

    for (int step = 0; step < 12; step++) {
        open_stage(1, 200024);
        stage.stage.disc.bytes_per_second = 2000000;
        anim = anim_stage_clip(&stage, 0);
        anim_stage_add_ref(&stage, anim);
        for (int i = 0; i < step; i++)
            tick();
        CHECK_EQ(spn_anim_unload(stage.stage.rt, anim), SPN_ERR_STATE);
        anim_stage_release(&stage, anim);
        CHECK_EQ(spn_anim_unload(stage.stage.rt, anim), SPN_OK);
        CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
        anim_stage_add_ref(&stage, anim);
        anim_stage_until(&stage, anim, SPN_OK);
        anim_stage_check_bytes(&stage, 0);
        anim_stage_release(&stage, anim);
        CHECK_EQ(spn_anim_unload(stage.stage.rt, anim), SPN_OK);
        anim_stage_run(&stage, SECOND);
        CHECK_EQ_U(memory(), 0);
        CHECK_EQ_U(anim_stage_stats(&stage).loading, 0);
        anim_stage_close(&stage);
    }
}

/* -- synchronous loads -- */

static void clip_loads_synchronously(void)
{
    spn_anim anim;
    uint64_t begin_us;

    open_stage(2, 200024);
    anim = anim_stage_clip(&stage, 0);
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, UINT64_MAX),
             SPN_OK);
    CHECK(spn_anim_is_loaded(stage.stage.rt, anim));
    anim_stage_check_bytes(&stage, 0);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 2);
    begin_us = stage.stage.disc.clock_us;
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, 0), SPN_OK);
    CHECK_EQ_U(stage.stage.disc.clock_us, begin_us);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
    /* After the reads have begun. */
    anim_stage_add_ref(&stage, anim);
    tick();
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, SECOND), SPN_OK);
    CHECK_EQ_U(anim_stage_stats(&stage).reads, 4);
    slow_platform_fault(&stage.stage.disc,
                        &(struct slow_fault){.kind = SLOW_ERROR});
    anim = anim_stage_clip(&stage, 1);
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, SECOND),
             SPN_ERR_IO);
    slow_platform_clear_faults(&stage.stage.disc);
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt, anim, SECOND), SPN_OK);
    anim_stage_check_bytes(&stage, 1);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(clip_is_in_memory_while_it_has_references),
          TEST(clip_is_not_read_again_within_its_grace),
          TEST(clip_that_is_released_early_is_read_once),
          TEST(clip_that_is_locked_stays),
          TEST(clip_that_plays_stays_and_counts_glitches),
          TEST(clip_can_be_played_from_its_first_part_on),
          TEST(clip_counts_stay_at_their_maximum),
          TEST(clip_references_are_counted_from_any_thread),
          TEST(clip_whose_read_fails_is_read_again_later),
          TEST(clip_that_nobody_wants_any_more_is_not_read_again),
          TEST(clip_with_damaged_bytes_is_not_loaded),
          TEST(clip_that_is_unloaded_in_flight_leaves_nothing),
          TEST(clip_loads_synchronously))
