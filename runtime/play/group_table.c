/* group_table.c - which read has which part of which group. */
/* SPDX-License-Identifier: MIT */
#include "play/group_table.h"

#include "base/minmax.h"
#include "play/frame_slot.h"
#include "play/level.h"

/* Slots hold 1 + index of the read; 0: none. */
static struct group_read *read_at(const struct cache *c, uint16_t entry)
{
    return entry ? &c->manager->group_reads.table[entry - 1] : NULL;
}

static uint16_t entry_of(const struct group_read *r)
{
    return (uint16_t)(r - r->cache->manager->group_reads.table + 1);
}

uint32_t spn__group_border(const struct cache *c, uint32_t group)
{
    return group + 1 < c->header.group_count
               ? cache_group_at(c, group + 1)->anchor_frame
               : CACHE_NONE;
}

struct group_read *spn__group_table_read(const struct cache *c, uint32_t number)
{
    const uint32_t group = cache_frame_at(c, number)->group;
    const struct group_slot *g = cache_group_slot_at(c, group);

    return read_at(c, number == spn__group_border(c, group) ? g->border_read
                                                            : g->body_read);
}

static bool is_done(const struct group_read *r)
{
    return r && r->state == READ_DONE;
}

bool spn__group_table_has(const struct cache *c, uint32_t number)
{
    return is_done(spn__group_table_read(c, number));
}

bool spn__group_table_has_all(const struct cache *c, uint32_t group)
{
    const struct group_slot *g = cache_group_slot_at(c, group);

    return is_done(read_at(c, g->body_read)) &&
           (spn__group_border(c, group) == CACHE_NONE ||
            is_done(read_at(c, g->border_read)));
}

/* True if bytes must be read for the frame, or are on their way. */
static bool is_empty(const struct cache *c, uint32_t number)
{
    const struct frame_slot *s = frame_slot_at(c, number);

    return s->state == FRAME_EMPTY ||
           (s->state == FRAME_RUNNING && s->frame->is_early);
}

/* True if a frame of the body with first <= number < limit that the cut keeps
 * is EMPTY. */
static bool has_empty_body(const struct cache *c, uint32_t group, uint32_t cut,
                           uint32_t border, uint32_t first, uint32_t limit)
{
    const struct cache_group *info = cache_group_at(c, group);
    const uint32_t end = info->first_frame + info->frame_count;

    first = max_u32(first, info->first_frame);
    for (uint32_t n = first; n < min_u32(limit, end); n++)
        if (n != border && is_empty(c, n) && level_keeps(c, n, cut))
            return true;
    return false;
}

uint32_t spn__group_table_missing(const struct cache *c, uint32_t group,
                                  uint32_t cut, uint32_t first, uint32_t limit,
                                  bool *is_wanted)
{
    const struct group_slot *slot = cache_group_slot_at(c, group);
    const uint32_t border = spn__group_border(c, group);
    const struct cache_group *info = cache_group_at(c, group);
    const uint32_t anchor = info->anchor_frame;
    bool wants_body;
    bool wants_border;
    uint32_t missing = 0;

    *is_wanted = false;
    if (slot->settled_count == info->frame_count &&
        c->manager->launches->early_count == 0)
        return 0;
    wants_body = has_empty_body(c, group, cut, border, first, limit);
    wants_border = border != CACHE_NONE && is_empty(c, border) &&
                   (wants_body || (border >= first && border < limit));
    *is_wanted = wants_body || wants_border;
    if (wants_body && slot->body_read == 0)
        missing |= GROUP_BODY;
    if (wants_border && slot->border_read == 0)
        missing |=
            info->frame_count == 1 ? GROUP_BODY | GROUP_BORDER : GROUP_BORDER;
    if (wants_body && anchor != CACHE_NONE && is_empty(c, anchor) &&
        cache_group_slot_at(c, group - 1)->border_read == 0)
        missing |= GROUP_ANCHOR;
    return missing;
}

void spn__group_table_reads(const struct cache *c, uint32_t group,
                            struct group_read *out[3])
{
    const struct group_slot *slot = cache_group_slot_at(c, group);
    const uint32_t anchor = cache_group_at(c, group)->anchor_frame;

    out[0] = read_at(c, slot->body_read);
    out[1] = read_at(c, slot->border_read);
    out[2] = anchor != CACHE_NONE && is_empty(c, anchor)
                 ? read_at(c, cache_group_slot_at(c, group - 1)->border_read)
                 : NULL;
    if (out[1] == out[0])
        out[1] = NULL;
    if (out[2] == out[0] || out[2] == out[1])
        out[2] = NULL;
}

static bool covers(const struct group_read *r, uint64_t first, uint64_t limit)
{
    return first >= r->offset && limit <= r->offset + r->bytes;
}

void spn__group_table_enter(struct group_read *r, uint32_t first_group,
                            uint32_t last_group)
{
    const struct cache *c = r->cache;

    r->first_group = first_group;
    r->last_group = last_group;
    for (uint32_t g = first_group; g <= last_group; g++) {
        const struct cache_group *info = cache_group_at(c, g);
        struct group_slot *slot = cache_group_slot_at(c, g);
        const uint32_t border = spn__group_border(c, g);
        uint64_t body_end = info->offset + info->bytes;

        if (border != CACHE_NONE) {
            const struct cache_frame *f = cache_frame_at(c, border);

            body_end = f->offset;
            if (slot->border_read == 0 &&
                covers(r, f->offset, f->offset + f->bytes))
                slot->border_read = entry_of(r);
        }
        if (slot->body_read == 0 && covers(r, info->offset, body_end))
            slot->body_read = entry_of(r);
    }
}

void spn__group_table_leave(const struct group_read *r)
{
    const uint16_t entry = entry_of(r);

    for (uint32_t g = r->first_group; g <= r->last_group; g++) {
        struct group_slot *slot = cache_group_slot_at(r->cache, g);

        if (slot->body_read == entry)
            slot->body_read = 0;
        if (slot->border_read == entry)
            slot->border_read = 0;
    }
}

static bool check_entry(const struct cache *c, uint32_t group, uint16_t entry)
{
    const struct group_read *r = read_at(c, entry);

    return !r ||
           (r->cache == c && r->state != READ_FREE && r->state != READ_DYING &&
            group >= r->first_group && group <= r->last_group);
}

bool spn__group_table_check(const struct cache *c)
{
    for (uint32_t g = 0; g < c->header.group_count; g++) {
        const struct group_slot *slot = cache_group_slot_at(c, g);

        if (slot->settled_count > cache_group_at(c, g)->frame_count ||
            !check_entry(c, g, slot->body_read) ||
            !check_entry(c, g, slot->border_read))
            return false;
    }
    return true;
}
