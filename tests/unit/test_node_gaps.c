/* test_node_gaps.c
 *
 * Goal: where frames are missing or hide a mesh, a node shows the best
 * available positions, previous positions, velocities, poses and boxes.
 * Method: a clip that has only index frames, of which some hide the mesh, are
 * damaged or have no box; frames evicted between two updates. */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "harness.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_truth.h"

#include <string.h>

#define FRAME_US 33333
#define VERTICES 60u

static struct stage stage;
static spn_node node;
static float out[VERTICES][9];

static const spn_vertex_layout layout = {
    .stride = sizeof out[0],
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3},
    .velocity = {24, SPN_FORMAT_F32X3},
};

/* Each frame is a group. Those in [hidden, hidden_limit) hide the mesh. */
static void build(uint32_t hidden, uint32_t hidden_limit)
{
    const struct tiny_options o = {.frame_count = 12,
                                   .distance = 1,
                                   .vertices = VERTICES,
                                   .hidden_first = hidden,
                                   .hidden_limit = hidden_limit};

    stage_init(&stage, tiny_build(&o));
}

static void damage(uint32_t frame)
{
    const struct tiny_cache *t = stage.tiny;

    t->bytes[t->frame_offset[frame] + t->frame_bytes[frame] - 1] ^= 4;
}

static void open_node(void)
{
    stage_open(&stage);
    node = stage_node(&stage, false);
}

static void close_node(void)
{
    stage_stop(&stage, node);
}

/* The time of a frame plus thirds of the interval after it. */
static int64_t time_of(uint32_t frame, uint32_t thirds)
{
    return (int64_t)frame * FRAME_US + (int64_t)thirds * (FRAME_US / 3);
}

static void go(uint32_t frame, uint32_t thirds)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_of(frame, thirds)),
             SPN_OK);
    stage_tick(&stage, FRAME_US);
}

/* Start, and wait until the whole clip is decoded. */
static void start(uint32_t frame, uint32_t thirds)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_of(frame, thirds)),
             SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, FRAME_US);
}

static spn_fill_result fill(void)
{
    spn_fill_result result;

    memset(out, 0x7f, sizeof out);
    CHECK_EQ(
        spn_node_fill(stage.rt, node, 0, &layout, out, sizeof out, &result),
        SPN_OK);
    return result;
}

/* The position in clip space, at `thirds` between the two frames. */
static double truth(uint32_t from, uint32_t to, uint32_t thirds,
                    uint32_t vertex, uint32_t axis)
{
    static uint16_t a[VERTICES][3];
    static uint16_t b[VERTICES][3];
    const struct tiny_options *o = &stage.tiny->options;
    double mixed;

    tiny_values(o, from, 0, CHANNEL_POSITION, 0, VERTICES, a);
    tiny_values(o, to, 0, CHANNEL_POSITION, 0, VERTICES, b);
    mixed = a[vertex][axis] +
            (b[vertex][axis] - a[vertex][axis]) * (double)thirds / 3;
    return -1 + mixed * 2 / 65535;
}

/* Compare three numbers of each vertex from `first` on. */
static void check_positions(uint32_t first, uint32_t from, uint32_t to,
                            uint32_t thirds)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t k = 0; k < 3; k++)
            CHECK_NEAR(out[v][first + k], truth(from, to, thirds, v, k), 1e-4);
}

/* Compare with the velocity from one frame to another. Equal frames: no
 * motion. */
static void check_velocity(uint32_t from, uint32_t to)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t k = 0; k < 3; k++) {
            const double way =
                truth(to, to, 0, v, k) - truth(from, from, 0, v, k);
            const double rate = to == from ? 0 : 1e6 / FRAME_US / (to - from);

            CHECK_NEAR(out[v][6 + k], way * rate, 1e-3);
        }
}

/* -- frames that hide the mesh -- */

static void a_later_frame_that_hides_the_mesh_is_left_out(void)
{
    spn_fill_result result;

    build(4, 5);
    open_node();
    start(3, 1);
    result = fill();
    CHECK(result.is_visible);
    CHECK_EQ_U(result.floor_frame, 3);
    CHECK_EQ_U(result.ceil_frame, 3);
    CHECK(result.alpha == 0);
    check_positions(0, 3, 3, 0);
    check_velocity(3, 5);
    /* The earlier frame decides visibility. */
    go(4, 1);
    CHECK(!fill().is_visible);
    go(5, 1);
    CHECK(fill().is_visible);
    check_positions(0, 5, 6, 1);
    /* There are no positions of a frame without the mesh. */
    check_positions(3, 5, 6, 1);
    close_node();
}

static void hidden_frames_are_left_out_of_previous_positions(void)
{
    build(4, 5);
    open_node();
    start(3, 1);
    go(5, 1);
    CHECK(fill().is_visible);
    check_positions(0, 5, 6, 1);
    check_positions(3, 3, 3, 0);
    close_node();
}

/* Velocity is computed from the nearest frame on either side that has the
 * mesh. */
static void velocity_skips_hidden_frames(void)
{
    build(6, 12);
    open_node();
    start(3, 0);
    go(5, 0);
    CHECK(fill().is_visible);
    check_velocity(4, 5);
    close_node();
    build(1, 12);
    open_node();
    start(0, 0);
    CHECK(fill().is_visible);
    check_velocity(0, 0);
    close_node();
    /* The frame before is available and hides the mesh. */
    build(10, 11);
    open_node();
    start(10, 0);
    go(11, 0);
    CHECK(fill().is_visible);
    check_velocity(11, 11);
    close_node();
}

