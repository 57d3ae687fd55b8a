/* test_stream_share.c
 *
 * Goal: completed reads never hold the memory that decoding needs, in a heap of
 * any size. A stream that is not refused reaches every frame. When not all
 * streams fit, the first ones play as if they were alone, and the others report
 * what they wait for.
 * Method: every heap from nothing to plenty; more nodes than fit; nodes that
 * stand still and hold frames.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#define FRAME_US 33333

static struct stage stage;

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.rt, &stats);
    return stats.live_bytes;
}

static void set_time(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
}

static void tick(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

/* Visit each frame in turn, standing still until it is shown; then seek. */
static void visit_all(spn_node node, uint32_t frame_count)
{
    for (uint32_t f = 0; f < 2 * frame_count; f++) {
        set_time(node, (int64_t)f * FRAME_US + f % 3 * 9000);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, f % frame_count);
    }
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t f = i * 17 % frame_count;

        set_time(node, (int64_t)f * FRAME_US + 9000);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, f);
    }
}

static uint64_t heap_needed_by(const struct tiny_options *o, uint32_t count)
{
    uint64_t needed;

    stage_init(&stage, tiny_build(o));
    stage_open(&stage);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, count, &needed),
             SPN_OK);
    stage_close(&stage);
    return needed;
}

static uint32_t play_alone_in(const struct tiny_options *o, uint32_t bytes)
{
    spn_status status = SPN_PENDING;
    spn_node node;

    test_context("%u bytes", bytes);
    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = bytes;
    stage.disc.bytes_per_second = 64 << 20;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 100 && status == SPN_PENDING; i++) {
        tick(1);
        status = spn_cache_get_status(stage.rt, stage.cache, NULL);
    }
    if (status == SPN_OK) {
        node = stage_node(&stage, true);
        set_time(node, 0);
        tick(1);
        status = stage_state(&stage, node).status;
    }
    /* Refused at once, or it plays. */
    CHECK(status == SPN_OK || status == SPN_ERR_MEMORY);
    if (status == SPN_OK)
        visit_all(node, o->frame_count);
    stage_close(&stage);
    return status == SPN_OK;
}

/* A stream without read-ahead needs less than half of what a node wants, and
 * more than a third. */
static void check_refusal(bool is_good, uint32_t bytes, uint64_t needed)
{
    CHECK(is_good || bytes < needed / 2);
    CHECK(!is_good || bytes > needed / 3);
}

static void a_stream_plays_in_every_heap_that_is_not_refused(void)
{
    struct tiny_options o = {
        .frame_count = 45, .vertices = 1500, .is_noisy = true};
    const uint64_t needed = heap_needed_by(&o, 1);
    uint32_t plays = 0;
    uint32_t refused = 0;

    for (uint32_t pages = 16; pages < 260; pages += pages < 80 ? 8 : 7) {
        uint32_t good = play_alone_in(&o, pages * 4096);

        /* A larger heap is never worse. */
        CHECK(good || plays == 0);
        check_refusal(good, pages * 4096, needed);
        plays += good;
        refused += !good;
    }
    CHECK(plays > 0 && refused > 0);
}

/* Units of 64 KiB: gaps between them matter. */
static void large_blocks_find_contiguous_memory(void)
{
    struct tiny_options o = {
        .frame_count = 24, .distance = 4, .vertices = 8192, .is_noisy = true};
    const uint64_t needed = heap_needed_by(&o, 1);
    uint32_t plays = 0;

    for (uint32_t pages = 200; pages < 520; pages += 43) {
        const uint32_t good = play_alone_in(&o, pages * 4096);

        check_refusal(good, pages * 4096, needed);
        plays += good;
    }
    CHECK(plays > 0);
}

/* -- more streams than fit -- */

enum { CROWD_MAX = 16, SEEDS = 12, STEPS = 200 };

static const struct tiny_options crowd = {
    .frame_count = 61, .vertices = 1500, .is_noisy = true};

/* One cache for each node: nodes of the same one share frames, so that one that
 * waits may show those of the others. */
static const char *const paths[CROWD_MAX] = {
    "c0", "c1", "c2",  "c3",  "c4",  "c5",  "c6",  "c7",
    "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15"};

