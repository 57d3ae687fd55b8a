/* disc_layout.h - where loose files lie on a simulated disc, as a small text
 * file.
 *
 *   # what a level needs lies together
 *   0           intro.sgc
 *   300000000   level1_*
 *   900000000   level2_*
 *   -           save*
 *
 * One place a line: the byte of the disc, or `-` for files that do not lie on
 * it, then a pattern, as spindle/emulator.h has it, to the end of the line. The
 * first that fits counts. Lines that begin with `#` are comments.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DISC_LAYOUT_H
#define OFFLINE_DRIVES_DISC_LAYOUT_H

#include "common/diag.h"

#include <spindle/emulator.h>
#include <stddef.h>

#define DISC_LAYOUT_BYTES_MAX (64u << 20)

struct disc_layout {
    spn_emulator_place *places; /* on drive 0 */
    uint32_t count;
    char *text; /* what the patterns point to */
};

/* Refusals name the file, its line and column: no offset, one beyond the disc,
 * no pattern, the same pattern twice; a file without a place. */
bool disc_layout_parse(const char *file, const char *text, size_t bytes,
                       const spn_drive_profile *profile,
                       struct disc_layout *out, struct diag *diag);
bool disc_layout_read(const char *path, const spn_drive_profile *profile,
                      struct disc_layout *out, struct diag *diag);
/* Zeroed is legal. */
void disc_layout_finish(struct disc_layout *layout);

#endif