/* -- frames that are missing -- */

static void velocity_skips_damaged_frames(void)
{
    build(0, 0);
    damage(5);
    damage(11);
    open_node();
    start(4, 0);
    CHECK(fill().is_visible);
    check_velocity(4, 6);
    go(8, 0);
    go(10, 0);
    (void)fill();
    check_velocity(9, 10);
    close_node();
    /* A single frame has no motion. */
    build(0, 0);
    for (uint32_t f = 1; f < 12; f++)
        damage(f);
    open_node();
    start(0, 0);
    CHECK(fill().is_visible);
    check_velocity(0, 0);
    close_node();
}

/* One held frame at any time: no motion. */
static void a_held_frame_has_no_velocity(void)
{
    spn_fill_result result;

    build(0, 0);
    open_node();
    start(9, 0);
    stage.disc.seek_us = 300000;
    go(1, 0);
    result = fill();
    CHECK(result.is_late);
    CHECK_EQ_U(result.floor_frame, 9);
    check_positions(0, 9, 9, 0);
    check_positions(3, 9, 9, 0);
    check_velocity(9, 9);
    stage_until_ready(&stage, node);
    close_node();
}

/* As memory that is short would, without asking who needs it. */
static void take_from(uint32_t frame)
{
    const struct cache *c = spn__manager_node(&stage.rt->manager, node)->cache;

    for (uint32_t n = frame; n < c->header.frame_count; n++)
        if (frame_slot_ready(c, n))
            spn__frame_slot_free(frame_slot_ready(c, n));
    CHECK(spn_check(stage.rt));
}

/* Frames that are shown, or were shown before, may be evicted between two
 * updates. */
static void what_is_left_of_evicted_frames_is_shown(void)
{
    uint8_t visible[2];
    spn_fill_result result;

    build(0, 0);
    open_node();
    start(3, 1);
    go(4, 1);
    go(3, 2);
    /* The later frame of the pair shown before. */
    take_from(5);
    (void)fill();
    check_positions(0, 3, 4, 2);
    check_positions(3, 3, 4, 2);
    /* The later frame of the pair shown now: the earlier one is shown alone. */
    take_from(4);
    CHECK_EQ(spn_node_get_transforms(stage.rt, node, NULL, visible, 2), SPN_OK);
    CHECK_EQ_U(visible[0], 1);
    result = fill();
    CHECK(result.is_visible);
    CHECK(result.is_late);
    CHECK_EQ_U(result.floor_frame, 3);
    CHECK_EQ_U(result.ceil_frame, 3);
    CHECK(result.alpha == 0);
    check_positions(0, 3, 3, 0);
    check_positions(3, 3, 3, 0);
    check_velocity(3, 3);
    CHECK(!stage_state(&stage, node).is_ready);
    take_from(0);
    CHECK_EQ(spn_node_get_transforms(stage.rt, node, NULL, visible, 2),
             SPN_PENDING);
    CHECK_EQ(
        spn_node_fill(stage.rt, node, 0, &layout, out, sizeof out, &result),
        SPN_PENDING);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, UINT32_MAX);
    /* It is read again. */
    stage_tick(&stage, FRAME_US);
    stage_until_ready(&stage, node);
    (void)fill();
    check_positions(0, 3, 4, 2);
    close_node();
}

/* -- boxes -- */

static void set_box(uint32_t frame, float min, float max)
{
    struct wire_frame *entries =
        (void *)(stage.tiny->bytes + stage.tiny->frame_table_offset);

    CHECK_EQ_U(spn_load_u32le(entries[frame].number), frame);
    for (int k = 0; k < 3; k++) {
        spn_store_f32le(entries[frame].box_min[k], min);
        spn_store_f32le(entries[frame].box_max[k], max);
    }
}

static void check_box(uint32_t frame, float min, float max)
{
    float box_min[3];
    float box_max[3];

    go(frame, 1);
    test_context("frame %u", frame);
    CHECK_EQ(spn_node_get_box(stage.rt, node, box_min, box_max), SPN_OK);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(box_min[k], min, 0);
        CHECK_NEAR(box_max[k], max, 0);
    }
}

static void box_contains_boxes_of_both_frames(void)
{
    build(0, 0);
    set_box(2, 0.5f, 0.25f);
    set_box(5, -7, 20);
    set_box(8, 3, -1);
    set_box(9, 2, 1);
    tiny_correct_checksums(stage.tiny);
    open_node();
    start(0, 0);
    check_box(0, 0, 3);
    /* An empty one adds nothing, on either side. */
    check_box(1, 1, 3);
    check_box(2, 3, 5);
    check_box(4, -7, 20);
    check_box(5, -7, 20);
    /* Two of them are one. */
    check_box(8, 2, 1);
    close_node();
}

TEST_MAIN(TEST(a_later_frame_that_hides_the_mesh_is_left_out),
          TEST(hidden_frames_are_left_out_of_previous_positions),
          TEST(velocity_skips_hidden_frames),
          TEST(velocity_skips_damaged_frames),
          TEST(a_held_frame_has_no_velocity),
          TEST(what_is_left_of_evicted_frames_is_shown),
          TEST(box_contains_boxes_of_both_frames))
