/* platform_table.c - write files of known bytes, and read them. */
/* SPDX-License-Identifier: MIT */
#include "support/platform_table.h"

#include "harness.h"

spn_platform table;

uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(offset * 7 + (offset >> 8));
}

spn_platform_file_info open_file(const char *path)
{
    spn_platform_file_info info = {0};

    CHECK_EQ(table.file_open(table.user, path, &info), SPN_OK);
    return info;
}

void submit_read(spn_platform_file file, uint64_t offset,
                 const spn_extent *extents, uint32_t extent_count)
{
    CHECK_EQ(table.read_submit(table.user, file, offset, extents, extent_count,
                               TABLE_TAG),
             SPN_OK);
}
