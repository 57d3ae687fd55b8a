/* anim_counts.h - the references to each clip, counted by any thread.
 *
 * A count changes by one atomic operation. When it becomes 1 or 0, the clip is
 * pushed on a list of changed clips, unless it is on the list already. The
 * caller's thread takes the whole list at each update. So it never searches all
 * clips, and a clip that changes often is on the list once.
 *
 *   word of a clip  count, saturating | COUNT_IS_LISTED
 *   list            from `head` by `next`: number of a clip + 1; 0: the end.
 *                   Only pushes and a removal of all, so that no element can be
 *                   removed and pushed again behind the back of a push
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_COUNTS_H
#define SPN_ANIM_ANIM_COUNTS_H

#include "base/atomic.h"
#include "base/carve.h"

#include <spindle/anim_refs.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define COUNT_IS_LISTED 0x80000000u

struct anim_counts {
    uint32_t capacity; /* fixed after init */
    /* any thread */
    struct atomic_u32 *words;
    struct atomic_u32 *next; /* written by the thread that pushes the clip */
    struct atomic_u32 head;
};

void spn__anim_counts_init(struct anim_counts *counts, struct carve *carve,
                           uint32_t capacity);

/* Any thread; clip < capacity. */
void spn__anim_counts_add(struct anim_counts *counts, uint32_t clip);
/* False: there is no reference. A count at its maximum stays there. */
bool spn__anim_counts_remove(struct anim_counts *counts, uint32_t clip);
uint32_t spn__anim_counts_get(const struct anim_counts *counts, uint32_t clip);
/* Put a clip on the list without a change. */
void spn__anim_counts_push(struct anim_counts *counts, uint32_t clip);

/* Caller's thread: take the list, in the order of the changes. Returns the
 * first clip; COUNT_IS_LISTED: it is empty. The list is walked by
 * spn__anim_counts_next, which also makes the clip before ready to be pushed
 * again. */
uint32_t spn__anim_counts_take(struct anim_counts *counts);
uint32_t spn__anim_counts_next(struct anim_counts *counts, uint32_t clip);

/* Caller's thread: look at the clips on the list, which stays as it is; or at
 * those of a list that was taken and not walked yet. COUNT_IS_LISTED: none. */
uint32_t spn__anim_counts_first(const struct anim_counts *counts);
uint32_t spn__anim_counts_after(const struct anim_counts *counts,
                                uint32_t clip);

#endif
