/* anim_debug.c - owners of extents, and totals. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_debug.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM && SPN_WITH_OBSERVERS

#include "anim/anim_system.h"
#include "base/heap_view.h"
#include "debug/debug_heap.h"

struct list {
    const struct heap *heap;
    spn_debug_extent *extents;
    uint32_t count;
};

/* Set the owner of the extents of a block (0: none) to that of `owner`. */
static void own(const struct list *list, heap_handle block,
                const spn_debug_extent *owner)
{
    const struct heap *heap = list->heap;
    struct heap_walk walk;
    const uint8_t *data;
    uint32_t bytes;

    if (block == 0)
        return;
    spn__heap_walk_begin(heap, block, &walk);
    while ((data = spn__heap_walk_next(&walk, &bytes)) != NULL) {
        spn_debug_extent *e = spn__debug_extent_at(
            list->extents, list->count,
            (uint32_t)((data - heap->arena) >> heap->page_shift));

        e->anim = owner->anim;
        e->database = owner->database;
        e->skeleton = owner->skeleton;
        e->is_decoded = owner->is_decoded;
        e->is_busy = owner->is_busy;
    }
}

static void own_load(const struct list *list, const struct range_load *load)
{
    spn_debug_extent owner = {
        .anim = load->is_database ? 0 : anim_of_clip(load->owner),
        .database = load->is_database ? load->owner + 1 : 0,
        .is_busy = load->users > 0};

    for (uint32_t i = 0; i < load->part_count; i++)
        owner.is_busy |=
            load->parts[i].state == PART_READING || load->parts[i].has_job;
    own(list, load->block, &owner);
}

/* Windows in the block of a clip have none of their own. */
static void own_playing(const struct list *list, const struct playing_table *t)
{
    for (uint32_t i = 0; i < t->clip_count; i++) {
        const struct playing_clip *p = &t->clips[i];
        spn_debug_extent owner = {.anim = anim_of_clip(p->clip),
                                  .is_decoded = 1,
                                  .is_busy = p->state == PLAYING_OPENING};

        if (p->state == PLAYING_FREE)
            continue;
        own(list, p->block, &owner);
        for (uint32_t k = p->first_window; k != PLAYING_NONE;
             k = t->windows[k].next) {
            owner.is_busy = t->windows[k].state == WINDOW_DECODING;
            own(list, t->windows[k].block, &owner);
        }
    }
}

static void own_skeletons(const struct list *list,
                          const struct skeleton_table *t)
{
    for (uint32_t i = 0; i < t->pool.capacity; i++) {
        const struct skeleton_record *r = &t->records[i];
        spn_debug_extent owner = {.is_busy = r->state == SKELETON_OPENING};

        if (r->state == SKELETON_FREE)
            continue;
        if (!r->is_closing)
            owner.skeleton = spn__pool_handle(&t->pool, i);
        own(list, r->block, &owner);
        own(list, r->file, &owner);
    }
}

void spn__anim_debug_extents(const struct anim *a, spn_debug_extent *extents,
                             uint32_t count)
{
    struct list list;

    if (!a)
        return;
    list = (struct list){a->config.heap, extents, count};
    for (uint32_t i = 0; i < a->config.loaded_count; i++)
        own_load(&list, &a->loads[i]);
    own_playing(&list, &a->playing);
    own_skeletons(&list, &a->skeletons);
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
