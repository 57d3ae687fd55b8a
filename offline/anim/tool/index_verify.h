/* index_verify.h - check databases and header images completely.
 *
 * Of a database: header and index as the runtime checks them, the checksum of
 * all data, and each clip: its checksums, all of its segments, which are
 * decoded, and what the index says of it. Of an image: header and index; that
 * each database, found in the folder `root`, is the one the image was made with
 * and has the same clips at the same places; and the files of clips that are in
 * no database.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_INDEX_VERIFY_H
#define OFFLINE_ANIM_TOOL_INDEX_VERIFY_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct index_verify_report {
    uint32_t clip_count;
    uint32_t database_count;
    uint64_t bytes; /* of all files that were read */
};

/* The output does not depend on the number of threads. Return false after a
 * refusal. */
bool database_verify(const char *path, uint32_t jobs, struct diag *diag,
                     struct index_verify_report *report);
/* root  the folder to which the paths of the image are relative; NULL: that of
 *       the image */
bool image_verify(const char *path, const char *root, uint32_t jobs,
                  struct diag *diag, struct index_verify_report *report);

#endif
