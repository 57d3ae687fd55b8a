/* pack_files.h - the files that go into a pak: their names and their bytes.
 *
 * An input is a file, a folder with everything below it, or a pak with its
 * entries. A file is named by the last part of its path, a file in a folder by
 * its path relative to the folder; an entry keeps its name. A prefix goes
 * before every name.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_FILES_H
#define OFFLINE_PACK_PACK_FILES_H

#include "common/arena.h"
#include "pack/pak_reader.h"

#include <stdbool.h>
#include <stdint.h>

struct pack_file {
    const char *name;
    const char *path;             /* for messages */
    const struct pak_reader *pak; /* NULL: an ordinary file */
    uint32_t pak_content;         /* index of the content in `pak` */
    uint64_t bytes;
    uint32_t content; /* index in pack_contents; PAK_NONE: not yet set */
    uint8_t *memory;  /* room for its bytes; NULL: none */
    bool is_loaded;   /* the bytes are in `memory` */
};

struct pack_files {
    struct arena *arena;
    struct diag *diag;
    const char *prefix; /* "", or ends with its separator */
    bool is_strict;     /* refuse where a warning would be printed */
    bool skips_flawed;  /* leave out names with a flaw (pak_names.h) */
    bool can_skip;      /* the verb has --skip-odd, for a hint */
    /* Lists only files of folders and paks with such a name, as it is before
     * the prefix; NULL: all. */
    bool (*wants)(const char *name);
    struct pack_file *files;
    uint32_t count;
    uint64_t capacity;
    struct pak_reader **paks;
    uint32_t pak_count;
    uint64_t pak_capacity;
    uint8_t *memory; /* the memory of all files; NULL: none */
};

/* List the files of all inputs, sorted by name. A repeated name is refused.
 * Names with a flaw are listed and refused, or left out. Devices, pipes and
 * links to folders are left out with a warning. `output` must not
 * be an input. Returns false after a refusal. */
bool pack_files_list(struct pack_files *files, const char *const *inputs,
                     uint32_t count, const char *output);
void pack_files_free(struct pack_files *files);

/* Remove the files for which `leaves` returns true. */
void pack_files_leave_out(struct pack_files *files,
                          bool (*leaves)(void *user, uint32_t file),
                          void *user);

/* Read the bytes of a file into its `memory`, so that it is not opened again.
 * Only small files have memory: the first ones by name, PACK_LOADED_BYTES_MAX
 * in all. For other files the call does nothing. Returns false after a refusal.
 * One thread at a time per file. */
#define PACK_LOADED_BYTES_MAX (UINT64_C(256) << 20)
bool pack_file_load(struct pack_file *file, struct diag *diag);

/* Read `bytes` of a file from `offset`, a multiple of PAK_BLOCK_BYTES. The
 * range ends at the end of a block or of the file. Any thread, with a decoder
 * of its own. Returns false after a refusal. */
bool pack_file_read(const struct pack_file *file, struct pak_decoder *decoder,
                    uint64_t offset, uint8_t *target, size_t bytes,
                    struct diag *diag);

/* Print a warning and return true; if is_strict, refuse and return false. */
__attribute__((format(printf, 4, 5))) bool pack_files_warn(
    const struct pack_files *files, const char *file, const char *place,
    const char *format, ...);

#endif
