/* pack_skeletons.h - the skeletons that anim_pack.h copies: those of its inputs
 * that clips refer to, by hash and rest pose.
 *
 * They have names as clips have, so that a skeleton lies in the folder of its
 * clips' names, where players look for it. If two different ones would have the
 * same name, the later one has its hashes in its name: arm-HASH-REST.sas. One
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_PACK_SKELETONS_H
#define OFFLINE_ANIM_TOOL_PACK_SKELETONS_H

#include "anim/tool/clip_groups.h"
#include "pack/pack_files.h"

#include <stdbool.h>
#include <stdint.h>

struct pack_skeleton {
    const char *name; /* in the output's folder */
    uint64_t hash;
    uint32_t rest_pose_hash;
    const uint8_t *data;
    size_t bytes;
};

/* Everything is of the arena. */
struct pack_skeletons {
    struct pack_skeleton *items; /* in the order of the inputs, then by name */
    uint32_t count;
    uint64_t capacity;
};

/* Remove files that are named as skeletons from the list of clips. */
void pack_skeletons_leave(struct pack_files *clips);
/* Read and check the skeletons of the inputs. Damaged ones are left out with a
 * warning. Inputs and output are those of
 * pack_files_list, `clips` is its result. Returns false after a refusal. */
bool pack_skeletons_read(struct pack_skeletons *skeletons,
                         const struct pack_files *clips,
                         const char *const *inputs, uint32_t count,
                         const char *output);
/* Keep only those to which clips refer, each once for a name. */
void pack_skeletons_keep(struct pack_skeletons *skeletons,
                         const struct grouped_clip *clips, uint32_t count,
                         struct arena *arena);

#endif
