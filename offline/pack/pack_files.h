/* pack_files.h - what goes into a pak: names, and where their bytes are.
 *
 * An input is a file, a folder (all below it), or a pak (its entries). A file
 * is named by the last part of its path, what lies in a folder by its path
 * from there on, an entry as it was; a prefix goes before every name.
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
    const char *path;             /* as messages call it */
    const struct pak_reader *pak; /* NULL: an ordinary file */
    uint32_t pak_content;         /* of the pak */
    uint64_t bytes;
    uint32_t content; /* of the pak to be; PAK_NONE: not yet */
    uint8_t *room;    /* for its bytes, or NULL */
    bool is_held;     /* they are there */
};

struct pack_files {
    struct arena *arena;
    struct diag *diag;
    const char *prefix; /* "" or with what separates it */
    bool is_strict;     /* what would be a warning is a refusal */
    bool skips_odd;     /* odd names (pak_names.h) are left out */
    struct pack_file *files;
    uint32_t count;
    uint32_t capacity;
    struct pak_reader **paks;
    uint32_t pak_count;
    uint32_t pak_capacity;
    uint8_t *room; /* of the files; NULL: there is none */
};

/* Gather all inputs, by name. A name that comes twice is refused; odd ones are
 * listed, all of them, and refused or left out; what is neither file nor folder
 * is left out with a warning. `output` may be none of the inputs. */
bool pack_files_gather(struct pack_files *files, const char *const *inputs,
                       uint32_t count, const char *output);
void pack_files_free(struct pack_files *files);

/* Index of a name, or PAK_NONE. */
uint32_t pack_files_find(const struct pack_files *files, const char *name);

/* Forget the files for which `leaves` says so. */
void pack_files_leave_out(struct pack_files *files,
                          bool (*leaves)(void *user, uint32_t file),
                          void *user);

/* Keep the bytes of a file that has room for them: it is not opened again. All
 * small files have, the first ones by name, up to PACK_HELD_BYTES_MAX. False
 * after a refusal. One thread at a time for a file. */
#define PACK_HELD_BYTES_MAX (UINT64_C(256) << 20)
bool pack_file_hold(struct pack_file *file, struct diag *diag);

/* `bytes` of a file from `offset`, a multiple of PAK_BLOCK_BYTES, on, to the
 * end of a block or of the file. Any thread, with a decoder of its own. */
bool pack_file_read(const struct pack_file *file, struct pak_decoder *decoder,
                    uint64_t offset, uint8_t *target, size_t bytes,
                    struct diag *diag);

/* A warning, or with --strict a refusal: then false. */
__attribute__((format(printf, 4, 5))) bool pack_files_warn(
    const struct pack_files *files, const char *file, const char *place,
    const char *format, ...);

#endif
