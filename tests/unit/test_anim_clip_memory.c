/* test_anim_clip_memory.c
 *
 * Goal: idle clips leave first when memory is short, and what is wanted never
 *   does; whatever fails, everything ends loaded, and nothing is left at the
 *   end.
 * Method: an image of made-up clips on a disc with a virtual clock and scripted
 *   faults, in a small heap; the bytes are compared, and the memory is that of
 *   statistics and snapshots.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_stage.h"

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

/* -- memory -- */

/* Room for five clips of ten pages. */
static void open_small(uint32_t count)
{
    anim_stage_init(&stage, count, BYTES, false);
    stage.stage.config.heap_bytes = 64 * PAGE;
    anim_stage_open(&stage);
    anim_stage_set(&stage, "anim_memory_kib", "200");
}

static void clip_that_is_idle_for_longest_leaves_first(void)
{
    spn_anim anims[7];

    open_small(7);
    for (uint32_t i = 0; i < 7; i++)
        anims[i] = anim_stage_clip(&stage, i);
    for (uint32_t i = 0; i < 5; i++) {
        anim_stage_add_ref(&stage, anims[i]);
        anim_stage_until(&stage, anims[i], SPN_OK);
    }
    anim_stage_release(&stage, anims[3]);
    tick();
    anim_stage_release(&stage, anims[1]);
    tick();
    anim_stage_add_ref(&stage, anims[5]);
    anim_stage_until(&stage, anims[5], SPN_OK);
    CHECK_EQ(anim_stage_status(&stage, anims[3]), SPN_EMPTY);
    CHECK_EQ(anim_stage_status(&stage, anims[1]), SPN_OK);
    /* Wanted again: it is no longer the next one. */
    anim_stage_add_ref(&stage, anims[1]);
    anim_stage_add_ref(&stage, anims[6]);
    anim_stage_run(&stage, SECOND / 10);
    CHECK_EQ(anim_stage_status(&stage, anims[6]), SPN_PENDING);
    CHECK_EQ_U(anim_stage_stats(&stage).unloads_early, 1);
    CHECK(anim_stage_stats(&stage).waits_memory > 0);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(anim_stage_status(&stage, anims[i]), SPN_OK);
    anim_stage_release(&stage, anims[0]);
    anim_stage_until(&stage, anims[6], SPN_OK);
    CHECK_EQ(anim_stage_status(&stage, anims[0]), SPN_EMPTY);
    CHECK_EQ_U(memory(), 50 * PAGE);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded_bytes_peak, 50 * PAGE);
    anim_stage_close(&stage);
}

static void clip_larger_than_the_budget_is_refused(void)
{
    spn_anim anim;

    anim_stage_init(&stage, 1, 200024, false);
    anim_stage_open(&stage);
    anim_stage_set(&stage, "anim_memory_kib", "100");
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_ERR_MEMORY);
    anim_stage_set(&stage, "anim_memory_kib", "1000");
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_close(&stage);
}

/* Blocks of the game never take the reserve, a quarter of the heap by default;
 * and a block that is refused drives out idle clips beyond the reserve. */
static void clip_memory_is_shared_by_the_stated_rules(void)
{
    spn_block block;
    spn_block rest[64];
    uint32_t count = 0;
    spn_anim anims[4];

    anim_stage_init(&stage, 4, BYTES, false);
    stage.stage.config.heap_bytes = 64 * PAGE;
    anim_stage_open(&stage);
    for (uint32_t i = 0; i < 4; i++) {
        anims[i] = anim_stage_clip(&stage, i);
        anim_stage_add_ref(&stage, anims[i]);
    }
    while (spn_block_alloc(stage.stage.rt, PAGE, 0, &rest[count]) == SPN_OK)
        count++;
    /* 64 pages without the image and the reserve. */
    CHECK_EQ_U(count, 64 - 16 - 1);
    tick();
    tick();
    /* Ten pages fit the reserve of 16, 20 do not. */
    CHECK_EQ_U(memory(), 10 * PAGE);
    while (count > 16)
        CHECK_EQ(spn_block_free(stage.stage.rt, rest[--count]), SPN_OK);
    for (uint32_t i = 0; i < 4; i++)
        anim_stage_until(&stage, anims[i], SPN_OK);
    CHECK_EQ_U(memory(), 40 * PAGE);
    for (uint32_t i = 0; i < 4; i++)
        anim_stage_release(&stage, anims[i]);
    tick();
    CHECK_EQ(spn_block_alloc(stage.stage.rt, 20 * PAGE, 0, &block),
             SPN_NO_MEMORY_NOW);
    tick();
    CHECK_EQ_U(memory(), 10 * PAGE);
    CHECK_EQ(anim_stage_status(&stage, anims[3]), SPN_OK);
    CHECK_EQ(spn_block_alloc(stage.stage.rt, 20 * PAGE, 0, &block), SPN_OK);
    anim_stage_close(&stage);
}

