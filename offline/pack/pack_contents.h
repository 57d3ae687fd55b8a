/* pack_contents.h - find files with equal bytes, and files that another pak
 * has.
 *
 * A content is the bytes that one or more files share. A pak stores each
 * content once.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_CONTENTS_H
#define OFFLINE_PACK_PACK_CONTENTS_H

#include "common/workers.h"
#include "pack/pack_files.h"

struct pack_contents {
    uint32_t *files; /* for each content the file with the first name */
    uint32_t count;
};

/* Set pack_file.content of every file. Contents are numbered in the order of
 * the names of their first files. Returns false after a refusal. */
bool pack_contents_find(struct pack_files *files, struct workers *workers,
                        struct pack_contents *out);

/* Leave out the files that the pak has under the same name with the same bytes.
 * A file with other bytes stays, with a warning. Adds the files left out to
 * *count and *bytes. Returns false after a refusal. */
bool pack_contents_without(struct pack_files *files, struct workers *workers,
                           const char *pak, uint32_t *count, uint64_t *bytes);

#endif
