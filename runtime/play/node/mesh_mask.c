/* mesh_mask.c - the wanted tiles of each cache, and frames that lack some. */
/* SPDX-License-Identifier: MIT */
#include "play/node/mesh_mask.h"

#include "base/mem.h"
#include "play/closure.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/node/node_show.h"

/* -- wanted tiles -- */

static bool plays(const struct node *n, const struct cache *c)
{
    return n->handle != 0 && n->cache == c && cursor_is_playing(&n->cursor);
}

/* True if a playing node wants a mesh of the tile, or if nothing can be saved:
 * a tile that never changes. */
static bool is_wanted(const struct manager *m, const struct cache *c,
                      uint32_t tile)
{
    if (c->tables.tiles[tile].animated_mask == 0)
        return true;
    for (uint32_t i = 0; i < m->node_pool.capacity; i++)
        if (plays(&m->nodes[i], c) &&
            spn__cursor_wants_tile(&m->nodes[i].cursor, tile))
            return true;
    return false;
}

/* True if no playing node has a mask, or one has none: all tiles are wanted. */
static bool wants_all(const struct manager *m, const struct cache *c)
{
    bool has_player = false;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        if (!plays(&m->nodes[i], c))
            continue;
        if (m->nodes[i].cursor.mask_words == 0)
            return true;
        has_player = true;
    }
    return !has_player;
}

static bool lacks(const struct cache *c, const struct decoded_frame *f)
{
    for (uint32_t t = 0; f->omits && t < c->header.tile_count; t++)
        if (decoded_frame_omits(f, t) && cache_wants_tile(c, t))
            return true;
    return false;
}

static void mark_frames(struct cache *c)
{
    c->has_lacking = false;
    for (uint32_t i = 0; i < c->header.frame_count; i++) {
        struct decoded_frame *f = frame_slot_at(c, i)->frame;

        if (!f)
            continue;
        f->lacks = lacks(c, f);
        c->has_lacking |= f->lacks;
    }
}

void spn__mesh_mask_update(struct cache *c)
{
    const struct manager *m = c->manager;
    const uint32_t count = c->header.tile_count;
    bool is_masked = false;
    bool has_changed = false;

    if (!c->mask_is_due || c->state != CACHE_READY)
        return;
    c->mask_is_due = false;
    if (wants_all(m, c)) {
        has_changed = c->is_masked;
    } else {
        for (uint32_t t = 0; t < count; t++) {
            const uint32_t bit = 1u << t % 32;
            const bool was = cache_wants_tile(c, t);
            const bool is = is_wanted(m, c, t);

            if (!is)
                c->tile_mask[t / 32] &= ~bit;
            else
                c->tile_mask[t / 32] |= bit;
            is_masked |= !is;
            has_changed |= was != is;
        }
    }
    c->is_masked = is_masked;
    if (has_changed)
        mark_frames(c);
}

void spn__mesh_masks_update(struct manager *m)
{
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        if (spn__pool_is_used(&m->cache_pool, i))
            spn__mesh_mask_update(&m->caches[i]);
}

void spn__mesh_mask_set(struct node *n, const uint32_t *words, uint32_t count)
{
    struct cursor *s = &n->cursor;

    s->mask_us = n->manager->now_us;
    s->mask_words = count;
    if (count > 0)
        memcpy(s->mesh_mask, words, count * sizeof *words);
    n->cache->mask_is_due = true;
    spn__mesh_mask_update(n->cache);
    if (cursor_is_playing(s))
        (void)spn__node_find_shown(n);
}

/* -- frames that lack tiles -- */

static bool can_free(const struct cache *c, const struct decoded_frame *f)
{
    const struct cache_frame *info = cache_frame_at(c, f->number);

    if (kept_is_needed(&c->manager->promises.keeper, f->kept) ||
        kept_is_read(f->kept) || f->pins > 0 ||
        frame_buffer_state(f) != BUFFER_NONE)
        return false;
    /* It would lack the tile again. */
    for (uint32_t r = 0; r < info->reference_count; r++) {
        const struct decoded_frame *to =
            frame_slot_at(c, cache_reference(c, f->number, r))->frame;

        if (to && to->lacks)
            return false;
    }
    return true;
}

/* Frames are visited after those to which they refer. */
static void free_group(struct cache *c, const struct cache_group *g)
{
    uint8_t order[CACHE_GROUP_FRAMES_MAX];

    spn__closure_order(c, g, order);
    for (uint32_t i = 0; i < g->frame_count; i++) {
        const uint32_t number = g->first_frame + order[i];
        const struct frame_slot *s = frame_slot_at(c, number);

        if (!s->frame || !s->frame->lacks)
            continue;
        if (s->state == FRAME_READY && can_free(c, s->frame))
            spn__frame_slot_free(s->frame);
        else
            c->has_lacking = true;
    }
}

void spn__mesh_masks_free(struct manager *m)
{
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];

        if (!spn__pool_is_used(&m->cache_pool, i) || !c->has_lacking)
            continue;
        c->has_lacking = false;
        for (uint32_t k = 0; k < c->header.group_count; k++)
            if (cache_group_slot_at(c, k)->settled_count > 0)
                free_group(c, cache_group_at(c, k));
    }
}

bool spn__mesh_mask_check(const struct cache *c)
{
    for (uint32_t i = 0; i < c->header.frame_count; i++) {
        const struct decoded_frame *f = frame_slot_at(c, i)->frame;

        if (f && (f->lacks != lacks(c, f) || (f->lacks && !c->has_lacking)))
            return false;
    }
    return true;
}
