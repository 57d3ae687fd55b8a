/* test_stream_media.c
 *
 * Goal: streams of a slow medium do not delay those of another.
 * Method: two caches, one on a disc that takes ten seconds for each read, one
 * on a hard disk or in memory, which must play as if it were alone.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#define NODES 3u

static struct stage stage;

static spn_cache open_cache(const char *path)
{
    spn_cache cache = 0;
    spn_status status = SPN_PENDING;

    CHECK_EQ(spn_cache_open(stage.rt, path, &cache), SPN_OK);
    for (int i = 0; i < 1000 && status == SPN_PENDING; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        status = spn_cache_get_status(stage.rt, cache, NULL);
    }
    CHECK_EQ(status, SPN_OK);
    return cache;
}

static void play(const spn_node *nodes, uint32_t count, uint32_t from_ms,
                 uint32_t to_ms)
{
    for (uint32_t t = from_ms; t < to_ms; t += 17) {
        for (uint32_t i = 0; i < count; i++)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], t * 1000),
                     SPN_OK);
        stage_tick(&stage, 17000);
    }
}

static void slow_medium_delays_no_stream_of_another(void)
{
    static const spn_medium others[] = {SPN_MEDIUM_HARD_DISK,
                                        SPN_MEDIUM_MEMORY};
    struct tiny_options o = {.frame_count = 91, .is_noisy = true};

    for (uint32_t k = 0; k < 2; k++) {
        struct tiny_cache *other = tiny_build(&o);
        spn_node nodes[2 * NODES];
        uint32_t late = 0;

        stage_init(&stage, tiny_build(&o));
        slow_platform_add(&stage.disc, "b", other->bytes, other->size);
        slow_platform_place(&stage.disc, "a", SPN_MEDIUM_OPTICAL);
        slow_platform_place(&stage.disc, "b", others[k]);
        stage.disc.bytes_per_second = 50 << 20;
        stage_start(&stage);
        stage.cache = open_cache("a");
        for (uint32_t i = 0; i < NODES; i++)
            nodes[i] = stage_node(&stage, true);
        stage.cache = open_cache("b");
        for (uint32_t i = NODES; i < 2 * NODES; i++)
            nodes[i] = stage_node(&stage, true);
        stage.disc.medium_us[SPN_MEDIUM_OPTICAL] = 10000000;
        play(nodes, NODES, 0, 1000); /* requests of the slow medium come
                                      * first */
        play(nodes, 2 * NODES, 1000, 2000);
        for (uint32_t i = NODES; i < 2 * NODES; i++)
            late += stage_state(&stage, nodes[i]).frames_late;
        play(nodes, 2 * NODES, 2000, 22000);
        for (uint32_t i = NODES; i < 2 * NODES; i++) {
            test_context("medium %u, node %u", others[k], i);
            late -= stage_state(&stage, nodes[i]).frames_late;
            CHECK(stage_state(&stage, nodes[i]).frames_shown > 600);
        }
        CHECK_EQ(late, 0);
        CHECK(stage_state(&stage, nodes[0]).frames_late > 0);
        stage_close(&stage);
        tiny_free(other);
    }
}

TEST_MAIN(TEST(slow_medium_delays_no_stream_of_another))
