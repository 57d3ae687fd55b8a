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

#include "common/arena.h"
#include "common/diag.h"
#include "emulator/emulator_places.h"

#include <spindle/emulator.h>
#include <stddef.h>

#define DISC_LAYOUT_BYTES_MAX (64u << 20)

/* The tables come from an arena. */
struct disc_layout {
    spn_emulator_place *places; /* all on drive 0 */
    uint32_t count;
    char *text; /* the patterns point into it */
};

/* Parse `bytes` of `text`; `file` is for messages. Returns false after a
 * refusal with file, line and column: no position, a position beyond the disc,
 * no pattern, the same pattern twice, no line with a place. */
bool disc_layout_parse(const char *file, const char *text, size_t bytes,
                       const spn_drive_profile *profile, struct arena *arena,
                       struct disc_layout *out, struct diag *diag);
/* Read the file and parse it. */
bool disc_layout_read(const char *path, const spn_drive_profile *profile,
                      struct arena *arena, struct disc_layout *out,
                      struct diag *diag);

/* Set up the emulator's places of at most `file_count` files by the places of
 * the config. */
void disc_layout_places(struct emulator_places *places,
                        const spn_emulator_config *config, uint32_t file_count,
                        struct arena *arena);

#endif
