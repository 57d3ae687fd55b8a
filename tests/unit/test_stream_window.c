/* test_stream_window.c
 *
 * Goal: a decoded frame stays in memory after it was shown. When its memory is
 *   freed, this is traced, exactly once. The frame that was shown last is freed
 *   first.
 * Method: play a second of a clip, allocate blocks, and look through the trace.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"

enum { FRAMES = 64, PLAYED = 30 };

static struct stage stage;

/* Frame 29 is shown. The frames before it are freed from the last one on.
 * Returns how many were. */
static uint32_t count_retired(void)
{
    const struct trace *trace = &stage.rt->trace;
    uint32_t count = 0;

    CHECK(trace->count <= trace->mask);
    for (uint32_t i = 0; i < trace->count; i++) {
        if (trace->events[i].kind != TRACE_RETIRE)
            continue;
        count++;
        CHECK_EQ_U(trace->events[i].a + count, PLAYED - 1);
    }
    return count;
}

static void played_frames_are_traced_when_they_go(void)
{
    const struct tiny_options o = {.frame_count = FRAMES};
    uint32_t count;
    spn_block block;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.trace_count = 4096;
    stage.config.heap_bytes = 1 << 20;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 1000000);
    CHECK_EQ_U(count_retired(), 0);
    /* 150 of 256 pages; a frame has two. */
    CHECK_EQ(spn_block_alloc(stage.rt, 600 << 10, 0, &block), SPN_OK);
    count = count_retired();
    CHECK(count > 0 && count < PLAYED - 1);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    CHECK_EQ_U(count_retired(), count);
    while (spn_block_alloc(stage.rt, 4096, 0, &block) == SPN_OK)
        ;
    CHECK_EQ_U(count_retired(), PLAYED - 1);
    stage_check_frame(&stage, node, 0, PLAYED - 1);
    stage_close(&stage);
}

TEST_MAIN(TEST(played_frames_are_traced_when_they_go))
