/* verify_pak.h - checks every byte of a pak, and compares its files with a
 * folder.
 *
 * cmd_verify.c calls this for files that are paks. Blocks are checked on all
 * threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_VERIFY_PAK_H
#define OFFLINE_VERIFY_VERIFY_PAK_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct verify_pak_report {
    uint32_t file_count;
    uint32_t copy_count;  /* stored copies of files */
    uint32_t block_count; /* of all copies */
    uint64_t bytes;       /* uncompressed, each content once */
    uint32_t compared;    /* files that were compared with the folder's */
};

/* Check and decode every block of every copy. Bytes of sectors outside of
 * blocks must be 0. Unless `folder` is NULL, compare every file with the one of
 * its name in that folder. Returns false after a refusal. */
bool verify_pak_run(const char *path, const char *folder, struct diag *diag,
                    struct verify_pak_report *report);

#endif