/* Every page is free between two used ones. */
static void clip_needs_no_contiguous_memory(void)
{
    spn_block blocks[64];
    uint32_t count = 0;
    spn_anim anim;

    anim_stage_init(&stage, 1, BYTES, false);
    stage.stage.config.heap_bytes = 64 * PAGE;
    stage.stage.config.anim_reserve_bytes = PAGE;
    anim_stage_open(&stage);
    while (spn_block_alloc(stage.stage.rt, PAGE, 0, &blocks[count]) == SPN_OK)
        count++;
    for (uint32_t i = 0; i < count; i += 2)
        CHECK_EQ(spn_block_free(stage.stage.rt, blocks[i]), SPN_OK);
    anim = anim_stage_clip(&stage, 0);
    anim_stage_add_ref(&stage, anim);
    anim_stage_until(&stage, anim, SPN_OK);
    anim_stage_check_bytes(&stage, 0);
    anim_stage_close(&stage);
}

/* -- variables -- */

static void clip_unloading_can_be_switched_off(void)
{
    static const char *const names[][2] = {
        {"ca_DisableAnimationUnloading", "1"}, {"ca_UnloadAnimationCAF", "0"}};
    static const char *const back[] = {"0", "1"};

    for (int i = 0; i < 2; i++) {
        spn_anim anim;

        open_stage(1, BYTES);
        anim_stage_set(&stage, names[i][0], names[i][1]);
        anim = anim_stage_clip(&stage, 0);
        anim_stage_add_ref(&stage, anim);
        anim_stage_until(&stage, anim, SPN_OK);
        anim_stage_release(&stage, anim);
        anim_stage_run(&stage, 10 * SECOND);
        CHECK_EQ(anim_stage_status(&stage, anim), SPN_OK);
        anim_stage_set(&stage, names[i][0], back[i]);
        tick();
        CHECK_EQ(anim_stage_status(&stage, anim), SPN_EMPTY);
        anim_stage_close(&stage);
    }
}

static void clip_image_use_is_fixed_at_init(void)
{
    open_stage(1, BYTES);
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "ca_UseIMG_CAF", "1"),
             SPN_ERR_STATE);
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "use_anim_image", "0"),
             SPN_ERR_STATE);
    anim_stage_close(&stage);
}

/* -- loops -- */

/* The nth read fails three times, at any n; and the heap is full until step n.
 * Everything ends loaded, and nothing is left at the end. */
static void clip_loops_survive_every_failure(void)
{
    for (uint32_t n = 1; n <= 10; n++) {
        spn_block block = 0;

        test_context("failure %u", n);
        anim_stage_init(&stage, 3, 200024, false);
        stage.stage.config.heap_bytes = 240 * PAGE;
        anim_stage_open(&stage);
        stage.stage.disc.bytes_per_second = 4000000;
        for (uint32_t i = 0; i < 3; i++)
            slow_platform_fault(
                &stage.stage.disc,
                &(struct slow_fault){.kind = SLOW_ERROR,
                                     .nth = stage.stage.disc.reads + n + i});
        CHECK_EQ(spn_block_alloc(stage.stage.rt, 170 * PAGE, 0, &block),
                 SPN_OK);
        for (uint32_t i = 0; i < 3; i++)
            anim_stage_add_ref(&stage, anim_stage_clip(&stage, i));
        for (uint32_t i = 0; i < n; i++)
            tick();
        CHECK_EQ(spn_block_free(stage.stage.rt, block), SPN_OK);
        for (uint32_t i = 0; i < 3; i++) {
            anim_stage_until(&stage, anim_stage_clip(&stage, i), SPN_OK);
            anim_stage_check_bytes(&stage, i);
            anim_stage_release(&stage, anim_stage_clip(&stage, i));
        }
        anim_stage_run(&stage, 3 * SECOND);
        CHECK_EQ_U(memory(), 0);
        CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
        anim_stage_close(&stage);
    }
}