static void open_crowd(spn_node *nodes, uint32_t count, uint32_t heap_bytes)
{
    stage_init(&stage, tiny_build(&crowd));
    stage.config.heap_bytes = heap_bytes;
    stage.config.node_count = 64;
    stage.disc.bytes_per_second = 200 << 20;
    for (uint32_t i = 0; i < count; i++)
        slow_platform_add(&stage.disc, paths[i], stage.tiny->bytes,
                          stage.tiny->size);
    stage_start(&stage);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_EQ(spn_cache_open(stage.rt, paths[i], &stage.cache), SPN_OK);
        while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
            tick(1);
        nodes[i] = stage_node(&stage, true);
    }
    for (uint32_t i = 0; i < count; i++)
        set_time(nodes[i], 0);
    tick(1);
}

static uint32_t count_waiting(const spn_node *nodes, uint32_t count)
{
    uint32_t waiting = 0;

    for (uint32_t i = 0; i < count; i++) {
        spn_node_state state = stage_state(&stage, nodes[i]);

        if (state.status == SPN_OK)
            continue;
        CHECK_EQ(state.status, SPN_NO_MEMORY_NOW);
        CHECK_EQ(state.fault.status, SPN_NO_MEMORY_NOW);
        CHECK_EQ_U(state.fault.value, stage.config.heap_bytes);
        CHECK(state.fault.expected > state.fault.value);
        CHECK(!state.is_ready);
        waiting++;
    }
    return waiting;
}

static void first_streams_keep_playing(void)
{
    for (uint32_t count = 2; count <= CROWD_MAX; count++) {
        spn_node nodes[CROWD_MAX];
        uint32_t late[CROWD_MAX];
        uint32_t waiting;

        test_context("%u nodes", count);
        open_crowd(nodes, count, 2 << 20);
        waiting = count_waiting(nodes, count);
        /* The heap has memory for three of them. */
        CHECK_EQ(waiting > 0, count > 3);
        CHECK(waiting < count);
        for (uint32_t i = 0; i + waiting < count; i++) {
            stage_until_ready(&stage, nodes[i]);
            late[i] = stage_state(&stage, nodes[i]).frames_late;
        }
        for (int64_t t = 0; t < 3000000; t += STAGE_TICK_US) {
            for (uint32_t i = 0; i < count; i++)
                set_time(nodes[i], t);
            tick(1);
        }
        CHECK_EQ(count_waiting(nodes, count), waiting);
        for (uint32_t i = 0; i + waiting < count; i++) {
            spn_node_state state = stage_state(&stage, nodes[i]);

            /* The last one may have only the minimum. */
            if (i + waiting + 1 < count)
                CHECK_EQ(state.frames_late, late[i]);
            /* In three seconds 89 frames follow the first one. */
            CHECK_EQ_U(state.frames_shown + state.frames_late - late[i], 89);
        }
        /* The streams end one after the other: then the waiting ones start. */
        for (uint32_t i = 0; i < count; i++) {
            stage_until_ready(&stage, nodes[i]);
            CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
        }
        stage_until_empty(&stage);
        stage_close(&stage);
    }
}

/* In any heap: each stream that does not wait reaches its frame, whatever the
 * others hold. */
static void wander(uint64_t seed, uint32_t *reached, uint32_t *waited)
{
    struct test_random random = {seed};
    struct tiny_options o = {.frame_count = 61,
                             .mesh_count = 1 + (uint32_t)(seed % 3),
                             .vertices = 300 + (uint32_t)(seed % 5) * 500,
                             .is_noisy = true};
    int64_t time_us[4] = {0};
    spn_node nodes[4];
    uint64_t needed;

    needed = heap_needed_by(&o, 4);
    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes =
        (uint32_t)(needed / 4 + test_random_below(&random, (uint32_t)needed));
    stage.disc.bytes_per_second = 8 << 20;
    stage.disc.seek_us = 5000;
    stage_open(&stage);
    for (uint32_t i = 0; i < 4; i++)
        nodes[i] = stage_node(&stage, true);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t i = test_random_below(&random, 4);
        spn_status status;

        if (test_random_below(&random, 4) == 0)
            time_us[i] = test_random_below(&random, 6000000);
        else
            time_us[i] += test_random_below(&random, 100000);
        test_context("seed %llu, %u of %llu bytes, step %u, node %u",
                     (unsigned long long)seed, stage.config.heap_bytes,
                     (unsigned long long)needed, step, i);
        set_time(nodes[i], time_us[i]);
        tick(2);
        status = stage_state(&stage, nodes[i]).status;
        if (status == SPN_OK) {
            stage_until_ready(&stage, nodes[i]);
            stage_check_frame(&stage, nodes[i], 0,
                              (uint32_t)(time_us[i] / FRAME_US % 61));
            ++*reached;
        } else if (status == SPN_NO_MEMORY_NOW) {
            ++*waited;
            CHECK_EQ(spn_node_stop_streaming(
                         stage.rt, nodes[test_random_below(&random, 4)]),
                     SPN_OK);
        } else {
            CHECK_EQ(status, SPN_ERR_MEMORY);
            break;
        }
    }
    stage_close(&stage);
}

