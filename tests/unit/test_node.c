/* test_node.c
 *
 * Goal: a node fills the file's values, dequantized and interpolated. Its
 *   transforms and boxes belong to the same time.
 * Method: compute the values in doubles from the true values of a small cache.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/tiny_truth.h"

#include <string.h>

static struct stage stage;
static uint8_t vertices[300 * 64];

static const spn_vertex_layout layout = {
    .stride = 60,
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3},
    .uv = {24, SPN_FORMAT_F32X2},
    .color = {32, SPN_FORMAT_F32X4},
    .normal = {48, SPN_FORMAT_F32X3},
};

static double mixed(double a, double b, double alpha)
{
    return a + (b - a) * alpha;
}

static float float_at(uint32_t vertex, uint32_t offset)
{
    float value;

    memcpy(&value, vertices + vertex * layout.stride + offset, sizeof value);
    return value;
}

/* The positions at `offset` are interpolated between `frame` and the next. */
static void check_positions(uint32_t offset, uint32_t frame, double alpha)
{
    const struct tiny_options *o = &stage.tiny->options;
    uint32_t next = (frame + 1) % o->frame_count;
    static uint16_t a[300 * 3];
    static uint16_t b[300 * 3];

    tiny_values(o, frame, 0, CHANNEL_POSITION, 0, o->vertices, a);
    tiny_values(o, next, 0, CHANNEL_POSITION, 0, o->vertices, b);
    for (uint32_t v = 0; v < o->vertices; v++)
        for (uint32_t k = 0; k < 3; k++) {
            double truth =
                -1 + mixed(a[v * 3 + k], b[v * 3 + k], alpha) * 2 / 65535;

            test_context("frame %u, vertex %u", frame, v);
            CHECK_NEAR(float_at(v, offset + k * 4), truth, 1e-5);
        }
}

static spn_fill_result fill(spn_node node)
{
    spn_fill_result result;

    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           (uint64_t)stage.tiny->options.vertices * 60,
                           &result),
             SPN_OK);
    return result;
}

static void node_fills_the_values_of_the_file(void)
{
    struct tiny_options o = {.has_uvs = true, .has_colors = true};
    static uint16_t a[300 * 2];
    static uint16_t b[300 * 2];
    static uint8_t color[300 * 4];
    spn_fill_result shown;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    for (uint32_t f = 0; f < 30; f++) {
        int64_t t = f * 33333 + f * 1000;
        double alpha = f * 1000 / 33333.0;

        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, 33333);
        shown = fill(node);
        CHECK_EQ(shown.floor_frame, f);
        CHECK_EQ(shown.ceil_frame, f == 0 ? 0 : f + 1);
        CHECK_NEAR(shown.alpha, alpha, 1e-6);
        CHECK(!shown.is_late);
        check_positions(0, f, alpha);
        tiny_values(&stage.tiny->options, f, 0, CHANNEL_UV, 0, 300, a);
        tiny_values(&stage.tiny->options, f + 1, 0, CHANNEL_UV, 0, 300, b);
        tiny_values(&stage.tiny->options, f, 0, CHANNEL_COLOR, 0, 300, color);
        for (uint32_t v = 0; v < 300; v++) {
            CHECK_NEAR(float_at(v, 24),
                       mixed(a[v * 2], b[v * 2], alpha) / 65535, 1e-5);
            CHECK_NEAR(float_at(v, 32), color[v * 4] / 255.0, 1e-6);
        }
    }
    stage_close(&stage);
}

/* The previous positions are those of the time before, also across a group's
 * end. There is no motion after a seek, at the same time again, and after a
 * cut. */
static void node_keeps_the_previous_positions(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    for (uint32_t f = 1; f < 30; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333 + 11111),
                 SPN_OK);
        /* Further updates at the same time change nothing. */
        for (int i = 0; i < 3; i++) {
            stage_tick(&stage, 11111);
            (void)fill(node);
            check_positions(0, f, 1.0 / 3);
            if (f > 1)
                check_positions(12, f - 1, 1.0 / 3);
        }
    }
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 5 * 33333), SPN_OK);
    stage_until_ready(&stage, node);
    (void)fill(node);
    check_positions(0, 5, 0);
    check_positions(12, 5, 0);
    for (uint32_t f = 6; f < 8; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 11111);
    }
    (void)fill(node);
    check_positions(12, 6, 0);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333), SPN_OK);
    stage_tick(&stage, 11111);
    (void)fill(node);
    check_positions(12, 7, 0);
    /* A seek forward within decoded frames. */
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 9 * 33333), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 9 * 33333), SPN_OK);
    stage_until_ready(&stage, node);
    (void)fill(node);
    check_positions(0, 9, 0);
    check_positions(12, 9, 0);
    stage_close(&stage);
}