static void clip_reads_end_with_the_runtime(void)
{
    for (int step = 0; step < 10; step++) {
        spn_anim_play play;

        open_stage(3, 200024);
        stage.stage.disc.bytes_per_second = 2000000;
        for (uint32_t i = 0; i < 3; i++)
            CHECK_EQ(spn_anim_play_start(stage.stage.rt,
                                         anim_stage_clip(&stage, i), &play),
                     SPN_OK);
        for (int i = 0; i < step; i++)
            tick();
        anim_stage_close(&stage);
        CHECK_EQ_U(stage.stage.disc.opens, stage.stage.disc.closes);
    }
}

/* -- snapshots -- */

/* Pages of the clip, in a snapshot. */
static uint32_t pages_in_snapshot(spn_anim anim, spn_debug_anim *out,
                                  char *text, uint64_t text_bytes)
{
    const uint64_t bytes = spn_debug_bytes_needed(stage.stage.rt);
    void *memory = malloc((size_t)bytes);
    uint32_t pages = 0;
    spn_debug shot;

    CHECK_EQ(spn_debug_snapshot(stage.stage.rt, memory, bytes, &shot), SPN_OK);
    for (uint32_t i = 0; i < shot.extent_count; i++)
        if (shot.extents[i].anim == anim) {
            CHECK_EQ(shot.extents[i].kind, SPN_DEBUG_STATIC);
            pages += shot.extents[i].page_count;
        }
    *out = shot.anim;
    CHECK(spn_debug_text(&shot, NULL, text, text_bytes) < text_bytes);
    free(memory);
    return pages;
}

static void clip_memory_is_in_snapshots(void)
{
    static char text[8192];
    spn_anim_play play;
    spn_debug_anim now;
    spn_anim anim;

    open_stage(4, BYTES);
    stage.stage.disc.command_us = 50000;
    anim = anim_stage_clip(&stage, 2);
    CHECK_EQ_U(pages_in_snapshot(anim, &now, text, sizeof text), 0);
    CHECK_EQ_U(now.clip_count, 4);
    CHECK_EQ_U(now.pages, 0);
    CHECK_EQ_U(now.image_pages, 1);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, anim, &play), SPN_OK);
    anim_stage_until(&stage, anim, SPN_OK);
    CHECK_EQ_U(pages_in_snapshot(anim, &now, text, sizeof text), 10);
    CHECK_EQ_U(now.pages, 10);
    CHECK_EQ_U(now.loaded, 1);
    CHECK_EQ_U(now.plays, 1);
    CHECK(now.glitches > 0 && now.glitches < now.play_updates);
    CHECK(strstr(text, "clips 4: "));
    CHECK(strstr(text, "loaded 1, loading 0, plays 1; glitches "));
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
    tick();
    (void)pages_in_snapshot(anim, &now, text, sizeof text);
    CHECK_EQ_U(now.idle_pages, 10);
    CHECK_EQ_U(now.plays, 0);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(clip_memory_is_in_snapshots),
          TEST(clip_that_is_idle_for_longest_leaves_first),
          TEST(clip_larger_than_the_budget_is_refused),
          TEST(clip_memory_is_shared_by_the_stated_rules),
          TEST(clip_needs_no_contiguous_memory),
          TEST(clip_unloading_can_be_switched_off),
          TEST(clip_image_use_is_fixed_at_init),
          TEST(clip_loops_survive_every_failure),
          TEST(clip_reads_end_with_the_runtime))
