/* pack_contents.h - which files are the same, and which are elsewhere already.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_CONTENTS_H
#define OFFLINE_PACK_PACK_CONTENTS_H

#include "common/workers.h"
#include "pack/pack_files.h"

struct pack_contents {
    uint32_t *files; /* of each content, the first file by name */
    uint32_t count;
};

/* Give every file its content: files of the same bytes share one. Contents are
 * numbered by the names of their first files. */
bool pack_contents_find(struct pack_files *files, struct workers *workers,
                        struct pack_contents *out);

/* Leave out what another pak has by the same name. A file that has other bytes
 * there stays, with a warning. Adds to the counts. */
bool pack_contents_without(struct pack_files *files, struct workers *workers,
                           const char *pak, uint32_t *count, uint64_t *bytes);

#endif
