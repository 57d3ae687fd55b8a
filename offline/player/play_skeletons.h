/* play_skeletons.h - the skeletons of clips that play.
 *
 * A skeleton is an operand, or is found: all skeleton files (.sas) in the
 * folder of a clip, in the file system or in a pak, that have the hash which
 * the clip demands. The folder of a clip of an image is the one that its name
 * has, relative to the folder of the image, and that folder itself.
 *
 * Main thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_SKELETONS_H
#define OFFLINE_PLAYER_PLAY_SKELETONS_H

#include "player/play_paks.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* Skeletons that can be found, at most; further ones are passed over. */
#define PLAY_SKELETONS_FOUND 64u

struct play_skeleton {
    const char *label; /* the operand, or where it was found */
    const char *name;  /* under which the runtime opens it */
    spn_anim_skeleton id;
    spn_anim_skeleton_info info; /* set by play_skeletons_opened */
    bool is_bad; /* it was found, but is damaged: warned of, not used */
};

struct play_skeletons {
    const struct play_paks *paks;
    struct arena *arena;
    struct diag *diag;
    spn_runtime *rt;
    struct play_skeleton *items;
    uint32_t count;
    uint32_t operand_count; /* the first ones are operands */
    uint32_t capacity;
    /* Folders that were searched. */
    struct searched_folder *searched;
    uint32_t searched_count;
    uint64_t searched_capacity;
};

/* `operand_count` skeletons are operands. */
void play_skeletons_init(struct play_skeletons *skeletons,
                         const struct play_paks *paks, spn_runtime *rt,
                         uint32_t operand_count, struct arena *arena,
                         struct diag *diag);

/* Begin to open an operand. Returns false after a refusal. */
bool play_skeletons_add(struct play_skeletons *skeletons,
                        const struct play_source *source);

/* Look for the skeleton with a hash, and begin to open what is found.
 *
 * source  the clip or the image
 * clip    name of the clip in the image; NULL without an image
 *
 * Returns false after a refusal. */
bool play_skeletons_search(struct play_skeletons *skeletons,
                           const struct play_source *source, const char *clip,
                           uint64_t hash);

/* SPN_PENDING until all are open; an error after a refusal of an operand. */
spn_status play_skeletons_opened(struct play_skeletons *skeletons);

/* The skeleton of a clip: the first one that fits; without one, the first one
 * whose joints fit, but not their rest pose. NULL: there is none. */
const struct play_skeleton *play_skeletons_get(
    const struct play_skeletons *skeletons, spn_anim anim);

#endif
