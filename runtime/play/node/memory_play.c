/* memory_play.c - choose the caches that play from memory. */
/* SPDX-License-Identifier: MIT */
#include "play/node/memory_play.h"

#include "base/minmax.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/node/node.h"

/* What the cursors of a cache were promised. */
static void sum_promises(struct manager *m)
{
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        m->caches[i].promises = (struct cache_promises){0};
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        const struct node *n = &m->nodes[i];
        const struct account *a = &n->cursor.account;
        struct cache_promises *sum;

        if (n->handle == 0 || a->frame_promise == 0)
            continue;
        sum = &n->cache->promises;
        sum->count++;
        sum->frame_pages += a->frame_promise;
        sum->read_pages += a->read_promise;
    }
}

/* Pages of the frames that are not in memory yet. */
static uint64_t missing_pages(const struct cache *c)
{
    const uint32_t count = c->header.frame_count - c->decoded_count;

    /* If nobody plays it, nothing is decoded. */
    return c->cursor_count > 0 ? (uint64_t)count * c->plan.frame_pages : 0;
}

/* Pages that the frames will occupy beyond what its cursors were promised for
 * frames. */
static uint64_t spare_pages(const struct cache *c)
{
    const uint64_t clip = c->decoded_pages + missing_pages(c);

    return clip - min_u64(clip, c->promises.frame_pages);
}

/* What its cursors may read ahead beyond their promises. */
static uint64_t ahead_pages(const struct cache *c)
{
    const uint64_t pages = spn__cache_ahead_pages(c, c->promises.count);

    return pages - min_u64(pages, c->promises.read_pages);
}

/* The order of caches if not all have room: the lowest rank first. */
#define RANKS 8u

#define RANKS_STRONG 2u /* the ranks of marked caches that are played */

static uint8_t rank_of(const struct cache *c)
{
    return (uint8_t)((c->cursor_count > 0 ? 0 : 4u) +
                     (c->header.plays_from_memory ? 0 : 2u) +
                     (c->keeps_frames ? 0 : 1u));
}

static bool wants_memory(const struct manager *m, const struct cache *c)
{
    const uint64_t limit = m->config.tuning->value[TUNING_memory_play_kib];

    return c->state == CACHE_READY &&
           (c->cursor_count > 0 || c->decoded_count > 0) &&
           (c->header.plays_from_memory ||
            spn__cache_clip_bytes(c) <= limit * 1024);
}

/* Pages that are promised to nobody, without a margin for fragmentation. */
static uint64_t find_room(const struct promises *p)
{
    const uint32_t page_count = p->heap->page_count;
    const uint64_t used = (uint64_t)p->promised_pages + p->static_pages +
                          p->reserved_pages + page_count / 33;

    if (used >= page_count || p->promised_pages >= p->limit_pages)
        return 0;
    return min_u64(page_count - used, p->limit_pages - p->promised_pages);
}

static uint64_t all_ahead_pages(const struct manager *m)
{
    uint64_t pages = 0;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (m->caches[i].promises.count > 0)
            pages += ahead_pages(&m->caches[i]);
    return pages;
}

static void keep_frames(struct cache *c, bool keeps)
{
    struct keeper *keeper = &c->manager->promises.keeper;
    uint32_t left = c->decoded_count;

    c->keeps_frames = keeps;
    for (uint32_t i = 0; left > 0; i++) {
        struct frame_slot *slot = frame_slot_at(c, i);

        if (!slot->frame)
            continue;
        spn__kept_set_lasting(keeper, &slot->kept, keeps);
        left--;
    }
    /* Nobody plays it: its frames are of no use then. */
    if (!keeps && c->cursor_count == 0)
        spn__frame_slot_clear(c);
}

static void choose(struct promises *p, struct cache *c, uint64_t *room)
{
    const uint64_t pages = spare_pages(c);
    const bool fits = pages <= *room;

    if (fits != c->keeps_frames)
        keep_frames(c, fits);
    if (!fits)
        return;
    *room -= pages;
    p->spare_pages += (uint32_t)pages;
}

void spn__memory_play_update(struct manager *m)
{
    struct promises *p = &m->promises;
    uint64_t room;
    uint32_t ranks[RANKS] = {0};

    p->spare_pages = 0;
    sum_promises(m);
    room = find_room(p);
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];

        c->memory_rank = RANKS;
        if (!spn__pool_is_used(&m->cache_pool, i))
            continue;
        if (wants_memory(m, c))
            ranks[c->memory_rank = rank_of(c)]++;
        else if (c->keeps_frames && c->state == CACHE_READY)
            keep_frames(c, false);
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        if (rank == RANKS_STRONG)
            room -= min_u64(room, all_ahead_pages(m));
        for (uint32_t i = 0; ranks[rank] > 0; i++)
            if (m->caches[i].memory_rank == rank) {
                choose(p, &m->caches[i], &room);
                ranks[rank]--;
            }
    }
}

bool spn__memory_play_check(const struct manager *m)
{
    uint64_t lasting = 0;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        const struct cache *c = &m->caches[i];
        uint32_t count = 0;
        uint64_t pages = 0;

        if (!spn__pool_is_used(&m->cache_pool, i) || c->state != CACHE_READY)
            continue;
        for (uint32_t k = 0; k < c->header.frame_count; k++) {
            const struct frame_slot *slot = frame_slot_at(c, k);

            if (!slot->frame)
                continue;
            if (slot->kept.is_lasting != c->keeps_frames)
                return false;
            count++;
            pages += slot->kept.pages;
        }
        if (count != c->decoded_count || pages != c->decoded_pages)
            return false;
        lasting += c->keeps_frames ? pages : 0;
    }
    return lasting <= m->promises.keeper.lasting_pages;
}
