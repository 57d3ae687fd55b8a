/* disc_layout.h - read a text file that says where files lie on a disc.
 *
 * Output: a table of places for the drive emulator (spindle/emulator.h).
 *
 *   # the files of a level lie together
 *   0           intro.sgc
 *   300000000   level1_*
 *   900000000   level2_*
 *   -           save*
 *
 * Each line has a position on the disc in bytes, or `-` for files that are not
 * on the disc, and a file name pattern as in spindle/emulator.h, which extends
 * to the end of the line. The first line whose pattern matches a file counts.
 * Lines that begin with `#` are comments.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DISC_LAYOUT_H
#define OFFLINE_DRIVES_DISC_LAYOUT_H

#include "common/diag.h"

#include <spindle/emulator.h>
#include <stddef.h>

#define DISC_LAYOUT_BYTES_MAX (64u << 20)

struct disc_layout {
    spn_emulator_place *places; /* all on drive 0; malloc'd */
    uint32_t count;
    char *text; /* the patterns point into it; malloc'd */
};

/* Parse `bytes` of `text`; `file` is for messages. Returns false after a
 * refusal with file, line and column: no position, a position beyond the disc,
 * no pattern, the same pattern twice, no line with a place. */
bool disc_layout_parse(const char *file, const char *text, size_t bytes,
                       const spn_drive_profile *profile,
                       struct disc_layout *out, struct diag *diag);
/* Read the file and parse it. */
bool disc_layout_read(const char *path, const spn_drive_profile *profile,
                      struct disc_layout *out, struct diag *diag);
/* Free the table; a zeroed one is legal. */
void disc_layout_finish(struct disc_layout *layout);

#endif
