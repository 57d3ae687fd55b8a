/* test_stream_window.c
 *
 * Goal: each frame that was decoded is traced once when it is retired.
 * Method: play a second of a clip and look through the trace.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"

enum { FRAMES = 64, PLAYED = 30 };

static struct stage stage;

static void retired_frames_are_traced(void)
{
    const struct tiny_options o = {.frame_count = FRAMES};
    const struct trace *trace;
    uint32_t retired[FRAMES] = {0};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.trace_count = 4096;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 1000000);
    trace = &stage.rt->trace;
    CHECK(trace->count <= trace->mask);
    for (uint32_t i = 0; i < trace->count; i++)
        if (trace->events[i].kind == TRACE_RETIRE)
            retired[trace->events[i].a]++;
    for (uint32_t f = 0; f < FRAMES; f++) {
        test_context("frame %u", f);
        if (f < PLAYED - 1)
            CHECK_EQ_U(retired[f], 1);
        if (f > PLAYED)
            CHECK_EQ_U(retired[f], 0);
    }
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(retired_frames_are_traced))
