/* io_order_fixture.h - what the tests of the order of reads share: an engine
 * with one open file, and the disc's log. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_IO_ORDER_FIXTURE_H
#define TESTS_SUPPORT_IO_ORDER_FIXTURE_H

#include "harness.h"
#include "support/io_fixture.h"

static spn_file file_a;

static inline void begin(uint32_t i, uint64_t offset, uint64_t bytes,
                         spn_priority priority)
{
    begin_of(i, file_a, offset, bytes, priority);
}

/* An engine whose file is open and whose disc takes 100 us for anything. The
 * log starts empty, the head behind byte 0. */
static inline void open_rig(uint32_t piece_bytes)
{
    rig_open(&rig, &(struct rig_config){.piece_bytes = piece_bytes,
                                        .read_count = READS});
    file_a = rig_file(&rig, "a");
    begin(READS - 1, 0, 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig.slow.reads = 0;
    rig.slow.command_us = 100;
}

/* The disc was asked for these offsets, in this order. */
static inline void check_log(const uint64_t *offsets, uint32_t count)
{
    CHECK_EQ(rig.slow.reads, count);
    for (uint32_t i = 0; i < count; i++) {
        test_context("read %u of the disc", i);
        CHECK_EQ_U(rig.slow.log[i].offset, offsets[i]);
    }
}

#endif
