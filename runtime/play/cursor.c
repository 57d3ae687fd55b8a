/* cursor.c - positions of groups and frames, and the record of a cursor. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor.h"

#include "base/mem.h"
#include "play/frame_slot.h"
#include "play/level.h"

#define PERMILLE 1000

void spn__cursor_open(struct cursor *s, struct cache *c, uint16_t index,
                      uint32_t node_handle, spn_priority priority)
{
    struct manager *m = s->manager;
    const uint32_t frames_max = s->frames_max;

    memset(s, 0, sizeof *s);
    s->manager = m;
    s->frames_max = frames_max;
    s->cache = c;
    s->account.index = index;
    s->account.node = node_handle;
    s->account.cache = c->handle;
    s->priority = priority;
    s->rate_permille = PERMILLE;
    s->importance = (uint32_t)(SPN_PRIORITY_IDLE - priority);
    s->next_place = CURSOR_NO_POSITION;
    for (uint32_t i = 0; i < CURSOR_PINS; i++)
        s->pinned[i] = CURSOR_NO_POSITION;
}

/* -- positions -- */

void spn__cursor_move(struct cursor *s, int64_t position_us, uint64_t wanted,
                      uint64_t wanted_ceil)
{
    s->position_us = position_us;
    s->wanted = wanted;
    s->wanted_ceil = wanted_ceil;
    s->loop = wanted / s->cache->header.frame_count;
}

/* The loop of a position; there are `count` positions in each. Nearly all are
 * in the loop of `wanted`, so nearly none costs a division. */
static uint64_t loop_of(const struct cursor *s, uint64_t position,
                        uint32_t count)
{
    const uint64_t first = s->loop * count;

    return position >= first && position - first < count ? s->loop
                                                         : position / count;
}

static uint32_t index_of(const struct cursor *s, uint64_t position,
                         uint32_t count)
{
    return (uint32_t)(position - loop_of(s, position, count) * count);
}

uint32_t spn__cursor_number(const struct cursor *s, uint64_t frame)
{
    return index_of(s, frame, s->cache->header.frame_count);
}

uint32_t spn__cursor_group(const struct cursor *s, uint64_t place)
{
    return index_of(s, place, s->cache->header.group_count);
}

int64_t spn__cursor_frame_time(const struct cursor *s, uint64_t frame)
{
    const uint32_t count = s->cache->header.frame_count;
    const uint64_t loop = loop_of(s, frame, count);

    return (int64_t)loop * s->cache->loop_us +
           cache_frame_at(s->cache, (uint32_t)(frame - loop * count))->time_us;
}

uint64_t spn__cursor_frame_before(const struct cursor *s, int64_t time_us)
{
    int64_t loop_us = s->cache->loop_us;
    uint64_t loop = 0;

    if (s->is_looping) {
        loop = (uint64_t)(time_us / loop_us);
        time_us %= loop_us;
    }
    return loop * s->cache->header.frame_count +
           spn__cache_frame_before(s->cache, time_us);
}

uint64_t spn__cursor_place_of(const struct cursor *s, uint64_t frame)
{
    const struct cache_header *h = &s->cache->header;

    return loop_of(s, frame, h->frame_count) * h->group_count +
           cache_frame_at(s->cache, spn__cursor_number(s, frame))->group;
}

uint64_t spn__cursor_place_first(const struct cursor *s, uint64_t place)
{
    const struct cache_header *h = &s->cache->header;

    return loop_of(s, place, h->group_count) * h->frame_count +
           cache_group_at(s->cache, spn__cursor_group(s, place))->first_frame;
}

/* One step along `count` entries a loop. */
static bool step(const struct cursor *s, uint64_t *position, uint32_t count)
{
    if (s->is_backward) {
        if (*position == 0)
            return false;
        --*position;
        return true;
    }
    if (!s->is_looping && *position + 1 >= count)
        return false;
    ++*position;
    return true;
}

bool spn__cursor_keeps(const struct cursor *s, uint64_t frame)
{
    uint32_t cut = s->cut;

    if (s->near_cut == 0)
        return true;
    if (s->is_backward ? frame > s->cut_from : frame < s->cut_from)
        cut = s->near_cut;
    return cut == 0 || level_keeps(s->cache, spn__cursor_number(s, frame), cut);
}

bool spn__cursor_step_frame(const struct cursor *s, uint64_t *frame)
{
    return step(s, frame, s->cache->header.frame_count);
}

bool spn__cursor_next_frame(const struct cursor *s, uint64_t *frame)
{
    while (spn__cursor_step_frame(s, frame))
        if (spn__cursor_keeps(s, *frame))
            return true;
    return false;
}