static double velocity_at(uint32_t vertex, uint32_t axis, uint32_t from,
                          uint32_t to)
{
    static uint16_t a[300 * 3];
    static uint16_t b[300 * 3];
    const struct tiny_options *o = &stage.tiny->options;
    spn_mesh_info mesh;

    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    tiny_values(o, from, 0, CHANNEL_POSITION, 0, 300, a);
    tiny_values(o, to, 0, CHANNEL_POSITION, 0, 300, b);
    return (b[vertex * 3 + axis] - a[vertex * 3 + axis]) *
           (double)mesh.position_step[axis] * 1e6 / ((to - from) * 33333.0);
}

/* Velocities are interpolated like positions, independent of them. The file has
 * them from -4 to 4 in 16 bits. */
static void node_fills_velocities_and_second_uvs_of_the_file(void)
{
    static const spn_vertex_layout wanted = {
        .stride = 28,
        .velocity = {0, SPN_FORMAT_F32X3},
        .second_uv = {12, SPN_FORMAT_F32X2},
        .uv = {20, SPN_FORMAT_F32X2}};
    struct tiny_options o = {.has_attributes = true};
    static uint16_t a[300 * 3];
    static uint16_t b[300 * 3];
    static uint16_t uvs[300 * 2];
    static float out[300][7];
    spn_mesh_info mesh;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    CHECK(mesh.has_second_uvs && mesh.has_velocities);
    CHECK_STR(mesh.second_uv_name, "root");
    CHECK_NEAR(mesh.velocity_min[2], -4, 0);
    CHECK_NEAR(mesh.velocity_step[2], 8.0 / 65535, 1e-9);
    CHECK_NEAR(mesh.second_uv_step[1], 2.0 / 65535, 1e-9);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    tiny_values(&stage.tiny->options, 0, 0, CHANNEL_SECOND_UV, 0, 300, uvs);
    for (uint32_t f = 0; f < 30; f++) {
        double alpha = f * 1000 / 33333.0;

        test_context("frame %u", f);
        CHECK_EQ(
            spn_node_set_playback_time(stage.rt, node, f * 33333 + f * 1000),
            SPN_OK);
        stage_tick(&stage, 33333);
        CHECK_EQ(
            spn_node_fill(stage.rt, node, 0, &wanted, out, sizeof out, NULL),
            SPN_OK);
        tiny_values(&stage.tiny->options, f, 0, CHANNEL_VELOCITY, 0, 300, a);
        tiny_values(&stage.tiny->options, f + 1, 0, CHANNEL_VELOCITY, 0, 300,
                    b);
        for (uint32_t v = 0; v < 300; v++) {
            for (uint32_t k = 0; k < 3; k++)
                CHECK_NEAR(
                    out[v][k],
                    mixed(a[v * 3 + k], b[v * 3 + k], alpha) * 8 / 65535 - 4,
                    1e-5);
            for (uint32_t k = 0; k < 2; k++) {
                CHECK_NEAR(out[v][3 + k], uvs[v * 2 + k] * 2.0 / 65535, 1e-6);
                CHECK_NEAR(out[v][5 + k], 0, 0);
            }
        }
    }
    stage_close(&stage);
}

/* From one frame to the next, at the first fill, while paused, at any rate of
 * updates; at the end of the clip from the frame before. */
static void node_computes_velocities(void)
{
    static const spn_vertex_layout wanted = {.stride = 12,
                                             .velocity = {0, SPN_FORMAT_F32X3}};
    static const int64_t times[] = {
        0, 0, 11111, 20000, 33333, 29 * 33333 + 9, 30 * 33333};
    static const uint32_t from[] = {0, 0, 0, 0, 1, 29, 29};
    static float out[300][3];
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    node = stage_node(&stage, false);
    for (int i = 0; i < 7; i++) {
        test_context("time %lld", (long long)times[i]);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, times[i]), SPN_OK);
        stage_until_ready(&stage, node);
        stage_tick(&stage, 33333);
        CHECK_EQ(
            spn_node_fill(stage.rt, node, 0, &wanted, out, sizeof out, NULL),
            SPN_OK);
        for (uint32_t v = 0; v < 300; v++)
            for (uint32_t k = 0; k < 3; k++)
                CHECK_NEAR(out[v][k], velocity_at(v, k, from[i], from[i] + 1),
                           1e-3);
    }
    stage_close(&stage);
}

