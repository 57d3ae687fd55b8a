/* test_mesh_mask.c
 *
 * Goal: only the meshes that some node wants are decoded. A mesh that becomes
 *   wanted comes soon, with its true values, and others are never late for it.
 * Method: small caches on a virtual clock; a listener counts the decoded tiles
 *   of each mesh. A mesh of the made clips is one tile.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_truth.h"

#include <spindle/listener.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 4, VERTICES = 60, FRAME_US = 33333, STRIDE = 6 };

static struct stage stage;
static uint32_t decodes[MESHES];

static void on_decode(void *user, const spn_event *event)
{
    (void)user;
    CHECK(event->part < MESHES);
    decodes[event->part]++;
}

static const spn_listener listener = {.decode_begin = on_decode};

static void open_stage(uint32_t frame_count)
{
    const struct tiny_options o = {
        .frame_count = frame_count, .mesh_count = MESHES, .vertices = VERTICES};

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 16 << 20;
    stage.config.listener = &listener;
    stage_open(&stage);
    CHECK_EQ_U(stage.tiny->tile_count, MESHES);
    memset(decodes, 0, sizeof decodes);
}

static void set_mask(spn_node node, uint32_t word)
{
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, &word, 1), SPN_OK);
}

static spn_status fill(spn_node node, uint32_t mesh, spn_fill_result *result)
{
    static const spn_vertex_layout layout = {
        .stride = STRIDE, .position = {0, SPN_FORMAT_QUANTIZED}};
    uint8_t filled[VERTICES * STRIDE];
    uint8_t expected[VERTICES * STRIDE];
    const spn_status status = spn_node_fill(stage.rt, node, mesh, &layout,
                                            filled, sizeof filled, result);

    if (status == SPN_OK && result->is_visible) {
        tiny_values(&stage.tiny->options, result->floor_frame, mesh,
                    CHANNEL_POSITION, 0, VERTICES, expected);
        CHECK_MEM(filled, expected, sizeof filled);
    }
    return status;
}

static void show(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
}

/* Play, and check that the wanted meshes are shown in time and no other is
 * decoded. */
static void play(spn_node node, uint32_t mask, uint32_t first, uint32_t limit)
{
    for (uint32_t k = first; k < limit; k++) {
        show(node, k * 16667);
        CHECK_EQ_U(stage_state(&stage, node).is_ready, 1);
        for (uint32_t m = 0; m < MESHES; m++) {
            spn_fill_result result;

            test_context("tick %u mesh %u", k, m);
            if (mask >> m & 1u) {
                CHECK_EQ(fill(node, m, &result), SPN_OK);
                CHECK_EQ_U(result.is_late, 0);
            } else {
                CHECK_EQ(fill(node, m, &result), SPN_PENDING);
            }
        }
    }
}

static void meshes_that_are_not_wanted_are_not_decoded(void)
{
    spn_node node;

    open_stage(61);
    node = stage_node(&stage, true);
    set_mask(node, 5);
    stage_stream(&stage, node, 0);
    play(node, 5, 0, 200);
    CHECK(decodes[0] >= 61 && decodes[2] == decodes[0]);
    CHECK_EQ_U(decodes[1], 0);
    CHECK_EQ_U(decodes[3], 0);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, 0);
    stage_stop(&stage, node);
}

static void open_two(spn_node node[2], uint32_t first, uint32_t second)
{
    open_stage(241);
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    set_mask(node[0], first);
    set_mask(node[1], second);
}

/* One update for both. */
static void show_two(const spn_node node[2], int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node[1], time_us), SPN_OK);
    show(node[0], time_us);
}

/* The cache decodes what its nodes want together. */
static void nodes_add_their_masks(void)
{
    uint32_t before;
    spn_node node[2];

    open_two(node, 1, 2);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node[0], 0), SPN_OK);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node[1], 0), SPN_OK);
    stage_until_ready(&stage, node[0]);
    stage_until_ready(&stage, node[1]);
    for (uint32_t k = 0; k < 60; k++) {
        show_two(node, k * 16667);
        CHECK_EQ_U(stage_state(&stage, node[0]).is_ready, 1);
        CHECK_EQ_U(stage_state(&stage, node[1]).is_ready, 1);
    }
    CHECK(decodes[0] > 0 && decodes[0] == decodes[1]);
    CHECK_EQ_U(decodes[2] + decodes[3], 0);
    /* A node that does not stream wants nothing. */
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node[1]), SPN_OK);
    show(node[0], 60 * 16667);
    before = decodes[1];
    for (uint32_t k = 61; k < 200; k++) {
        show(node[0], k * 16667);
        CHECK_EQ_U(stage_state(&stage, node[0]).is_ready, 1);
    }
    CHECK_EQ_U(decodes[1], before);
    CHECK(decodes[0] > before + 60);
    stage_stop(&stage, node[0]);
}

/* A mesh becomes wanted during playback, also when all frames are in memory,
 * and when playback stands still: it comes within half a second, and the other
 * mesh goes on all the time. */
