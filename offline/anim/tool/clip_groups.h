/* clip_groups.h - which clips a database has, and how databases are named.
 *
 *   by folder    the clips of a folder, without those of folders in it, are a
 *                database: "hero/walk.sac" is in "hero.sad"; clips without a
 *                folder are in CLIP_GROUPS_DATABASE
 *   by skeleton  all clips of a skeleton with the same rest pose are a
 *                database, which has the name of the skeleton's file: those of
 *                "hero/hero.sas" are in "hero/hero.sad". A skeleton without a
 *                file is named after the hashes of its joints and of its rest
 *                pose: "skeleton-0123456789abcdef-01234567.sad"
 *
 * Clips that are in no group have files of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_GROUPS_H
#define OFFLINE_ANIM_TOOL_CLIP_GROUPS_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

#define DATABASE_FILE_END ".sad"
#define CLIP_GROUPS_DATABASE "animations" DATABASE_FILE_END
#define CLIP_GROUP_NONE UINT32_MAX

struct grouped_clip {
    const char *name;
    uint64_t skeleton; /* its hash */
    uint32_t rest_pose_hash;
    uint32_t group; /* index, or CLIP_GROUP_NONE */
    uint32_t place; /* in the group: lower ones first, then by name */
};

struct clip_group {
    const char *path; /* of the database */
    uint32_t clip_count;
};

struct clip_groups {
    struct arena *arena;
    struct diag *diag;
    struct grouped_clip *clips;
    uint32_t clip_count;
    struct clip_group *groups; /* in the order in which they were added */
    uint32_t group_count;
    uint64_t capacity;
};

/* Begin with all clips in no group. The arena owns all memory. */
void clip_groups_init(struct clip_groups *groups, struct arena *arena,
                      struct diag *diag, uint32_t clip_count);

/* Put a clip that is in no group into the group with this path, which is added
 * if it does not exist. */
void clip_groups_put(struct clip_groups *groups, uint32_t clip,
                     const char *path);

/* Put all clips that are in no group into groups. Skeleton files are found in
 * the inputs: in folders and below them, and beside files; their names begin
 * with `prefix`. False after a refusal. */
void clip_groups_by_folder(struct clip_groups *groups);
bool clip_groups_by_skeleton(struct clip_groups *groups,
                             const char *const *inputs, uint32_t input_count,
                             const char *prefix);

#endif
