/* anim_operands.h - the files of the operands of `spindle anim`: those that are
 * named, and those of folders.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_ANIM_OPERANDS_H
#define OFFLINE_CLI_ANIM_OPERANDS_H

#include "common/verb_options.h"

#include <stdbool.h>
#include <stdint.h>

struct anim_operands {
    const char *const *paths;
    uint32_t count;
    bool has_folder; /* an operand is one */
};

/* List the operands behind the action. Of a folder, files in it and below it
 * are taken whose names end with one of the words of `ends`, e.g.
 * ".glb .gltf .bvh", without regard to the case of letters, in the order of
 * their names. The memory is the call's. Returns false after a refusal: a
 * missing file, or no file at all. */
bool anim_operands_list(const struct verb_call *call, const char *ends,
                        struct anim_operands *operands);

#endif
