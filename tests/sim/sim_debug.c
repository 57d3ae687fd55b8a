/* sim_debug.c - compare a snapshot with what the simulator knows. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_debug.h"

#include "harness.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define MUST(x) SIM_MUST(sim, SIM_STRUCTURE, x)

/* The extent of a page. */
static const spn_debug_extent *extent_of(const spn_debug *d, uint64_t page)
{
    for (uint32_t i = 0; i < d->extent_count; i++)
        if (page - d->extents[i].first_page < d->extents[i].page_count)
            return &d->extents[i];
    return NULL;
}

/* Every page is in one extent, and the sums are those of the statistics. */
static void check_pages(struct sim *sim, const spn_debug *d)
{
    uint32_t pages[SPN_DEBUG_KINDS] = {0};
    spn_heap_stats stats;
    uint64_t page = 0;

    for (uint32_t i = 0; i < d->extent_count; i++) {
        MUST(d->extents[i].first_page == page && d->extents[i].page_count > 0);
        pages[d->extents[i].kind] += d->extents[i].page_count;
        page += d->extents[i].page_count;
    }
    spn_heap_get_stats(sim->rt, &stats);
    MUST(page * d->heap.page_bytes == stats.bytes);
    MUST(memcmp(pages, d->heap.pages, sizeof pages) == 0);
    MUST((uint64_t)pages[SPN_DEBUG_FREE] * d->heap.page_bytes ==
         stats.free_bytes);
    MUST((uint64_t)pages[SPN_DEBUG_DECODED] * d->heap.page_bytes >=
         stats.decoded_bytes);
    MUST((uint64_t)pages[SPN_DEBUG_COMPRESSED] * d->heap.page_bytes >=
         stats.compressed_bytes);
}

/* The pages of the caller's blocks are blocks. */
static void check_blocks(struct sim *sim, const spn_debug *d)
{
    const uint8_t *arena = sim->rt->heap.arena;

    for (uint32_t i = 0; i < SIM_BLOCKS; i++) {
        spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
        uint32_t count = 0;

        if (sim->blocks.blocks[i].block)
            count = spn_block_get_extents(sim->rt, sim->blocks.blocks[i].block,
                                          extents, SPN_BLOCK_EXTENTS_MAX);
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t at = (uint64_t)((uint8_t *)extents[k].data - arena);
            const spn_debug_extent *e = extent_of(d, at / d->heap.page_bytes);

            MUST(e && e->kind == SPN_DEBUG_BLOCK && e->cache == 0);
        }
    }
}

static bool has_frame(const spn_debug *d, spn_cache cache, uint32_t number)
{
    for (uint32_t i = 0; i < d->extent_count; i++)
        if (d->extents[i].kind == SPN_DEBUG_DECODED &&
            d->extents[i].cache == cache && d->extents[i].first == number)
            return true;
    return false;
}

/* What it shows and has decoded is in the heap. */
static void check_node(struct sim *sim, const spn_debug *d,
                       const spn_debug_node *n)
{
    MUST(n->shown.count <= 2);
    if (n->shown.count > 0)
        MUST(has_frame(d, n->cache, n->shown.first) &&
             has_frame(d, n->cache, n->shown.last));
    if (n->decoded.count > 0)
        MUST(has_frame(d, n->cache, n->decoded.first) &&
             has_frame(d, n->cache, n->decoded.last));
    MUST(n->read.count >= n->decoded.count);
    MUST(n->shown.count == 0 || n->shown.first == n->state.shown_frame);
}

/* The nodes are those that the caller has created, and those that it has
 * destroyed and that have not ended. */
static void check_nodes(struct sim *sim, const spn_debug *d)
{
    for (uint32_t i = 0; i < d->node_count; i++)
        check_node(sim, d, &d->nodes[i]);
    for (uint32_t i = 0; i < SIM_NODES; i++) {
        const struct sim_node *own = &sim->scene.nodes[i];
        const spn_debug_node *found = NULL;

        if (own->node == 0)
            continue;
        for (uint32_t k = 0; k < d->node_count; k++)
            if (d->nodes[k].node == own->node && !d->nodes[k].is_second) {
                MUST(!found);
                found = &d->nodes[k];
            }
        MUST(found);
        MUST(strcmp(found->path, sim->disc->clips[own->clip].path) == 0);
        if (own->is_stopped)
            MUST(!found->state.is_streaming);
    }
    MUST(d->totals.nodes <= d->node_count);
}

/* An open cache is there once. */
static void check_caches(struct sim *sim, const spn_debug *d)
{
    for (uint32_t i = 0; i < MADE_CLIPS; i++) {
        uint32_t count = 0;

        for (uint32_t k = 0; k < d->cache_count; k++)
            count += d->caches[k].cache == sim->scene.caches[i];
        if (sim->scene.caches[i])
            MUST(count == 1);
    }
}

/* What the drive reads now, the runtime knows, and where. */
static void check_heads(struct sim *sim, const spn_debug *d)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const struct sim_device *device = &sim->drive.devices[i];

        if (!device->is_reading)
            continue;
        MUST(d->media[i].is_busy);
        if (sim->drive.has_places && !device->is_cut)
            MUST(d->media[i].target == device->head - device->bytes_most);
    }
}

static uint32_t count_pages(const spn_debug *d, spn_anim anim)
{
    uint32_t pages = 0;

    for (uint32_t i = 0; i < d->extent_count; i++)
        if (d->extents[i].anim == anim)
            pages += d->extents[i].page_count;
    return pages;
}

/* Clips and databases that are loaded have the pages of their bytes. */
static void check_clips(struct sim *sim, const spn_debug *d)
{
    const struct sim_anim *a = &sim->anim;
    uint32_t plays = 0;
    uint32_t pages = 0;

    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++)
        plays += a->plays[i].play != 0;
    MUST(d->anim.plays == plays);
    MUST(d->anim.image_pages == sim_anim_image_pages(sim));
    for (uint32_t i = 0; i < d->extent_count; i++) {
        const spn_debug_extent *e = &d->extents[i];

        if (e->anim == 0 && e->database == 0)
            continue;
        MUST(e->kind == SPN_DEBUG_STATIC && e->cache == 0 && e->node == 0);
        MUST(e->anim == 0 || e->database == 0);
        pages += e->page_count;
    }
    MUST(pages <= d->anim.pages && d->anim.idle_pages <= pages);
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++)
        if (a->clips[i].anim != 0 && sim_anim_has_own_bytes(sim, i))
            MUST(count_pages(d, a->clips[i].anim) >=
                 spn__promise_pages(&sim->rt->manager.promises,
                                    sim->disc->anims[i].bytes));
}

void sim_debug_check(struct sim *sim)
{
    const uint64_t bytes = spn_debug_bytes_needed(sim->rt);
    void *memory = malloc((size_t)bytes);
    spn_debug debug;

    MUST(spn_debug_snapshot(sim->rt, memory, bytes, &debug) == SPN_OK);
    check_pages(sim, &debug);
    check_blocks(sim, &debug);
    check_caches(sim, &debug);
    check_nodes(sim, &debug);
    check_heads(sim, &debug);
    if (sim->anim.is_on)
        check_clips(sim, &debug);
    free(memory);
}
