/* io_fixture.h - what the tests of the io engine share: a rig, and reads by
 * number, each with a buffer of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_IO_FIXTURE_H
#define TESTS_SUPPORT_IO_FIXTURE_H

#include "support/io_rig.h"

#define READS 32u

static struct rig rig;
static struct rig_read reads[READS];
static uint8_t buffers[READS][RIG_FILE_BYTES / 8];

static inline void begin_of(uint32_t i, spn_file file, uint64_t offset,
                            uint64_t bytes, spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, bytes, buffers[i]);

    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

static inline void begin_normal(uint32_t i, spn_file file, uint64_t offset,
                                uint64_t bytes)
{
    begin_of(i, file, offset, bytes, SPN_PRIORITY_NORMAL);
}

#endif
