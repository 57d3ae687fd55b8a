/* verify_pak.h - is every byte of a pak what it should be? */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_VERIFY_PAK_H
#define OFFLINE_VERIFY_VERIFY_PAK_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct verify_pak_report {
    uint32_t file_count;
    uint32_t place_count;
    uint32_t block_count; /* of all places */
    uint64_t bytes;       /* of all contents */
    uint32_t compared;    /* files, with those of the folder */
};

/* Every block of every copy is judged and decoded, the rest of every sector
 * must be zero; and, unless `folder` is NULL, every file is compared with that
 * of its name below the folder. False after a refusal. */
bool verify_pak_run(const char *path, const char *folder, struct diag *diag,
                    struct verify_pak_report *report);

#endif
