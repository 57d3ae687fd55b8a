/* io_order_fixture.h - for tests of the order of reads: an engine with one open
 * file, and the log of its disc. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_IO_ORDER_FIXTURE_H
#define TESTS_SUPPORT_IO_ORDER_FIXTURE_H

#include "support/io_fixture.h"

extern spn_file file_a;

/* Start read i of the open file. */
void begin_in_a(uint32_t i, uint64_t offset, uint64_t bytes,
                spn_priority priority);

/* Start an engine with an open file. Every command of the disc takes 100 us.
 * The log is empty, and the head is at byte 0. */
void open_rig(uint32_t piece_bytes);

/* Check that the disc has served reads at these offsets, in this order. */
void check_log(const uint64_t *offsets, uint32_t count);

#endif
