/* platform_table.h - the table of this system, with files of known bytes under
 * it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PLATFORM_TABLE_H
#define TESTS_SUPPORT_PLATFORM_TABLE_H

#include <spindle/platform.h>

#include <stddef.h>

/* Of the largest file. */
#define TABLE_BYTES 100000u

extern spn_platform table;

/* -- platform_table.c -- */

/* What a file has at an offset. */
uint8_t byte_at(uint64_t offset);

/* Open what is there. */
spn_platform_file_info open_file(const char *path);

/* Submit a read with the tag TABLE_TAG. */
void submit_read(spn_platform_file file, uint64_t offset,
                 const spn_extent *extents, uint32_t extent_count);
#define TABLE_TAG 4711u

/* -- each system's own -- */

/* A fresh one; `flags` are 0, or what its init takes. */
void open_table(uint32_t flags);

/* Write a file in the folder of temporary files; its path, until the next. */
const char *write_file(const char *name, size_t bytes);

/* How urgent the calling thread is to the system, in its own units, larger for
 * more urgent ones. */
int priority_now(void);

/* A whole read. */
spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                 const spn_extent *extents,
                                 uint32_t extent_count);

#endif