bool spn__cursor_next_place(const struct cursor *s, uint64_t *place)
{
    return step(s, place, s->cache->header.group_count);
}

/* The nearest later or earlier frame that is not left out. At an end of a clip
 * that does not loop: where the next frame would be; the first frame. */
static uint64_t neighbour(const struct cursor *s, uint64_t frame, bool is_later)
{
    do {
        if (is_later
                ? !s->is_looping && frame + 1 >= s->cache->header.frame_count
                : frame == 0)
            return frame + is_later;
        frame = is_later ? frame + 1 : frame - 1;
    } while (!spn__cursor_keeps(s, frame));
    return frame;
}

/* Forward, a frame is needed from the time of the frame before it on; backward,
 * from that of the frame behind it on. */
int64_t spn__cursor_time_until(const struct cursor *s, uint64_t frame)
{
    const uint64_t from = neighbour(s, frame, s->is_backward);
    int64_t distance_us = spn__cursor_frame_time(s, from) - s->position_us;

    if (s->is_backward)
        distance_us = -distance_us;
    if (distance_us <= 0 || s->rate_permille == PERMILLE ||
        distance_us > INT64_MAX / PERMILLE)
        return distance_us;
    return distance_us * PERMILLE / s->rate_permille;
}

int64_t spn__cursor_time_to(const struct cursor *s, uint64_t frame)
{
    int64_t distance_us = spn__cursor_frame_time(s, frame) - s->position_us;

    if (s->is_backward)
        distance_us = -distance_us;
    if (s->pace_permille == 0 || distance_us > INT64_MAX / PERMILLE)
        return INT64_MAX;
    return distance_us <= 0 ? 0 : distance_us * PERMILLE / s->pace_permille;
}

int64_t spn__cursor_time_until_place(const struct cursor *s, uint64_t place)
{
    uint64_t frame = spn__cursor_place_first(s, place);

    if (s->is_backward)
        frame +=
            cache_group_at(s->cache, spn__cursor_group(s, place))->frame_count -
            1;
    return spn__cursor_time_until(s, frame);
}

bool spn__cursor_neighbour(const struct cursor *s, uint64_t *frame)
{
    *frame = neighbour(s, s->wanted, false);
    return !s->is_looping && s->wanted == s->wanted_ceil && s->wanted > 0 &&
           s->wanted + 1 == s->cache->header.frame_count;
}

/* -- state -- */

bool spn__cursor_has_lost(const struct cursor *s, uint64_t frame)
{
    const struct frame_slot *slot =
        frame_slot_at(s->cache, spn__cursor_number(s, frame));

    return slot->state == FRAME_FAILED && slot->failed != FRAME_CANCELLED &&
           (slot->frame || (int32_t)(slot->failed_stamp - s->retry_stamp) >= 0);
}

/* By then the frames behind those that are shown soon (cursor_keep.c) are
 * decoded again, and one of them can be shown meanwhile. */
#define STANDS_US 250000u

bool spn__cursor_stands(const struct cursor *s)
{
    const uint64_t since_us =
        s->followed_us > s->mask_us ? s->followed_us : s->mask_us;

    return s->manager->now_us - since_us >= STANDS_US;
}

static bool wants_mesh(const struct cursor *s, uint32_t mesh)
{
    return mesh / 32 >= s->mask_words ||
           (s->mesh_mask[mesh / 32] >> mesh % 32 & 1u);
}

bool spn__cursor_wants_tile(const struct cursor *s, uint32_t tile)
{
    const struct cache_tables *tables = &s->cache->tables;
    const struct cache_tile *info = &tables->tiles[tile];

    for (uint32_t i = 0; i < info->part_count; i++)
        if (wants_mesh(s, tables->parts[info->first_part + i].mesh))
            return true;
    return false;
}

bool spn__cursor_lacks(const struct cursor *s, const struct decoded_frame *f)
{
    for (uint32_t t = 0; f->lacks && t < s->cache->header.tile_count; t++)
        if (decoded_frame_omits(f, t) && spn__cursor_wants_tile(s, t))
            return true;
    return false;
}

bool spn__cursor_check(const struct cursor *s)
{
    const struct account *a = &s->account;
    uint32_t running = 0;
    uint32_t pending = 0;

    for (const struct decoded_frame *f = s->manager->launches->running; f;
         f = f->next_running)
        running += f->owner == a;
    for (const struct group_read *r = s->manager->group_reads.pending; r;
         r = r->next)
        pending += r->owner == a;
    if (running != a->running_count || pending != a->pending_count)
        return false;
    if (!s->is_active)
        return running == 0 && pending == 0 && a->frame_promise == 0 &&
               a->read_promise == 0 && a->owed_pages == 0;
    return s->rate_permille >= PERMILLE;
}
