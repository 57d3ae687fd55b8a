/* test_seek.c
 *
 * Goal: after a seek the picture is there in the update after the completion of
 *   the read; while the time leaps faster than it can be reached, index frames
 *   are shown, and nothing else is read; a target that is left is forgotten.
 * Method: small caches on a disc with a virtual clock, and its log of reads.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_cache.h"

#define FRAME_US 33333

static struct stage stage;

static void set_time(spn_node node, uint32_t frame)
{
    CHECK_EQ(
        spn_node_set_playback_time(stage.rt, node, (int64_t)frame * FRAME_US),
        SPN_OK);
}

/* A node that shows frame 0 of a clip of which the rest is not in memory. */
static spn_node open_clip(uint64_t seek_us)
{
    const struct tiny_options o = {
        .frame_count = 301, .vertices = 700, .is_noisy = true};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 2 << 20;
    stage.disc.bytes_per_second = seek_us > 0 ? 8 << 20 : 0;
    stage.disc.seek_us = seek_us;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (int k = 0; k < 60; k++)
        stage_tick(&stage, STAGE_TICK_US);
    return node;
}

/* Seek to frames whose reads are not ahead: one update starts the read, which
 * completes at once; the next one shows. Then `rest` updates at that time. */
static void check_seeks(spn_node node, uint32_t first, uint32_t step,
                        uint32_t count, int rest)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t frame = first - step * i;
        const uint32_t reads = stage.disc.reads;

        test_context("frame %u", frame);
        set_time(node, frame);
        stage_tick(&stage, STAGE_TICK_US);
        CHECK(!stage_state(&stage, node).is_ready);
        CHECK(stage.disc.reads > reads);
        stage_tick(&stage, STAGE_TICK_US);
        CHECK(stage_state(&stage, node).is_ready);
        stage_check_frame(&stage, node, 0, frame);
        for (int k = 0; k < rest; k++)
            stage_tick(&stage, STAGE_TICK_US);
    }
}

/* No target was read ahead: the start reads 5 s, then each target lies before
 * all that the others read. */
static void a_seek_is_shown_in_the_update_after_the_completion(void)
{
    const spn_node node = open_clip(0);

    check_seeks(node, 255, 40, 3, 60);
    stage_stop(&stage, node);
}

/* Likewise steps of less than half a second after the time stood still for two
 * seconds. These targets, too, lie before all that was read. */
static void a_short_seek_after_a_rest_is_as_fast(void)
{
    const spn_node node = open_clip(0);

    set_time(node, 241);
    for (int k = 0; k < 120; k++)
        stage_tick(&stage, STAGE_TICK_US);
    check_seeks(node, 239, 11, 2, 120);
    stage_stop(&stage, node);
}

/* The read is that of an index frame, extended to whole pages. */
static bool is_read_of_index(const struct slow_read *read, uint32_t frame)
{
    const struct tiny_cache *t = stage.tiny;
    const uint64_t first = t->frame_offset[frame];
    const uint64_t limit = first + t->frame_bytes[frame];

    return read->offset == first / 4096 * 4096 &&
           read->offset + read->bytes == (limit + 4095) / 4096 * 4096;
}

/* 10 targets a second, of which none can be reached, because a group takes 0.2
 * s; then the time rests. Targets lie in the middle between two index frames,
 * of groups that were not read. The first leap alone is a seek. */
static void scrubbing_reads_and_shows_index_frames(void)
{
    const spn_node node = open_clip(40000);

    stage.disc.bytes_per_second = 600 << 10;
    for (uint32_t i = 0; i < 14; i++) {
        const uint32_t frame = 155 + 50 * i % 140;
        const uint32_t reads = stage.disc.reads;

        test_context("target %u", frame);
        set_time(node, frame);
        for (int k = 0; k < 6; k++)
            stage_tick(&stage, STAGE_TICK_US);
        stage_check_frame(&stage, node, 0, frame - 5);
        CHECK_EQ_U(stage.disc.reads, reads + 1);
        CHECK(i == 0 || is_read_of_index(&stage.disc.log[reads], frame - 5));
    }
    set_time(node, 77);
    for (int k = 0; k < 60; k++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_ready);
    stage_check_frame(&stage, node, 0, 77);
    stage_stop(&stage, node);
}

