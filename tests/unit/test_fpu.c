/* test_fpu.c
 *
 * Goal: a thread whose floating-point unit is in a mode that the codec cannot
 *   use decodes nothing wrong: the frame is correct, or is refused by name.
 * Method: clips with and without predicted QTangents are played while the
 *   thread rounds in each direction, and while it flushes small numbers to
 *   zero.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/flush_sse41.h"
#include "support/lifted_clip.h"

#include "base/cpu.h"
#include "base/fpu.h"
#include "codec/lift/one_ring.h"

#include <fenv.h>
#include <string.h>

static const int directions[] = {
#ifdef FE_TOWARDZERO
    FE_TOWARDZERO,
#endif
#ifdef FE_UPWARD
    FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
    FE_DOWNWARD,
#endif
    -1};

static bool is_direction(int direction)
{
    bool is_one = direction != -1 && fesetround(direction) == 0;

    (void)fesetround(FE_TONEAREST);
    return is_one;
}

static void the_mode_is_detected(void)
{
    CHECK(spn__fpu_rounds_to_nearest());
    for (uint32_t i = 0; is_direction(directions[i]); i++) {
        bool is_nearest;

        fesetround(directions[i]);
        is_nearest = spn__fpu_rounds_to_nearest();
        fesetround(FE_TONEAREST);
        test_context("direction %u", i);
        CHECK(!is_nearest);
    }
    CHECK(spn__fpu_rounds_to_nearest());
}

static struct lifted_clip clip;
static struct stage stage;
static spn_node node;

static void open_clip(bool has_rings)
{
    if (has_rings)
        lifted_clip_small(&clip);
    else
        lifted_clip_make(&clip, &lifted_clip_options, 8, false);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", clip.memory.bytes, clip.memory.size);
    stage.config.heap_bytes = 16u << 20;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
}

static void close_clip(void)
{
    stage_close(&stage);
    lifted_clip_free(&clip);
}

/* Only the runtime runs in this mode, not the checks of the test. */
static void run_rounding(int direction)
{
    for (int i = 0; i < 60; i++) {
        fesetround(direction);
        stage_tick(&stage, STAGE_TICK_US);
        fesetround(FE_TONEAREST);
    }
}

static void check_all_frames(void)
{
    for (uint32_t f = 0; f < 20; f++) {
        test_context("frame %u", f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                            lifted_clip_time(&clip, f)),
                 SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ_U(stage_state(&stage, node).shown_frame, f);
        lifted_clip_check(&clip, &stage, node, f);
    }
}

static void check_refusal(int direction, bool has_rings)
{
    spn_node_state state;

    open_clip(has_rings);
    run_rounding(direction);
    state = stage_state(&stage, node);
    CHECK_EQ(state.status, SPN_ERR_FPU);
    CHECK_EQ(state.fault.status, SPN_ERR_FPU);
    CHECK_STR(state.fault.what, FPU_FAULT);
    CHECK_EQ_U(state.shown_frame, UINT32_MAX);
    close_clip();
}

/* With and without one-rings, because vector kernels compute square roots in
 * float in both cases. */
static void frames_are_refused_that_would_be_wrong(void)
{
    if (!is_direction(directions[0]))
        test_skip("this machine always rounds to nearest");
    for (uint32_t i = 0; is_direction(directions[i]); i++) {
        test_context("direction %u", i);
        check_refusal(directions[i], true);
        check_refusal(directions[i], false);
    }
}

/* Static values are decoded when the cache is opened. */
static void caches_are_refused_that_would_be_wrong(void)
{
    struct synthetic_options o = lifted_clip_options;

    if (!is_direction(directions[0]))
        test_skip("this machine always rounds to nearest");
    o.is_sliding = true;
    for (uint32_t i = 0; is_direction(directions[i]); i++) {
        spn_fault fault;

        test_context("direction %u", i);
        lifted_clip_make(&clip, &o, 8, false);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", clip.memory.bytes,
                          clip.memory.size);
        stage.config.heap_bytes = 16u << 20;
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        run_rounding(directions[i]);
        CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, &fault),
                 SPN_ERR_FPU);
        CHECK_EQ(fault.status, SPN_ERR_FPU);
        CHECK_STR(fault.what, FPU_FAULT);
        close_clip();
    }
}

