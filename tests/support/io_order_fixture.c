/* io_order_fixture.c - see io_order_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/io_order_fixture.h"

#include "harness.h"

spn_file file_a;

void begin_in_a(uint32_t i, uint64_t offset, uint64_t bytes,
                spn_priority priority)
{
    begin_of(i, file_a, offset, bytes, priority);
}

void open_rig(uint32_t piece_bytes)
{
    rig_open(&rig, &(struct rig_config){.piece_bytes = piece_bytes,
                                        .read_count = READS});
    file_a = rig_file(&rig, "a");
    begin_in_a(READS - 1, 0, 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig.slow.reads = 0;
    rig.slow.command_us = 100;
}

void check_log(const uint64_t *offsets, uint32_t count)
{
    CHECK_EQ(rig.slow.reads, count);
    for (uint32_t i = 0; i < count; i++) {
        test_context("read %u of the disc", i);
        CHECK_EQ_U(rig.slow.log[i].offset, offsets[i]);
    }
}
