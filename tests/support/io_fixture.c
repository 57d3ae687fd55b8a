/* io_fixture.c - see io_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/io_fixture.h"

#include "harness.h"

struct rig rig;
struct rig_read reads[READS];
uint8_t buffers[READS][RIG_FILE_BYTES / 8];

void begin_of(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes,
              spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, bytes, buffers[i]);

    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

void begin_normal(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes)
{
    begin_of(i, file, offset, bytes, SPN_PRIORITY_NORMAL);
}
