/* renamed_files.h - a platform table that opens files under other names.
 *
 * An image names its databases relative to its own folder, and the runtime
 * takes only names that a pak could have for single clips. This table maps such
 * a name to the path of the operand: that of a source (play_paks.h), or else
 * the name in the folder of the image. All other calls go to the table below.
 *
 * Threads: as the table below; the names are fixed after init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_RENAMED_FILES_H
#define OFFLINE_PLAYER_RENAMED_FILES_H

#include "player/play_paks.h"

#include <spindle/platform.h>

struct renamed_files {
    spn_platform inner;
    const struct play_paks *paks;
    const char *folder; /* of the image, with its slash; "" if there is none */
};

/* Wrap *table, if a name differs from its path. `files` and `paks` must outlive
 * it. */
void renamed_files_wrap(struct renamed_files *files,
                        const struct play_paks *paks, spn_platform *table);

#endif
