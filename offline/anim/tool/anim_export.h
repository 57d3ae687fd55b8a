/* anim_export.h - write clips as a .glb file (glTF 2.0).
 *
 * The file has the joints of the skeleton as nodes, and an animation for each
 * clip, named after its file. A part of a joint that is animated has a key at
 * each frame; one that is constant and not at rest has one key. Before a cut
 * there is a second key of the frame before, so that nothing is interpolated
 * over it. Where a rotation turns by 180 degrees or a little more between two
 * frames, its key is turned back a little, within the precision of the clip,
 * because readers take the shorter arc. Float tracks
 * become weights of morph targets (weight_meshes.h), with a key at each frame;
 * tracks that follow each other and are all interpolated, or all steps, have a
 * channel.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_ANIM_EXPORT_H
#define OFFLINE_ANIM_TOOL_ANIM_EXPORT_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct anim_export_options {
    const char *const *clips; /* paths; all of one skeleton */
    uint32_t clip_count;      /* >= 1 */
    const char *skeleton;     /* path; NULL: found beside the first clip */
    const char *output;
};

struct anim_export_report {
    uint32_t joint_count;
    uint32_t channel_count; /* of all clips */
    uint64_t key_count;     /* of all channels */
    uint64_t bytes;         /* of arrays in the file */
};

/* Returns false after a refusal; then there is no output. */
bool anim_export(const struct anim_export_options *options, struct diag *diag,
                 struct anim_export_report *report);

#endif