static void classic_frames_decode_in_every_mode(void)
{
    struct tiny_options o = {
        .frame_count = 21, .mesh_count = 2, .vertices = 80};

    for (uint32_t i = 0; is_direction(directions[i]); i++) {
        stage_init(&stage, tiny_build(&o));
        stage_open(&stage);
        node = stage_node(&stage, false);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
        run_rounding(directions[i]);
        CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
        stage_check_frame(&stage, node, 1, 0);
        stage_close(&stage);
    }
}

static void small_numbers_may_be_flushed_to_zero(void)
{
    if (!flush_to_zero(false))
        test_skip("this machine cannot flush small numbers to zero");
    open_clip(true);
    for (int i = 0; i < 60; i++) {
        (void)flush_to_zero(true);
        stage_tick(&stage, STAGE_TICK_US);
        (void)flush_to_zero(false);
    }
    CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
    check_all_frames();
    close_clip();
}

/* -- one-rings of all kinds -- */

#define VERTICES 4096u
#define SLOTS (VERTICES / ONE_RING_LANES * 8)

static struct one_ring_slot slots[SLOTS];
static uint32_t firsts[VERTICES / ONE_RING_LANES + 1];
static uint8_t lanes[VERTICES];
static int16_t positions[VERTICES * 4];
static int16_t predictions[2][VERTICES * 4];

/* Near and far neighbours, large, small and zero weights, positions that
 * coincide: lengths of all sizes. */
static void draw_rings(struct one_rings *shape, struct test_random *random)
{
    uint32_t spread = 1u << test_random_below(random, 16);
    uint32_t weight = 1 + test_random_below(random, 127);
    uint32_t at = 0;

    for (uint32_t i = 0; i < VERTICES * 4; i++)
        positions[i] = (int16_t)test_random_below(random, spread);
    for (uint32_t b = 0; b < VERTICES / ONE_RING_LANES; b++) {
        firsts[b] = at;
        at += test_random_below(random, 9);
    }
    firsts[VERTICES / ONE_RING_LANES] = at;
    for (uint32_t s = 0; s < at; s++)
        for (uint32_t i = 0; i < ONE_RING_LANES; i++) {
            slots[s].neighbour[i] =
                (uint16_t)test_random_below(random, VERTICES);
            slots[s].sector_weight[i] =
                (int8_t)test_random_below(random, weight);
            slots[s].neighbour_weight[i] =
                (int8_t)((int32_t)test_random_below(random, 3) - 1);
        }
    for (uint32_t i = 0; i < VERTICES; i++)
        lanes[i] = i % ONE_RING_WINDOW;
    for (uint32_t i = 0; i < 3; i++)
        shape->scale[i] =
            (uint16_t)(test_random_below(random, ONE_RING_SCALE_ONE + 1) >>
                       test_random_below(random, 16));
}

static void predict_in_both_modes(const struct one_rings *shape, uint32_t cpu)
{
    struct one_ring_ops ops;

    spn__one_ring_ops_init(&ops, cpu);
    ops.guess(shape, positions, 0, VERTICES / ONE_RING_LANES, predictions[0]);
    (void)flush_to_zero(true);
    ops.guess(shape, positions, 0, VERTICES / ONE_RING_LANES, predictions[1]);
    (void)flush_to_zero(false);
    CHECK_MEM(predictions[1], predictions[0], sizeof predictions[0]);
}

static void predictions_do_not_depend_on_small_numbers(void)
{
    struct one_rings shape = {.vertex_count = VERTICES,
                              .first_slot = firsts,
                              .slots = slots,
                              .vertex = lanes};
    struct test_random random = {20};

    if (!flush_to_zero(false))
        test_skip("this machine cannot flush small numbers to zero");
    for (uint32_t k = 0; k < 40; k++) {
        test_context("shape %u", k);
        draw_rings(&shape, &random);
        shape.by_uvs = k % 2;
        predict_in_both_modes(&shape, 0);
        predict_in_both_modes(&shape, spn__cpu_detect());
    }
}

TEST_MAIN(TEST(the_mode_is_detected),
          TEST(frames_are_refused_that_would_be_wrong),
          TEST(caches_are_refused_that_would_be_wrong),
          TEST(classic_frames_decode_in_every_mode),
          TEST(small_numbers_may_be_flushed_to_zero),
          TEST(predictions_do_not_depend_on_small_numbers))
