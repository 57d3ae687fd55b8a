/* tiny_pak.h - small paks in memory, made without the tool's writer, and a
 * walk through the runtime's door that looks at every byte.
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
    uint32_t codec;      /* asked for: what does not shrink is stored */
    uint32_t copy_count; /* 0: one */
    const char *alias;   /* of the file of this name, which comes before */
};

struct tiny_pak {
    uint8_t *bytes; /* malloc'd */
    size_t size;
};

/* First copies lie in the order of the files, then second ones, and so on. */
void tiny_pak_make(struct tiny_pak *pak, const struct tiny_pak_file *files,
                   uint32_t count);
/* The same, laid out as `places` says, by index in `files`: what is there more
 * than once has copies, whatever its copy_count; all but aliases and what is
 * empty must be there. */
void tiny_pak_lay_out(struct tiny_pak *pak, const struct tiny_pak_file *files,
                      uint32_t count, const uint32_t *places,
                      uint32_t place_count);
void tiny_pak_free(struct tiny_pak *pak);

/* Make the checksums of header and index right again, wherever the header says
 * that the index is; of a header that says nonsense, its own alone. */
void tiny_pak_mend(uint8_t *bytes, size_t size);

/* Where the tables of a pak lie, in bytes from its start. */
struct tiny_pak_tables {
    size_t entries;
    size_t contents;
    size_t copies;
    size_t places;
    size_t blocks;
    size_t names;
    size_t end; /* of the names */
};

/* By the counts of a header that may say anything; false: not all of it is
 * there. */
bool tiny_pak_find(const uint8_t *bytes, size_t size,
                   struct tiny_pak_tables *tables);

/* Header, index, and every block of every copy: validated and unpacked, each
 * from memory of exactly its size. Of what is accepted the promises of
 * pak_index.h are checked: a broken one fails the claim. */
spn_status tiny_pak_walk(const uint8_t *bytes, size_t size,
                         struct spn_fault *fault);

/* The bytes that the pak has for a name; false: not there. Good paks only. */
bool tiny_pak_has(const struct tiny_pak *pak, const char *name,
                  const void *data, size_t bytes);

#endif
