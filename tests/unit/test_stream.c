/* Goal: a node plays its clip: every frame that is shown has the file's
 * values, on time when the disc keeps up, and the heap comes back to nothing.
 * Method: small caches whose values are a function of place and time, a slow
 * disc on a virtual clock, one update at a time; invariants after each. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <string.h>

static struct stage stage;

static void play(struct stage *s, spn_node node, int64_t from, int64_t to)
{
    uint32_t frame_us = s->tiny->options.frame_us;
    uint32_t frame_count = s->tiny->options.frame_count;

    for (int64_t t = from; t < to; t += STAGE_TICK_US) {
        uint32_t frame = (uint32_t)(t / frame_us % frame_count);

        CHECK_EQ(spn_node_set_playback_time(s->rt, node, t), SPN_OK);
        stage_tick(s, STAGE_TICK_US);
        CHECK_EQ(stage_state(s, node).shown_frame, frame);
        stage_check_frame(s, node, 0, frame);
    }
}

static void stream_plays_a_clip_to_its_end(void)
{
    struct tiny_options o = {.frame_count = 95};
    spn_node node;
    spn_node_state state;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    play(&stage, node, 0, 94 * 33333);
    state = stage_state(&stage, node);
    CHECK_EQ(state.frames_late, 0);
    CHECK_EQ(state.frames_dropped, 0);
    CHECK(state.frames_shown >= 94);
    CHECK_EQ(state.seeks, 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

TEST_MAIN(TEST(stream_plays_a_clip_to_its_end))
