/* unpack.h - write the entries of a pak as files: the verb `unpack`. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_UNPACK_H
#define OFFLINE_PACK_UNPACK_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdint.h>

struct unpack_options {
    const char *pak;
    const char *folder;       /* target; created if it does not exist */
    const char *const *names; /* entries, or folders of entries */
    uint32_t name_count;      /* 0: all entries */
};

struct unpack_report {
    uint32_t file_count;
    uint64_t bytes;
    const char **lost; /* names of files with damaged blocks, in the arena */
    uint32_t lost_count;
};

/* Write the files. A file appears whole or not at all, and always below the
 * folder: links there are not followed (host_tree_output). All files are synced
 * together at the end. A damaged file is a warning, and the others are written;
 * the result is then a refusal with their number. A name that the pak does not
 * have is refused before anything is written. Returns false after a refusal. */
bool unpack_run(const struct unpack_options *options, struct arena *arena,
                struct diag *diag, struct unpack_report *report);

#endif
