/* test_stream_read.c
 *
 * Goal: a group that begins exactly where the read-ahead ends is not read yet.
 * Method: a node that stands still at the beginning; groups last 200 ms.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

static struct stage stage;

static uint32_t reads_ahead(const char *ahead_ms)
{
    const struct tiny_options o = {.frame_count = 100,
                                   .distance = 10,
                                   .frame_us = 20000,
                                   .is_noisy = true};
    uint32_t reads;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", ahead_ms), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", ahead_ms), SPN_OK);
    /* Reads of one group each. */
    CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    reads = stage.disc.reads;
    stage_stop(&stage, node);
    return reads;
}

static void read_ahead_ends_before_the_group_at_its_end(void)
{
    const uint32_t reads = reads_ahead("1000");

    CHECK_EQ_U(reads_ahead("999"), reads);
    CHECK(reads_ahead("1001") > reads);
}

TEST_MAIN(TEST(read_ahead_ends_before_the_group_at_its_end))
