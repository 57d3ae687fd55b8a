/* io_fixture.h - for tests of the io engine: a rig, and numbered reads, each
 * with its own buffer. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_IO_FIXTURE_H
#define TESTS_SUPPORT_IO_FIXTURE_H

#include "support/io_rig.h"

#define READS 32u

extern struct rig rig;
extern struct rig_read reads[READS];
extern uint8_t buffers[READS][RIG_FILE_BYTES / 8];

/* Start read i into buffers[i]. */
void begin_of(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes,
              spn_priority priority);

void begin_normal(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes);

#endif
