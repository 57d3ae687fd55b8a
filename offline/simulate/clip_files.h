/* clip_files.h - the files of a script (clip_script.h) in the paks of a disc.
 *
 * The runtime's tables are sized by the header of the image, which is read here
 * before the runtime starts. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_CLIP_FILES_H
#define OFFLINE_SIMULATE_CLIP_FILES_H

#include "simulate/clip_script.h"
#include "simulate/load.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct clip_files {
    const struct clip_script *script;
    uint32_t clip_count; /* of the image, or of the script */
    uint32_t database_count;
    uint32_t stream_frame_count; /* for spn_config; 0: no caches play */
};

/* Find the image, or the single clips, the skeletons and the caches in the
 * paks. If
 * several paks have a name, the last one is read. Returns false after a
 * refusal: a name that no pak has, a bad header. */
bool clip_files_find(struct clip_files *files, const struct clip_script *script,
                     const struct load_pak *paks, uint32_t pak_count,
                     struct diag *diag);
/* Size the tables of the runtime. config->pak_count is set. */
void clip_files_configure(const struct clip_files *files, spn_config *config);

#endif
