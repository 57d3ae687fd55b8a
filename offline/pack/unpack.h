/* unpack.h - files out of a pak. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_UNPACK_H
#define OFFLINE_PACK_UNPACK_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdint.h>

struct unpack_options {
    const char *pak;
    const char *folder;       /* that the files go below; made if need be */
    const char *const *names; /* of files, or of folders of them; none: all */
    uint32_t name_count;
};

struct unpack_report {
    uint32_t file_count;
    uint64_t bytes;
    const char **lost; /* names of files with damaged blocks, in the arena */
    uint32_t lost_count;
};

/* Each file appears whole or not at all, below the folder whatever links lie
 * there (host_tree_output). All of them are synced at the end, in one. Of a
 * damaged file the refusal is a warning, and others go on; then the result is a
 * refusal that counts them. False after a refusal; a name that the pak does not
 * have is refused before anything is written. */
bool unpack_run(const struct unpack_options *options, struct arena *arena,
                struct diag *diag, struct unpack_report *report);

#endif
