/* test_stream_window.c
 *
 * Goal: a decoded frame stays in memory after it was shown. When its memory is
 * freed, this is traced once. The frame that was shown last is freed first.
 * Method: play a second of a clip, allocate the memory for a block, and look
 * through the trace.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"

enum { FRAMES = 64, PLAYED = 30 };

static struct stage stage;

static void count_retired(uint32_t retired[FRAMES])
{
    const struct trace *trace = &stage.rt->trace;

    CHECK(trace->count <= trace->mask);
    for (uint32_t f = 0; f < FRAMES; f++)
        retired[f] = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        if (trace->events[i].kind == TRACE_RETIRE)
            retired[trace->events[i].a]++;
}

static void played_frames_are_traced_when_they_go(void)
{
    const struct tiny_options o = {.frame_count = FRAMES};
    uint32_t retired[FRAMES];
    spn_block block;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.trace_count = 4096;
    stage.config.heap_bytes = 1 << 20;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 1000000);
    count_retired(retired);
    for (uint32_t f = 0; f < FRAMES; f++)
        CHECK_EQ_U(retired[f], 0);
    /* 256 pages; two for each frame. */
    CHECK_EQ(spn_block_alloc(stage.rt, 600 << 10, 0, &block), SPN_OK);
    count_retired(retired);
    /* Frame 29 is shown. Of the frames before it, the last ones go first. */
    for (uint32_t f = 0; f < FRAMES; f++) {
        test_context("frame %u", f);
        CHECK(retired[f] <= (f + 1 < PLAYED));
        CHECK(f + 2 >= PLAYED || retired[f] <= retired[f + 1]);
    }
    CHECK_EQ_U(retired[PLAYED - 2], 1);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(played_frames_are_traced_when_they_go))