static void node_shows_the_last_frame_during_a_seek(void)
{
    struct tiny_options o = {.frame_count = 601};
    spn_fill_result shown;
    spn_node node;
    uint32_t seen = 0;

    stage_init(&stage, tiny_build(&o));
    stage.disc.seek_us = 200000;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 3 * 33333), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 599 * 33333), SPN_OK);
    while (!stage_state(&stage, node).is_ready) {
        shown = fill(node);
        CHECK(shown.is_late);
        if (shown.floor_frame == 3) {
            check_positions(0, 3, 0);
            seen++;
        }
        stage_tick(&stage, 10000);
    }
    CHECK(seen > 5);
    shown = fill(node);
    CHECK_EQ(shown.floor_frame, 599);
    CHECK(!shown.is_late);
    stage_close(&stage);
}

static void node_does_not_interpolate_when_disabled(void)
{
    spn_node node;
    spn_fill_result shown;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "interpolate", "0"), SPN_OK);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333 + 20000),
             SPN_OK);
    stage_until_ready(&stage, node);
    shown = fill(node);
    CHECK_EQ(shown.ceil_frame, 7);
    CHECK(shown.alpha == 0);
    check_positions(0, 7, 0);
    stage_close(&stage);
}

/* Also while the time stands still. */
static void node_follows_the_variable_interpolate(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333 + 20000),
             SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(fill(node).ceil_frame, 8);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(spn_tuning_set(stage.rt, "interpolate", i ? "1" : "0"),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333 + 20000),
                 SPN_OK);
        stage_tick(&stage, 10000);
        CHECK_EQ(fill(node).ceil_frame, i ? 8 : 7);
    }
    stage_close(&stage);
}

static void node_transforms_follow_the_time(void)
{
    struct tiny_options o = {
        .mesh_count = 2, .hidden_first = 2, .hidden_limit = 3};
    float matrices[3 * 12];
    uint8_t visible[3];
    float box_min[3];
    float box_max[3];
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 4 * 33333 + 11111),
             SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_get_transforms(stage.rt, node, matrices, visible, 3),
             SPN_OK);
    CHECK_NEAR(matrices[12 + 3], (4 + 1.0 / 3) * 0.25, 1e-5);
    CHECK_NEAR(matrices[24 + 3], (4 + 1.0 / 3) * 0.25, 1e-5);
    CHECK_NEAR(matrices[12 + 7], 0, 1e-6);
    CHECK_NEAR(matrices[24 + 7], 1, 1e-6);
    CHECK_NEAR(matrices[12 + 0], 1, 1e-6);
    CHECK(visible[0] && visible[1] && visible[2]);
    CHECK_EQ(spn_node_get_box(stage.rt, node, box_min, box_max), SPN_OK);
    CHECK_NEAR(box_min[0], 4, 0);
    CHECK_NEAR(box_max[2], 7, 0);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 15 * 33333), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_get_transforms(stage.rt, node, NULL, visible, 3), SPN_OK);
    CHECK(visible[0] && !visible[1] && visible[2]);
    stage_close(&stage);
}

static void clip_of_one_frame_plays(void)
{
    struct tiny_options o = {.frame_count = 1};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 123456789), SPN_OK);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 0);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, -5), SPN_OK);
    stage_tick(&stage, 1);
    stage_check_frame(&stage, node, 0, 0);
    stage_close(&stage);
}

static void state_reports_decoded_frames_ahead(void)
{
    struct tiny_options o = {.frame_count = 301};
    spn_node node;
    spn_node_state state;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.shown_frame, UINT32_MAX);
    CHECK(!state.is_streaming && !state.is_ready);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 1000000), SPN_OK);
    for (int i = 0; i < 30; i++)
        stage_tick(&stage, STAGE_TICK_US);
    state = stage_state(&stage, node);
    CHECK(state.is_streaming && state.is_ready);
    CHECK(state.precached_us >= 500000 && state.precached_us < 1000000);
    CHECK(state.buffered_us >= 2000000 && state.buffered_us < 6000000);
    CHECK_EQ_U(state.bytes_read > 0, 1);
    CHECK_EQ(state.status, SPN_OK);
    stage_close(&stage);
}

TEST_MAIN(TEST(node_fills_the_values_of_the_file),
          TEST(node_keeps_the_previous_positions),
          TEST(node_computes_velocities),
          TEST(node_fills_velocities_and_second_uvs_of_the_file),
          TEST(node_shows_the_last_frame_during_a_seek),
          TEST(node_does_not_interpolate_when_disabled),
          TEST(node_follows_the_variable_interpolate),
          TEST(node_transforms_follow_the_time), TEST(clip_of_one_frame_plays),
          TEST(state_reports_decoded_frames_ahead))
