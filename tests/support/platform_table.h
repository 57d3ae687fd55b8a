/* platform_table.h - the platform table of this system, with files of known
 * bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PLATFORM_TABLE_H
#define TESTS_SUPPORT_PLATFORM_TABLE_H

#include <spindle/platform.h>

#include <stddef.h>

/* Size of the largest file. */
#define TABLE_BYTES 100000u

extern spn_platform table;

/* -- platform_table.c -- */

/* The byte at an offset of every file. */
uint8_t byte_at(uint64_t offset);

/* Open an existing file. */
spn_platform_file_info open_file(const char *path);

/* Submit a read with the tag TABLE_TAG. */
void submit_read(spn_platform_file file, uint64_t offset,
                 const spn_extent *extents, uint32_t extent_count);
#define TABLE_TAG 4711u

/* -- functions of each system -- */

/* Open a new table. `flags` is 0, or flags of the table's init function. */
void open_table(uint32_t flags);

/* Write a file in the temporary folder. Returns its path, valid until the next
 * call. */
const char *write_file(const char *name, size_t bytes);

/* The priority of the calling thread in the system's own units; larger is more
 * urgent. */
int priority_now(void);

/* Read and wait for the completion. */
spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                 const spn_extent *extents,
                                 uint32_t extent_count);

#endif