static void a_mesh_that_becomes_wanted_comes_soon(void)
{
    static const uint32_t frame_counts[] = {241, 12, 61};

    for (uint32_t i = 0; i < 6; i++) {
        const bool stands = i % 2 != 0;
        uint32_t late = 0;
        uint32_t ticks = 0;
        spn_node node;

        test_context("%u frames, stands %d", frame_counts[i / 2], stands);
        open_stage(frame_counts[i / 2]);
        node = stage_node(&stage, true);
        set_mask(node, 1);
        stage_stream(&stage, node, 0);
        play(node, 1, 0, 100);
        set_mask(node, 3);
        for (uint32_t k = 100; k < 130; k++) {
            spn_fill_result result;

            test_context("%u frames, stands %d, tick %u", frame_counts[i / 2],
                         stands, k);
            show(node, stands ? 99 * 16667 : k * 16667);
            CHECK_EQ(fill(node, 0, &result), SPN_OK);
            late += result.is_late;
            if (fill(node, 1, &result) != SPN_OK || result.is_late) {
                CHECK_EQ_U(stage_state(&stage, node).is_ready, 0);
                ticks = k - 100;
            }
        }
        /* It is late until then, and not any more afterwards. */
        CHECK(ticks > 0 && ticks < 26);
        CHECK(late <= (stands ? 4 : 0));
        play(node, 3, stands ? 100 : 130, 400);
        stage_stop(&stage, node);
    }
}

/* A range that is so short that each of its frames is always shown soon: the
 * mesh comes within the time that a node which stands still takes; where both
 * frames are always shown, within a second. */
static void a_mesh_comes_in_a_short_range_that_repeats(void)
{
    static const struct {
        spn_range_mode mode;
        int64_t last_us;
        uint32_t ticks; /* until the mesh comes */
    } ranges[] = {{SPN_LOOP, 3 * FRAME_US, 40},
                  {SPN_PING_PONG, 3 * FRAME_US, 40},
                  {SPN_LOOP, FRAME_US, 64}};

    for (uint32_t i = 0; i < 3; i++) {
        uint32_t ticks = 0;
        uint32_t late = 0;
        spn_node node;

        open_stage(61);
        node = stage_node(&stage, true);
        set_mask(node, 1);
        CHECK_EQ(spn_node_set_range(stage.rt, node, 0, ranges[i].last_us,
                                    ranges[i].mode),
                 SPN_OK);
        stage_stream(&stage, node, 0);
        play(node, 1, 0, 60);
        set_mask(node, 3);
        for (uint32_t k = 60; k < 160; k++) {
            spn_fill_result result;

            test_context("range %u, tick %u", i, k);
            show(node, k * 16667);
            late += fill(node, 0, &result) != SPN_OK || result.is_late;
            if (fill(node, 1, &result) != SPN_OK || result.is_late)
                ticks = k - 59;
        }
        CHECK(ticks > 0 && ticks < ranges[i].ticks);
        CHECK(late <= 4);
        play(node, 3, 160, 200);
        stage_stop(&stage, node);
    }
}

/* All meshes are wanted again; then a mesh is not wanted any more. */
static void masks_can_be_removed_and_set_again(void)
{
    uint32_t before;
    spn_node node;

    open_stage(241);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    play(node, 15, 0, 60);
    set_mask(node, 8);
    for (uint32_t k = 60; k < 70; k++)
        show(node, k * 16667);
    before = decodes[0];
    for (uint32_t k = 70; k < 160; k++) {
        show(node, k * 16667);
        CHECK_EQ_U(stage_state(&stage, node).is_ready, 1);
    }
    CHECK_EQ_U(decodes[0], before);
    CHECK(decodes[3] > before + 30);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, NULL, 0), SPN_OK);
    for (uint32_t k = 160; k < 190; k++)
        show(node, k * 16667);
    play(node, 15, 190, 300);
    stage_stop(&stage, node);
}

/* Another node needs the frames without the mesh. It is never late, and the
 * mesh comes with the next index frames. */
static void other_nodes_are_not_disturbed(void)
{
    uint32_t ticks = 0;
    spn_node node[2];

    open_two(node, 1, 1);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node[1], 0), SPN_OK);
    stage_stream(&stage, node[0], 0);
    for (uint32_t k = 0; k < 200; k++) {
        spn_fill_result result;

        if (k == 60)
            set_mask(node[0], 3);
        show_two(node, k * 16667);
        CHECK_EQ_U(stage_state(&stage, node[1]).is_ready, 1);
        CHECK_EQ(fill(node[0], 0, &result), SPN_OK);
        CHECK_EQ_U(result.is_late, 0);
        if (k >= 60 && (fill(node[0], 1, &result) != SPN_OK || result.is_late))
            ticks = k - 60;
    }
    CHECK(ticks > 0 && ticks < 60);
    CHECK_EQ(spn_node_destroy(stage.rt, node[0]), SPN_OK);
    stage_stop(&stage, node[1]);
}

/* -- lifted meshes, and buffers of the engine -- */

enum { LIFTED_FRAMES = 49, LIFTED_BYTES = 1000 * STRIDE };

