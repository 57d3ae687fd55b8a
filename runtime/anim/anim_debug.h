/* anim_debug.h - what clips and databases have in memory, for a snapshot
 * (spindle/debug.h). Caller's thread; reads only. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_DEBUG_H
#define SPN_ANIM_ANIM_DEBUG_H

#include <spindle/debug.h>
#include <stdint.h>

struct anim;

/* Fill in the clips, databases and skeletons of extents that are filled in
 * otherwise. NULL for `a`: no effect, as below. */
void spn__anim_debug_extents(const struct anim *a, spn_debug_extent *extents,
                             uint32_t count);
/* Fill in the totals. */
void spn__anim_debug(const struct anim *a, spn_debug_anim *out);

#endif
