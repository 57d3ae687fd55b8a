/* test_api_tuning.c
 *
 * Goal: tuning variables take effect while the runtime runs. `geometry` 0 ends
 * reads, decoding and pictures, and 1 brings them back. stream_memory_kib is a
 * limit that holds after an update. read_budget_kib lets reads wait and go.
 * Method: nodes that play on a slow disc; the variables change in between.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/update.h"
#include "runtime.h"
#include "support/stage.h"

#include <stdio.h>
#include <string.h>

static struct stage stage;

static void set(const char *name, uint32_t value)
{
    char text[16];

    snprintf(text, sizeof text, "%u", value);
    CHECK_EQ(spn_tuning_set(stage.rt, name, text), SPN_OK);
}

static void play(const spn_node *nodes, uint32_t count, int64_t *time_us,
                 uint32_t updates)
{
    for (uint32_t k = 0; k < updates; k++) {
        *time_us += STAGE_TICK_US;
        for (uint32_t i = 0; i < count; i++)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], *time_us),
                     SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
}

static spn_status fill(spn_node node)
{
    static const spn_vertex_layout layout = {
        .stride = 8, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[8 * 300];

    return spn_node_fill(stage.rt, node, 0, &layout, vertices, sizeof vertices,
                         NULL);
}

static void geometry_that_is_off_does_nothing(void)
{
    struct tiny_options o = {.frame_count = 301, .is_noisy = true};
    spn_node_state before;
    spn_node_state state;
    float box[2][3];
    int64_t time_us = 0;
    uint32_t reads;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    set("buffer_ahead_min_ms", 300);
    set("buffer_ahead_max_ms", 600);
    node = stage_node(&stage, true);
    play(&node, 1, &time_us, 60);
    CHECK_EQ(fill(node), SPN_OK);

    set("geometry", 0);
    /* What was on its way ends. */
    play(&node, 1, &time_us, 10);
    reads = stage.disc.reads;
    before = stage_state(&stage, node);
    /* Farther than all that was read ahead, and a seek. */
    play(&node, 1, &time_us, 120);
    time_us += 3000000;
    play(&node, 1, &time_us, 120);
    CHECK_EQ_U(stage.disc.reads, reads);
    CHECK_EQ(stage.rt->manager.launches->running_count, 0);
    CHECK_EQ(fill(node), SPN_PENDING);
    CHECK_EQ(spn_node_get_box(stage.rt, node, box[0], box[1]), SPN_PENDING);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.shown_frame, UINT32_MAX);
    CHECK(!state.is_ready);
    CHECK_EQ(state.status, SPN_OK);
    CHECK_EQ_U(state.frames_late, before.frames_late);
    CHECK_EQ_U(state.frames_shown, before.frames_shown);
    CHECK_EQ_U(state.seeks, before.seeks);
    CHECK_EQ_U(state.left_out_permille, 0);

    set("geometry", 1);
    play(&node, 1, &time_us, 60);
    CHECK(stage.disc.reads > reads);
    CHECK_EQ(fill(node), SPN_OK);
    CHECK(stage_state(&stage, node).is_ready);
    stage_stop(&stage, node);
}

/* A cache can be opened meanwhile, and a node that starts waits. */
static void geometry_can_be_off_from_the_start(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_start(&stage);
    set("geometry", 0);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 500000), SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_is_empty(&stage));
    set("geometry", 1);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 15);
    stage_stop(&stage, node);
}

static uint32_t kept_kib(void)
{
    return stage.rt->manager.promises.keeper.kept_pages *
           (stage.config.heap_page_bytes / 1024);
}

/* Play with less and less memory, then with all of it again. Whatever the
 * limit, it holds, and who has a promise shows the right frames. */
