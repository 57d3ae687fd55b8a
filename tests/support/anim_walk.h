/* anim_walk.h - opens a file of an animation clip or a skeleton and decodes all
 * of it, as a careful reader does.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ANIM_WALK_H
#define TESTS_SUPPORT_ANIM_WALK_H

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

/* Decode every segment and sample a pose of each frame. Checks that scalar code
 * and that of this processor agree, also on damaged segments. `file` is read
 * only within `size` bytes. On SPN_OK *hash is that of all windows; it may be
 * NULL. */
spn_status anim_walk_clip(const uint8_t *file, size_t size, uint32_t *hash,
                          spn_fault *fault);
spn_status anim_walk_skeleton(const uint8_t *file, size_t size,
                              spn_fault *fault);

/* Repair all checksums of a file after a change; sizes in it may be wrong. */
void anim_mend_clip(uint8_t *file, size_t size);
void anim_mend_skeleton(uint8_t *file, size_t size);

#endif
