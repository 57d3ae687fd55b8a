/* anim_debug.c - owners of extents, and totals. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_debug.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM && SPN_WITH_OBSERVERS

#include "anim/anim_system.h"
#include "base/heap_view.h"
#include "debug/debug_heap.h"

static void own(const struct range_load *load, spn_debug_extent *extents,
                uint32_t count)
{
    const struct heap *heap = load->anim->config.heap;
    struct heap_walk walk;
    const uint8_t *data;
    uint32_t bytes;

    spn__heap_walk_begin(heap, load->block, &walk);
    while ((data = spn__heap_walk_next(&walk, &bytes)) != NULL) {
        spn_debug_extent *e = spn__debug_extent_at(
            extents, count,
            (uint32_t)((data - heap->arena) >> heap->page_shift));

        e->anim = load->is_database ? 0 : anim_of_clip(load->owner);
        e->database = load->is_database ? load->owner + 1 : 0;
        for (uint32_t i = 0; i < load->part_count; i++)
            e->is_busy |=
                load->parts[i].state == PART_READING || load->parts[i].has_job;
    }
}

void spn__anim_debug_extents(const struct anim *a, spn_debug_extent *extents,
                             uint32_t count)
{
    for (uint32_t i = 0; a && i < a->config.loaded_count; i++)
        if (a->loads[i].block != 0)
            own(&a->loads[i], extents, count);
}

void spn__anim_debug(const struct anim *a, spn_debug_anim *out)
{
    const struct promises *p;
    spn_anim_stats stats;

    if (!a)
        return;
    p = &a->config.manager->promises;
    spn__anim_get_stats(a, &stats);
    *out = (spn_debug_anim){
        .pages = p->clip_pages,
        .idle_pages = (uint32_t)(stats.idle_bytes >> p->heap->page_shift),
        .reserve_pages = p->clip_reserve_pages,
        .clip_count = stats.clip_count,
        .loaded = stats.loaded,
        .loading = stats.loading,
        .plays = stats.plays,
        .play_updates = stats.play_updates,
        .glitches = stats.glitches};
    if (a->image.block != 0)
        out->image_pages = spn__promise_pages(
            p, spn__heap_bytes(a->config.heap, a->image.block));
}

#endif
