/* anim_walk.h - opens a file of an animation clip or a skeleton and decodes all
 * of it, as a careful reader does.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ANIM_WALK_H
#define TESTS_SUPPORT_ANIM_WALK_H

#include "anim/clip_index.h"

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

/* Decode every segment and sample a pose of each frame. Checks that scalar code
 * and that of this processor agree, also on damaged segments. `file` is read
 * only within `size` bytes. On SPN_OK *hash is that of all windows; it may be
 * NULL. */
spn_status anim_walk_clip(const uint8_t *file, size_t size, uint32_t *hash,
                          spn_fault *fault);
/* The same with a clip of a database, whose index says `facts`. `range` is read
 * only within facts->bytes bytes. */
spn_status anim_walk_packed(const uint8_t *range,
                            const struct clip_facts *facts, uint32_t *hash,
                            spn_fault *fault);
spn_status anim_walk_skeleton(const uint8_t *file, size_t size,
                              spn_fault *fault);

/* Repair all checksums of a file after a change; sizes in it may be wrong. */
void anim_mend_clip(uint8_t *file, size_t size);
/* Repair the checksum in the header of a clip of a database. */
void anim_mend_packed(uint8_t *range, const struct clip_facts *facts);
void anim_mend_skeleton(uint8_t *file, size_t size);

#endif