static void stream_memory_is_limited(void)
{
    struct tiny_options o = {
        .frame_count = 301, .vertices = 2000, .is_noisy = true};
    spn_node nodes[4];
    uint32_t most;
    int64_t time_us = 0;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_page_bytes = 4096;
    stage.config.heap_bytes = 16u << 20;
    stage.disc.bytes_per_second = 64 << 20;
    stage_open(&stage);
    for (uint32_t i = 0; i < 4; i++)
        nodes[i] = stage_node(&stage, true);
    play(nodes, 4, &time_us, 120);
    most = kept_kib();
    CHECK(most > 2000);
    for (uint32_t kib = most; kib >= 64; kib = kib * 3 / 4) {
        test_context("%u KiB", kib);
        set("stream_memory_kib", kib);
        /* In the first updates jobs and reads may hold more. */
        play(nodes, 4, &time_us, 8);
        for (uint32_t k = 0; k < 60; k++) {
            play(nodes, 4, &time_us, 1);
            CHECK(kept_kib() <= kib);
            CHECK(stage.rt->manager.promises.promised_pages * 4 <= kib);
        }
        for (uint32_t i = 0; i < 4; i++) {
            spn_node_state state = stage_state(&stage, nodes[i]);

            CHECK(state.status == SPN_OK || state.status == SPN_NO_MEMORY_NOW);
            if (state.status == SPN_OK)
                continue;
            CHECK_EQ_U(state.fault.value, (uint64_t)kib / 4 * 4096);
            CHECK(state.fault.expected > state.fault.value);
        }
    }
    CHECK_EQ(stage_state(&stage, nodes[0]).status, SPN_NO_MEMORY_NOW);
    set("stream_memory_kib", 4194304);
    for (uint32_t i = 0; i < 4; i++)
        stage_until_ready(&stage, nodes[i]);
    play(nodes, 4, &time_us, 120);
    CHECK(kept_kib() > most / 2);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

/* A node that plays goes on in half of its memory without a late frame. */
static void playback_survives_a_smaller_limit(void)
{
    struct tiny_options o = {
        .frame_count = 301, .vertices = 2000, .is_noisy = true};
    int64_t time_us = 0;
    uint32_t late;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_page_bytes = 4096;
    stage.disc.bytes_per_second = 64 << 20;
    stage_open(&stage);
    node = stage_node(&stage, true);
    play(&node, 1, &time_us, 120);
    late = stage_state(&stage, node).frames_late;
    set("stream_memory_kib", stage.rt->manager.promises.promised_pages * 4);
    play(&node, 1, &time_us, 120);
    set("stream_memory_kib",
        stage.rt->manager.promises.promised_pages * 4 * 2 / 3);
    play(&node, 1, &time_us, 240);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, late);
    CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
    stage_stop(&stage, node);
}

static uint8_t storage[2][65536];
static uint32_t stored;

static spn_status give_storage(const spn_read_want *want, void **buffer)
{
    (void)want;
    *buffer = storage[stored++];
    return SPN_OK;
}

/* Two reads of 64 KiB: with a budget of 64 KiB the second one waits for the
 * first one; then the budget is raised. */
static void read_budget_changes(void)
{
    spn_read_desc desc = {.path = "b",
                          .bytes = 65536,
                          .on_storage = give_storage,
                          .task = SPN_TASK_OWN};
    static uint8_t bytes[2 * 65536];
    spn_read reads[2];
    spn_tuning v;
    uint32_t index;

    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "b", bytes, sizeof bytes);
    slow_platform_add(&stage.disc, "c", bytes, sizeof bytes);
    slow_platform_place(&stage.disc, "c", SPN_MEDIUM_OPTICAL);
    stage.disc.command_us = 10000000;
    stage.config.read_budget_bytes = 1 << 20;
    stage_start(&stage);
    CHECK_EQ(spn_tuning_find("read_budget_kib", &index), SPN_OK);
    CHECK_EQ(spn_tuning_get(stage.rt, index, &v), SPN_OK);
    CHECK_EQ_U(v.value, 1024);
    CHECK_EQ_U(v.initial, 1024);
    stored = 0;
    set("read_budget_kib", 64);
    CHECK_EQ(spn_read_start(stage.rt, &desc, &reads[0]), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    desc.path = "c";
    CHECK_EQ(spn_read_start(stage.rt, &desc, &reads[1]), SPN_OK);
    for (int i = 0; i < 10; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(stored, 1);
    CHECK_EQ(spn_tuning_set(stage.rt, "sys_streaming_memory_budget", "128"),
             SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(stored, 2);
    stage.disc.clock_us += 20000000;
    stage_tick(&stage, STAGE_TICK_US);
    stage_close(&stage);
}

static void the_heap_is_the_first_limit_of_streams(void)
{
    spn_tuning v;
    uint32_t index;

    stage_init(&stage, NULL);
    stage.config.heap_bytes = 5 << 20;
    stage_start(&stage);
    CHECK_EQ(spn_tuning_find("e_geomcachebuffersize", &index), SPN_OK);
    CHECK_EQ(spn_tuning_get(stage.rt, index, &v), SPN_OK);
    CHECK_EQ_U(v.initial, 5 << 10);
    CHECK_EQ_U(v.alias_scale, 1024);
    stage_close(&stage);
    /* The heap has whole pages, and all of them can be used. */
    stage_init(&stage, NULL);
    stage.config.heap_bytes = (5 << 20) + 1;
    stage.config.heap_page_bytes = 65536;
    stage_start(&stage);
    CHECK_EQ(spn_tuning_get(stage.rt, index, &v), SPN_OK);
    CHECK_EQ_U(v.value, (5 << 10) + 64);
    stage_close(&stage);
}

TEST_MAIN(TEST(geometry_that_is_off_does_nothing),
          TEST(geometry_can_be_off_from_the_start),
          TEST(stream_memory_is_limited),
          TEST(playback_survives_a_smaller_limit), TEST(read_budget_changes),
          TEST(the_heap_is_the_first_limit_of_streams))
