/* reclaim.c - free one kept entry. */
/* SPDX-License-Identifier: MIT */
#include "play/node/reclaim.h"

#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/promise.h"

bool spn__reclaim(struct promises *p, bool is_needed)
{
    struct kept *k = spn__keeper_victim(&p->keeper, is_needed);

    if (!k)
        return false;
    /* `kept` is the first member of both. */
    if (k->kind == KEPT_FRAME) {
        spn__frame_slot_free(((struct frame_slot *)k)->frame);
        p->evicted_frames++;
    } else {
        spn__group_read_free((struct group_read *)k);
        p->evicted_reads++;
    }
    return true;
}
