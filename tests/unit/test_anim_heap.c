/* test_anim_heap.c
 *
 * Goal: clips neither starve streams of geometry nor are starved by them: in a
 *   heap with the published minimum of the streams and the reserve of the clips
 *   no frame is late, and every clip that fits the reserve is read.
 * Method: streams play while clips come and go at random. Each update checks
 *   the account of the heap.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/anim_stage.h"

enum { CLIPS = 12, BYTES = 30000, NODES = 3, PAGE = 4096, RESERVE = 32 };

static struct anim_stage stage;

static const struct tiny_options options = {.frame_count = 61};

static uint32_t heap_needed(void)
{
    struct stage s;
    uint64_t bytes = 0;

    stage_init(&s, tiny_build(&options));
    stage_open(&s);
    CHECK_EQ(spn_cache_heap_needed(s.rt, s.cache, NODES, &bytes), SPN_OK);
    stage_close(&s);
    return (uint32_t)bytes;
}

static void open_stage(uint32_t heap_bytes)
{
    struct tiny_cache *cache = tiny_build(&options);
    struct stage *s = &stage.stage;

    anim_stage_init(&stage, CLIPS, BYTES, true);
    s->tiny = cache;
    slow_platform_add(&s->disc, "a", cache->bytes, cache->size);
    s->config.heap_bytes = heap_bytes;
    s->config.anim_reserve_bytes = RESERVE * PAGE;
    s->disc.bytes_per_second = 64 << 20;
    s->disc.seek_us = 1000;
    anim_stage_open(&stage);
    CHECK_EQ(spn_cache_open(s->rt, "a", &s->cache), SPN_OK);
    while (spn_cache_get_status(s->rt, s->cache, NULL) == SPN_PENDING)
        anim_stage_tick(&stage, STAGE_TICK_US);
}

static void start_nodes(spn_node nodes[NODES])
{
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = stage_node(&stage.stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.stage.rt, nodes[i], i * 250000),
                 SPN_OK);
    }
    for (uint32_t i = 0; i < NODES; i++)
        stage_until_ready(&stage.stage, nodes[i]);
}

static void play(const spn_node nodes[NODES], int64_t us)
{
    for (uint32_t i = 0; i < NODES; i++)
        CHECK_EQ(spn_node_set_playback_time(stage.stage.rt, nodes[i],
                                            us + i * 250000),
                 SPN_OK);
    anim_stage_tick(&stage, STAGE_TICK_US);
}

static uint32_t late_frames(const spn_node nodes[NODES])
{
    uint32_t late = 0;

    for (uint32_t i = 0; i < NODES; i++)
        late += stage_state(&stage.stage, nodes[i]).frames_late;
    return late;
}

/* Four clips of eight pages fit the reserve. */
static void clips_and_streams_share_the_heap(void)
{
    struct test_random random = {3};
    spn_node nodes[NODES];
    spn_anim held[4] = {0};
    uint32_t image_pages;
    uint32_t loads = 0;

    test_context("seed 3");
    anim_stage_init(&stage, CLIPS, BYTES, true);
    image_pages = (uint32_t)(stage.image.size / PAGE + 1);
    anim_stage_close(&stage);
    open_stage(heap_needed() + (RESERVE + image_pages) * PAGE);
    start_nodes(nodes);
    for (int64_t us = 0; us < 6000000; us += STAGE_TICK_US) {
        const uint32_t k = test_random_below(&random, 4);

        if (us / STAGE_TICK_US % 4 == 0) {
            if (held[k])
                CHECK_EQ(spn_anim_release(stage.stage.rt, held[k]), SPN_OK);
            held[k] =
                anim_stage_clip(&stage, test_random_below(&random, CLIPS));
            CHECK_EQ(spn_anim_add_ref(stage.stage.rt, held[k]), SPN_OK);
        }
        play(nodes, us);
        if (us / STAGE_TICK_US % 4 == 3)
            for (uint32_t i = 0; i < 4; i++) {
                if (!held[i])
                    continue;
                CHECK_EQ(spn_anim_get_status(stage.stage.rt, held[i], NULL),
                         SPN_OK);
                loads++;
            }
    }
    CHECK(loads > 300);
    CHECK_EQ_U(late_frames(nodes), 0);
    CHECK(anim_stage_stats(&stage).unloads_early > 0);
    anim_stage_close(&stage);
}

/* Clips that nobody wants any more use all of the heap; then streams start. */
static void streams_start_beside_idle_clips(void)
{
    spn_node nodes[NODES];

    open_stage(heap_needed() + (RESERVE + 3) * PAGE);
    for (uint32_t i = 0; i < CLIPS; i++) {
        const spn_anim anim = anim_stage_clip(&stage, i);

        CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim), SPN_OK);
        for (int k = 0; k < 10; k++)
            anim_stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_anim_release(stage.stage.rt, anim), SPN_OK);
    }
    anim_stage_tick(&stage, STAGE_TICK_US);
    CHECK(anim_stage_stats(&stage).idle_bytes > RESERVE * PAGE);
    anim_stage_set(&stage, "anim_grace_ms", "3600000");
    start_nodes(nodes);
    for (int64_t us = 0; us < 2000000; us += STAGE_TICK_US)
        play(nodes, us);
    CHECK_EQ_U(late_frames(nodes), 0);
    CHECK(!stage.stage.rt->manager.is_short);
    CHECK_EQ_U(anim_stage_stats(&stage).idle_bytes, RESERVE * PAGE);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(clips_and_streams_share_the_heap),
          TEST(streams_start_beside_idle_clips))