/* Frames that wait for a read that nobody wants any more are given up; they are
 * not lost, and can be reached later. */
static void a_target_that_is_left_is_forgotten(void)
{
    const spn_node node = open_clip(50000);

    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t frame = 105 + 15 * i;

        test_context("target %u", i);
        set_time(node, frame);
        for (uint32_t k = 0; k < 1 + i % 3; k++)
            stage_tick(&stage, STAGE_TICK_US);
        set_time(node, 5);
        stage_until_ready(&stage, node);
        CHECK_EQ(stage_state(&stage, node).frames_dropped, 0);
        set_time(node, frame);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, frame);
    }
    CHECK_EQ(stage_state(&stage, node).frames_dropped, 0);
    stage_stop(&stage, node);
}

/* Seeks in a heap of 0.8 of what the clip needs. Reads with other parts of the
 * group of a target use the promise for reads while their frames are decoded:
 * the part that is missing is read at once all the same. */
static void a_seek_needs_no_free_promise(void)
{
    const struct tiny_options o = {
        .frame_count = 301, .vertices = 1000, .is_noisy = true};
    struct test_random random = {2};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 640 << 10;
    stage.disc.bytes_per_second = 0;
    stage_open(&stage);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    for (uint32_t i = 0; i < 80; i++) {
        test_context("seek %u", i);
        for (int k = 0; k < 20; k++)
            stage_tick(&stage, STAGE_TICK_US);
        set_time(node, i % 2 * 150 + test_random_below(&random, 130));
        stage_tick(&stage, STAGE_TICK_US);
        stage_tick(&stage, STAGE_TICK_US);
        CHECK(stage_state(&stage, node).is_ready);
    }
    stage_stop(&stage, node);
}

/* The table of reads is full long before the heap: only reads make room in it.
 */
static void decoded_frames_stay_while_memory_is_free(void)
{
    const struct tiny_options o = {.frame_count = 4001, .vertices = 50};
    const struct cache *c;
    uint32_t ready = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 32 << 20;
    stage.config.node_count = 1;
    stage_open(&stage);
    node = stage_node(&stage, false);
    c = spn__manager_node(&stage.rt->manager, node)->cache;
    CHECK(stage.rt->manager.group_reads.capacity < 40);
    for (uint32_t i = 0; i < 40; i++) {
        test_context("seek %u", i);
        set_time(node, 1 + (i * 7 % 40) * 100);
        for (int k = 0; k < 40; k++) {
            stage_tick(&stage, STAGE_TICK_US);
            CHECK(c->ready_count >= ready);
            ready = c->ready_count;
        }
        CHECK(stage_state(&stage, node).is_ready);
    }
    CHECK(!stage.rt->manager.group_reads.free);
    stage_stop(&stage, node);
}

/* A target whose bytes cannot be read is lost, with what refers to it; the
 * others are there. */
static void a_target_that_is_unreadable_is_lost(void)
{
    const spn_node node = open_clip(20000);
    struct slow_fault error = {.kind = SLOW_ERROR, .path = "a"};

    error.offset = stage.tiny->frame_offset[155];
    error.bytes = stage.tiny->frame_bytes[155];
    slow_platform_fault(&stage.disc, &error);
    set_time(node, 155);
    for (int k = 0; k < 60; k++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).frames_dropped > 0);
    CHECK_EQ(stage_state(&stage, node).fault.status, SPN_ERR_IO);
    slow_platform_clear_faults(&stage.disc);
    set_time(node, 5);
    stage_tick(&stage, STAGE_TICK_US);
    set_time(node, 155);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 155);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(a_seek_is_shown_in_the_update_after_the_completion),
          TEST(a_short_seek_after_a_rest_is_as_fast),
          TEST(scrubbing_reads_and_shows_index_frames),
          TEST(a_target_that_is_left_is_forgotten),
          TEST(a_seek_needs_no_free_promise),
          TEST(decoded_frames_stay_while_memory_is_free),
          TEST(a_target_that_is_unreadable_is_lost))
