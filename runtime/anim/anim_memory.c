/* anim_memory.c - blocks of clips, within the reserve, the budget and what
 * geometry leaves. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_memory.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_loads.h"
#include "anim/anim_system.h"
#include "base/assert.h"
#include "base/heap_view.h"
#include "base/minmax.h"

static struct promises *promises_of(const struct anim *a)
{
    return &a->config.manager->promises;
}

static uint32_t budget_pages(const struct anim *a)
{
    const struct heap *heap = a->config.heap;
    const uint64_t pages =
        (uint64_t)a->config.tuning->value[TUNING_anim_memory_kib] * 1024 >>
        heap->page_shift;

    return pages < heap->page_count ? (uint32_t)pages : heap->page_count;
}

/* Extents of a block are limited in number, so large blocks need large ones. */
static uint32_t unit_of(uint32_t bytes)
{
    return bytes / HEAP_EXTENTS_MAX + 1;
}

static void count_memory(struct anim *a)
{
    const uint64_t bytes = (uint64_t)promises_of(a)->clip_pages
                           << a->config.heap->page_shift;

    a->stats.loaded_bytes = bytes;
    a->stats.loaded_bytes_peak = max_u64(a->stats.loaded_bytes_peak, bytes);
}

static spn_status take(struct anim *a, uint32_t bytes, uint32_t unit_bytes,
                       heap_handle *out)
{
    struct promises *p = promises_of(a);
    const uint32_t pages = spn__promise_pages(p, bytes);
    const uint32_t budget = budget_pages(a);
    spn_status status = SPN_NO_MEMORY_NOW;

    if (pages > budget)
        return SPN_ERR_MEMORY;
    for (;;) {
        if (p->clip_pages <= budget && pages <= budget - p->clip_pages)
            status = spn__promise_take_clip(p, bytes, unit_bytes, out);
        if (status != SPN_NO_MEMORY_NOW || !spn__anim_evict(a))
            break;
        a->stats.unloads_early++;
    }
    if (status == SPN_NO_MEMORY_NOW && a->waits_us != a->now_us) {
        a->stats.waits_memory++;
        a->waits_us = a->now_us;
    }
    count_memory(a);
    return status;
}

spn_status spn__anim_memory_take(struct anim *a, uint32_t bytes,
                                 heap_handle *out)
{
    return take(a, bytes, unit_of(bytes), out);
}

spn_status spn__anim_memory_take_whole(struct anim *a, uint32_t bytes,
                                       heap_handle *out)
{
    return take(a, bytes, bytes, out);
}

void spn__anim_memory_give(struct anim *a, heap_handle block)
{
    spn__promise_return_clip(promises_of(a), block);
    count_memory(a);
}

uint32_t spn__anim_memory_room(const struct anim *a)
{
    const struct promises *p = promises_of(a);
    const uint32_t used = max_u32(p->clip_pages, p->clip_reserve_pages);
    const uint32_t free =
        p->heap->page_count - p->static_pages - p->promised_pages;
    const uint32_t margin = min_u32(free, spn__promise_margin(p));

    return min_u32(budget_pages(a), used + free - margin);
}

void spn__anim_memory_yield(struct anim *a)
{
    struct promises *p = promises_of(a);
    const bool is_short =
        a->config.manager->is_short || p->refusals != a->refusals;
    const uint32_t budget = budget_pages(a);

    a->refusals = p->refusals;
    while (p->clip_pages > budget ||
           (is_short && p->clip_pages > p->clip_reserve_pages)) {
        if (!spn__anim_evict(a))
            break;
        a->stats.unloads_early++;
    }
}

#endif
