/* test_stream_order.c
 *
 * Goal: streams on a disc with long seeks read in the right order: streams
 * without frames come before read-ahead, and reads are as long as possible.
 * Method: the disc's log of reads, while streams start and while they play.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <stdio.h>

enum { NODES = 16 };

static struct stage stage;
/* One cache for each node: nodes of the same one share what is read. */
static const char *const paths[NODES] = {
    "c0", "c1", "c2",  "c3",  "c4",  "c5",  "c6",  "c7",
    "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15"};

/* 12 groups of 10 frames, 4 seconds, about 0.3 MB each second. */
static const struct tiny_options clip = {
    .frame_count = 121, .vertices = 700, .is_noisy = true, .is_stored = true};

/* The same, 30 seconds long. */
static const struct tiny_options long_clip = {
    .frame_count = 901, .vertices = 700, .is_noisy = true, .is_stored = true};

static void open_clip(const struct tiny_options *options, uint64_t seek_us)
{
    stage_init(&stage, tiny_build(options));
    stage.config.heap_bytes = 64 << 20;
    stage.disc.bytes_per_second = 20000000;
    stage.disc.seek_us = seek_us;
    stage_open(&stage);
    stage.disc.reads = 0;
}

static void open_clips(uint64_t seek_us)
{
    stage_init(&stage, tiny_build(&clip));
    for (int i = 0; i < NODES; i++)
        slow_platform_add(&stage.disc, paths[i], stage.tiny->bytes,
                          stage.tiny->size);
    stage.config.heap_bytes = 64 << 20;
    stage.disc.bytes_per_second = 20000000;
    stage.disc.seek_us = seek_us;
    stage_start(&stage);
    for (int i = 0; i < NODES; i++) {
        CHECK_EQ(spn_cache_open(stage.rt, paths[i], &stage.cache), SPN_OK);
        while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    }
    stage.disc.reads = 0;
}

static spn_node node_of(int i)
{
    CHECK_EQ(spn_cache_open(stage.rt, paths[i], &stage.cache), SPN_OK);
    return stage_node(&stage, true);
}

/* Reads that did not continue the last one. */
static uint32_t count_seeks(void)
{
    const struct slow_read *log = stage.disc.log;
    uint32_t count = 1;

    CHECK(stage.disc.reads > 0 && stage.disc.reads <= SLOW_LOG_MAX);
    for (uint32_t i = 1; i < stage.disc.reads; i++)
        count += log[i].offset != log[i - 1].offset + log[i - 1].bytes;
    return count;
}

static void set_tuning(const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    CHECK_EQ(spn_tuning_set(stage.rt, name, text), SPN_OK);
}

/* Seeks of one node in `seconds`, including its start. The clip ends then. */
static uint32_t seeks_of_playing(int64_t seconds)
{
    spn_node node = stage_node(&stage, false);
    uint32_t count;

    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    for (int64_t t = 0; t < seconds * 1000000; t += STAGE_TICK_US) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(stage_state(&stage, node).frames_late, 0);
    count = count_seeks();
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
    return count;
}

/* The first read of every stream comes before any second read. Two reads are in
 * progress at a time, so the last two may be overtaken. */
static void streams_that_start_come_before_those_that_read_ahead(void)
{
    spn_node nodes[NODES];
    spn_io_stats stats;

    open_clips(50000);
    for (int i = 0; i < NODES; i++) {
        nodes[i] = node_of(i);
        /* In the midst of groups, some at the clip's end. */
        CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[i], i * 240000),
                 SPN_OK);
    }
    for (int i = 0; i < NODES; i++)
        stage_until_ready(&stage, nodes[i]);
    spn_io_get_stats(stage.rt, &stats);
    CHECK(stats.pending_peak <= 2);
    CHECK(count_seeks() >= NODES);
    CHECK(count_seeks() <= NODES + 2);
    for (int i = 0; i < NODES; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

/* A read of 300 KiB takes 15 ms; a seek of 200 ms for each would waste the
 * disc. The clip has 90 groups of 97 KiB. Reads of about 300 KiB have three or
 * four of them. Long seeks make reads as large as they may be: after the first
 * one, three seconds each, from buffer_ahead_min_ms to buffer_ahead_max_ms. */
static void reads_grow_where_seeks_are_long(void)
{
    uint32_t short_count;
    uint32_t long_count;

    open_clip(&long_clip, 1000);
    set_tuning("request_kib", 300);
    short_count = seeks_of_playing(30);
    open_clip(&long_clip, 200000);
    set_tuning("request_kib", 300);
    long_count = seeks_of_playing(30);
    CHECK(short_count >= (90 + 3) / 4 && short_count <= 90 / 3);
    /* Groups of a third of a second do not divide three seconds evenly: a read
     * that ends a group later may save the last one. */
    CHECK(long_count >= 30 / 3 && long_count <= 1 + 30 / 3);
}

/* Seeks of playing a clip of so many groups once. */
static uint32_t seeks_of_groups(uint32_t group_count)
{
    const struct tiny_options o = {.frame_count = group_count * 10 + 1,
                                   .vertices = 300,
                                   .is_noisy = true,
                                   .is_stored = true};

    open_clip(&o, 1000);
    set_tuning("request_kib", 8192);
    return seeks_of_playing(group_count / 3);
}

/* 16 groups begin within 5 seconds. A rest of at most half as many is read with
 * them. */
static void short_rest_of_the_clip_is_read_at_once(void)
{
    CHECK_EQ_U(seeks_of_groups(16), 1);
    CHECK_EQ_U(seeks_of_groups(24), 1);
    CHECK_EQ_U(seeks_of_groups(25), 2);
}

/* The preferred size is that of 9 groups: then all 12 are read at once, not 9
 * and 3. */
static void the_preferred_size_leaves_no_short_rest(void)
{
    uint64_t bytes;

    open_clip(&clip, 1000);
    bytes = stage.tiny->size - stage.tiny->frames_offset;
    set_tuning("buffer_ahead_max_ms", 8000);
    set_tuning("request_kib", bytes * 9 / 12 / 1024);
    CHECK_EQ_U(seeks_of_playing(4), 1);
}

/* A fast disc gets more than two reads at a time. */
static void a_fast_disc_gets_many_reads_at_a_time(void)
{
    spn_node nodes[NODES];
    spn_io_stats stats;

    open_clips(0);
    stage.disc.bytes_per_second = 0; /* no time at all */
    nodes[0] = node_of(0);
    CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[0], 0), SPN_OK);
    stage_until_ready(&stage, nodes[0]);
    spn_io_get_stats(stage.rt, &stats);
    CHECK(stats.pending_peak <= 2);
    for (int i = 1; i < NODES; i++) {
        nodes[i] = node_of(i);
        CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[i], i * 240000),
                 SPN_OK);
    }
    for (int i = 0; i < NODES; i++)
        stage_until_ready(&stage, nodes[i]);
    spn_io_get_stats(stage.rt, &stats);
    CHECK(stats.pending_peak >= 8);
    for (int i = 0; i < NODES; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

TEST_MAIN(TEST(streams_that_start_come_before_those_that_read_ahead),
          TEST(reads_grow_where_seeks_are_long),
          TEST(short_rest_of_the_clip_is_read_at_once),
          TEST(the_preferred_size_leaves_no_short_rest),
          TEST(a_fast_disc_gets_many_reads_at_a_time))
