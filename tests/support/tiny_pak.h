/* tiny_pak.h - small paks in memory, written without the tool's writer, and a
 * walk that validates and decodes every byte with the runtime's functions.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TINY_PAK_H
#define TESTS_TINY_PAK_H

#include "pak/pak_index.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TINY_PAK_FILES_MAX 768u

struct tiny_pak_file {
    const char *name;
    const void *data;
    size_t bytes;
    uint32_t codec;      /* requested codec; blocks that do not shrink are
                          * stored raw */
    uint32_t copy_count; /* 0 means 1 */
    const char *alias;   /* name of an earlier file with the same content */
};

struct tiny_pak {
    uint8_t *bytes; /* from malloc */
    size_t size;
};

/* The first copies lie in the order of the files, then the second copies, and
 * so on. */
void tiny_pak_make(struct tiny_pak *pak, const struct tiny_pak_file *files,
                   uint32_t count);
/* The same, with entries in the order of `layout`, indices of `files`. A file
 * that occurs several times has as many copies, whatever its copy_count. All
 * files except aliases and empty ones must occur. */
void tiny_pak_lay_out(struct tiny_pak *pak, const struct tiny_pak_file *files,
                      uint32_t count, const uint32_t *layout,
                      uint32_t layout_count);
void tiny_pak_free(struct tiny_pak *pak);

/* Recompute the checksums of the header and of the index, wherever the header
 * puts the index. When the header is invalid, only its own checksum. */
void tiny_pak_correct_checksums(uint8_t *bytes, size_t size);

/* Offsets of the tables of a pak. */
struct tiny_pak_tables {
    size_t entries;
    size_t contents;
    size_t copies;
    size_t offset_order;
    size_t blocks;
    size_t names;
    size_t end; /* end of the names */
};

/* Find the tables by the counts of a header with any values. False when they do
 * not lie within the file. */
bool tiny_pak_find(const uint8_t *bytes, size_t size,
                   struct tiny_pak_tables *tables);

/* Validate header and index, and decompress every block of every copy, each
 * from memory of exactly its size. Fails the claim when accepted values break a
 * guarantee of pak_index.h. */
spn_status tiny_pak_walk(const uint8_t *bytes, size_t size,
                         struct spn_fault *fault);

/* The content of the entry `name`; false when there is none. For good paks
 * only. */
bool tiny_pak_has(const struct tiny_pak *pak, const char *name,
                  const void *data, size_t bytes);

#endif
