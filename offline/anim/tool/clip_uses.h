/* clip_uses.h - the order in which a game uses clips, by traces of its reads
 * (pack/read_trace.h).
 *
 * A read uses a clip if its path matches the name of the clip
 * (common/path_match.h), or if it reads bytes of the clip from a database. For
 * the latter the databases must be known that the game had when it was
 * recorded. Scene follows scene, trace follows trace; in a scene, the first
 * read of a clip counts. Reads of other files are ignored.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_USES_H
#define OFFLINE_ANIM_TOOL_CLIP_USES_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIP_UNUSED UINT32_MAX

struct clip_uses_options {
    const char *const *names; /* of the clips; distinct */
    uint32_t clip_count;
    const char *const *traces; /* paths */
    uint32_t trace_count;
    const char *const *recorded; /* paths of databases of the recorded game */
    uint32_t recorded_count;
};

/* Set use[i] to the number of the first use of clip i, from 0, or to
 * CLIP_UNUSED; *used_count is the number of clips that are used. Warns if no
 * clip is used, and of reads of unknown databases. Returns false after a
 * refusal. */
bool clip_uses_find(const struct clip_uses_options *options, struct diag *diag,
                    uint32_t *use, uint32_t *used_count);

#endif