static void seeking_streams_reach_their_frame_in_any_heap(void)
{
    uint32_t reached = 0;
    uint32_t waited = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        wander(seed, &reached, &waited);
    /* Most steps reach their frame; in the least heaps nodes wait. */
    CHECK(reached > SEEDS * STEPS / 2);
    CHECK(waited > 0);
}

/* All stand still, having read and decoded as far ahead as they may. */
static void standing_streams_release_frames_ahead(void)
{
    spn_node nodes[8];

    open_crowd(nodes, 1, 3 << 20);
    CHECK_EQ(spn_tuning_set(stage.rt, "decode_ahead_ms", "10000"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "20000"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "15000"), SPN_OK);
    tick(100);
    /* It has taken most of the heap. */
    CHECK(live_bytes() > 2 << 20);
    for (uint32_t i = 1; i < 4; i++) {
        test_context("node %u", i);
        nodes[i] = stage_node(&stage, true);
        set_time(nodes[i], i * 500000);
        tick(1);
        if (stage_state(&stage, nodes[i]).status == SPN_NO_MEMORY_NOW)
            break;
        stage_until_ready(&stage, nodes[i]);
        tick(100);
        CHECK(stage_state(&stage, nodes[0]).is_ready);
    }
    CHECK_EQ(stage_state(&stage, nodes[1]).status, SPN_OK);
    CHECK_EQ(stage_state(&stage, nodes[2]).status, SPN_OK);
    stage_close(&stage);
}

/* Blocks of one page each, as many as pages: streams that hold two groups leave
 * enough for later ones. */
static void many_small_frames_have_enough_blocks(void)
{
    struct tiny_options o = {.frame_count = 61, .vertices = 3};
    static spn_node nodes[560];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 64u << 20;
    stage.config.node_count = 560;
    stage_open(&stage);
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t i = half * 280; i < half * 280 + 280; i++) {
            nodes[i] = stage_node(&stage, true);
            set_time(nodes[i], i * FRAME_US);
        }
        for (uint32_t k = 0; k < 100; k++) {
            stage.disc.clock_us += STAGE_TICK_US;
            spn_update(stage.rt);
        }
    }
    for (uint32_t i = 0; i < 560; i++) {
        test_context("node %u", i);
        CHECK_EQ(stage_state(&stage, nodes[i]).status, SPN_OK);
        CHECK(stage_state(&stage, nodes[i]).is_ready);
    }
    stage_close(&stage);
}

/* A cache that waits for memory does not evict the read-ahead of others. */
static void waiting_cache_does_not_evict_frames_ahead(void)
{
    struct tiny_options big = {
        .vertices = 60000, .has_static_mesh = true, .frame_count = 2};
    struct tiny_cache *other = tiny_build(&big);
    spn_node nodes[2];
    int64_t before;
    spn_cache second;

    open_crowd(nodes, 2, 2 << 20);
    slow_platform_add(&stage.disc, "big", other->bytes, other->size);
    for (uint32_t i = 0; i < 2; i++)
        stage_until_ready(&stage, nodes[i]);
    tick(100);
    before = stage_state(&stage, nodes[0]).buffered_us;
    CHECK(before > 0);
    CHECK_EQ(spn_cache_open(stage.rt, "big", &second), SPN_OK);
    for (int i = 0; i < 100; i++) {
        tick(1);
        CHECK_EQ(spn_cache_get_status(stage.rt, second, NULL), SPN_PENDING);
        CHECK(stage_state(&stage, nodes[0]).buffered_us >= before);
    }
    stage_close(&stage);
    tiny_free(other);
}

TEST_MAIN(TEST(a_stream_plays_in_every_heap_that_is_not_refused),
          TEST(large_blocks_find_contiguous_memory),
          TEST(first_streams_keep_playing),
          TEST(seeking_streams_reach_their_frame_in_any_heap),
          TEST(standing_streams_release_frames_ahead),
          TEST(many_small_frames_have_enough_blocks),
          TEST(waiting_cache_does_not_evict_frames_ahead))
