/* clip_bytes.c - looks into the loads of the runtime. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_bytes.h"

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "base/heap_view.h"
#include "runtime.h"

spn_status clip_bytes(const spn_runtime *rt, spn_anim anim, uint32_t offset,
                      uint32_t bytes, void *bounce, const void **out)
{
    const struct anim *a = rt->anim;
    const uint32_t all = spn__clip_index_clip(&a->image.index, anim - 1).bytes;
    const struct range_load *load;
    uint32_t start;

    if (bytes == 0 || offset > all || bytes > all - offset)
        return SPN_ERR_RANGE;
    if (offset + bytes > spn__clip_ready_bytes(a, anim - 1))
        return SPN_PENDING;
    load = spn__clip_load(a, anim - 1, &start);
    *out = spn__heap_view(a->config.heap, load->block, start + offset, bytes,
                          bounce);
    return SPN_OK;
}
