/* table_win32.h - a Windows table with files of known bytes under it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TABLE_WIN32_H
#define TESTS_SUPPORT_TABLE_WIN32_H

#include "../../platform/win32/platform_win32.h"
#include "../../platform/win32/win32_path.h"

/* Of the largest file. */
#define TABLE_BYTES 100000u

extern spn_platform table;

/* A fresh one; `flags` as spn_platform_win32_init has them. */
void open_table(uint32_t flags);

/* What a file has at an offset. */
uint8_t byte_at(uint64_t offset);

/* Write a file in the folder of temporary files; its path, until the next. */
const char *write_file(const char *name, size_t bytes);

spn_platform_file_info open_file(const char *path);

/* Wait for a completion as the io thread does. */
spn_platform_completion end_of_read(uint64_t event);

/* A whole read. */
spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                 const spn_extent *extents,
                                 uint32_t extent_count);

#endif
