/* clip_header.h - what the headers of files of clips say, before the runtime
 * opens them. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_CLIP_HEADER_H
#define OFFLINE_PLAYER_CLIP_HEADER_H

#include "player/play_paks.h"

struct clip_header {
    uint64_t skeleton;       /* clip, skeleton: hash of its joints */
    uint32_t clip_count;     /* image */
    uint32_t database_count; /* image */
};

/* Read the header of a source that is no cache, and check the size of the file.
 * Returns false after a refusal. */
bool clip_header_read(const struct play_paks *paks,
                      const struct play_source *source, struct clip_header *out,
                      struct diag *diag);

#endif