static const spn_vertex_layout quantized = {
    .stride = STRIDE, .position = {0, SPN_FORMAT_QUANTIZED}};

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    const spn_cache_info *info = user;

    (void)cache;
    (void)frame;
    return calloc((size_t)info->vertex_count, STRIDE);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    (void)user;
    (void)cache;
    (void)frame;
    free(vertices);
}

/* The true values of each frame and mesh: those of a run without masks. */
static uint8_t truth[LIFTED_FRAMES][2][LIFTED_BYTES];

/* Compare what is shown of a mesh with the truth, or make it the truth. Returns
 * whether it is shown in time. */
static bool check_lifted(spn_node node, uint32_t mesh, bool is_truth)
{
    static uint8_t filled[LIFTED_BYTES];
    spn_fill_result result;
    spn_frame_pair pair;
    spn_mesh_info info;
    size_t bytes;

    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, mesh, &info), SPN_OK);
    bytes = (size_t)info.vertex_count * STRIDE;
    CHECK(bytes <= LIFTED_BYTES);
    if (spn_node_fill(stage.rt, node, mesh, &quantized, filled, sizeof filled,
                      &result) != SPN_OK) {
        CHECK_EQ(spn_node_get_frames(stage.rt, node, mesh, &pair), SPN_PENDING);
        return false;
    }
    if (is_truth)
        memcpy(truth[result.floor_frame][mesh], filled, bytes);
    CHECK_MEM(truth[result.floor_frame][mesh], filled, bytes);
    CHECK_EQ(spn_node_get_frames(stage.rt, node, mesh, &pair), SPN_OK);
    CHECK_EQ_U(pair.floor_frame, result.floor_frame);
    CHECK_EQ_U(pair.is_late, result.is_late);
    CHECK_MEM((uint8_t *)pair.floor + info.first_vertex * STRIDE, filled,
              bytes);
    return !result.is_late;
}

/* Mask and unmask a mesh at random, forward and backward. */
static void play_lifted(spn_node node, bool is_truth, uint64_t seed)
{
    struct test_random random = {seed};
    uint32_t mask = 3;
    uint32_t wanted = 0;
    uint32_t in_time = 0;
    uint32_t others = 0; /* shown although they are not wanted any more */
    int64_t time_us = 0;
    int64_t step_us = 16667;

    for (uint32_t k = 0; k < 600; k++) {
        if (!is_truth && test_random_below(&random, 50) == 0) {
            mask = test_random_below(&random, 4);
            set_mask(node, mask);
        }
        if (!is_truth && test_random_below(&random, 100) == 0)
            step_us = -step_us;
        time_us += step_us;
        show(node, time_us);
        for (uint32_t m = 0; m < 2; m++) {
            const bool is_shown = check_lifted(node, m, is_truth);

            wanted += mask >> m & 1u;
            in_time += is_shown && (mask >> m & 1u);
            others += is_shown && !(mask >> m & 1u);
        }
    }
    /* What becomes wanted again is late for a short time. What is not wanted is
     * left out at times. */
    CHECK(in_time >= wanted - wanted / 10);
    CHECK(is_truth ? in_time == wanted : others < 1200 - wanted);
}

static void lifted_meshes_come_and_go(void)
{
    const struct synthetic_options o = {.frame_count = LIFTED_FRAMES,
                                        .mesh_count = 2,
                                        .vertices = 500,
                                        .step = 200,
                                        .is_calm = true};
    struct memory_sink memory = {0};

    synthetic_lift(&o, 8, true, &memory);
    for (uint64_t seed = 0; seed < 6; seed++) {
        spn_cache_info info;
        const spn_frame_buffers buffers = {quantized, acquire, release, &info};
        spn_node node;

        test_context("seed %u", (unsigned)seed);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
        stage.config.heap_bytes = seed % 2 ? 2 << 20 : 16 << 20;
        stage_open(&stage);
        CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
        CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, stage.cache, &buffers),
                 SPN_OK);
        node = stage_node(&stage, true);
        stage_stream(&stage, node, 0);
        play_lifted(node, seed == 0, seed);
        stage_stop(&stage, node);
    }
    memory_sink_free(&memory);
}

static void bad_masks_are_refused(void)
{
    const uint32_t words[SPN_MASK_WORDS_MAX] = {1};
    spn_node node;

    open_stage(31);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_mesh_mask(NULL, node, words, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, 0, words, 1), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, NULL, 1), SPN_ERR_ARG);
    CHECK_EQ(
        spn_node_set_mesh_mask(stage.rt, node, words, SPN_MASK_WORDS_MAX + 1),
        SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, words, SPN_MASK_WORDS_MAX),
             SPN_OK);
    stage_stream(&stage, node, 0);
    play(node, 1, 0, 20);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(meshes_that_are_not_wanted_are_not_decoded),
          TEST(nodes_add_their_masks),
          TEST(a_mesh_that_becomes_wanted_comes_soon),
          TEST(a_mesh_comes_in_a_short_range_that_repeats),
          TEST(masks_can_be_removed_and_set_again),
          TEST(other_nodes_are_not_disturbed), TEST(lifted_meshes_come_and_go),
          TEST(bad_masks_are_refused))
