/* anim_memory.h - heap blocks of clips, databases and skeletons.
 *
 * A block of compressed bytes may consist of many extents, so that
 * fragmentation does not keep a clip out; what is in use never moves. The rules
 * by which clips share the heap with geometry are in spindle/anim.h;
 * play/promise.h keeps the account of pages.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_MEMORY_H
#define SPN_ANIM_ANIM_MEMORY_H

#include "base/heap.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

/* Allocate a block, and free idle loads until it fits. SPN_NO_MEMORY_NOW;
 * SPN_ERR_MEMORY: it is larger than clips may ever have. */
spn_status spn__anim_memory_take(struct anim *a, uint32_t bytes,
                                 heap_handle *out);
/* The same, as one extent. */
spn_status spn__anim_memory_take_whole(struct anim *a, uint32_t bytes,
                                       heap_handle *out);
void spn__anim_memory_give(struct anim *a, heap_handle block);

/* Pages of all that clips have, and may have more now. */
uint32_t spn__anim_memory_room(const struct anim *a);

/* Once an update: free idle loads beyond the reserve if geometry, paks or the
 * game need memory, and those beyond the budget. */
void spn__anim_memory_yield(struct anim *a);

#endif
