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
    s->nearness = UINT16_MAX;
    s->cut_limit = UINT16_MAX;
    s->next_place = CURSOR_NO_POSITION;
    for (uint32_t i = 0; i < CURSOR_PINS; i++)
        s->pinned[i] = CURSOR_NO_POSITION;
}

/* -- positions -- */

void spn__cursor_move(struct cursor *s, int64_t position_us, uint64_t floor,
                      uint64_t ceil)
{
    s->position_us = position_us;
    s->wanted = floor < ceil ? floor : ceil;
    s->wanted_ceil = floor < ceil ? ceil : floor;
    s->leg = s->wanted / s->span.frame_count;
}

/* The leg of a position; there are `count` positions in each. Nearly all are in
 * the leg of `wanted`, so nearly none costs a division. */
static uint64_t leg_of(const struct cursor *s, uint64_t position,
                       uint32_t count)
{
    const uint64_t first = s->leg * count;

    return position >= first && position - first < count ? s->leg
                                                         : position / count;
}

static bool is_reversed(const struct cursor *s, uint64_t leg)
{
    return s->span.is_ping_pong && leg % 2 != 0;
}

/* Index in the span of the entry at a position, and the inverse. */
static uint32_t index_of(const struct cursor *s, uint64_t position,
                         uint32_t count)
{
    const uint64_t leg = leg_of(s, position, count);
    const uint32_t index = (uint32_t)(position - leg * count);

    return is_reversed(s, leg) ? count - 1 - index : index;
}

static uint64_t position_of(const struct cursor *s, uint64_t leg,
                            uint32_t index, uint32_t count)
{
    return leg * count + (is_reversed(s, leg) ? count - 1 - index : index);
}

uint32_t spn__cursor_number(const struct cursor *s, uint64_t frame)
{
    if (frame & CURSOR_NUMBER)
        return (uint32_t)frame;
    return s->span.first_frame + index_of(s, frame, s->span.frame_count);
}

uint32_t spn__cursor_group(const struct cursor *s, uint64_t place)
{
    return s->span.first_group + index_of(s, place, s->span.group_count);
}

/* Playback time of a frame; INT64_MAX if it is later than an int64_t can hold.
 *
 * is_bounded  at most an end of the leg, if the frame lies outside of it */
static int64_t time_of(const struct cursor *s, uint64_t frame, bool is_bounded)
{
    const struct span *span = &s->span;
    const uint64_t leg = leg_of(s, frame, span->frame_count);
    const bool goes_back = is_reversed(s, leg);
    uint32_t index = (uint32_t)(frame - leg * span->frame_count);
    int64_t time_us; /* in the leg */

    if (leg > span->leg_max)
        return INT64_MAX;
    if (goes_back)
        index = span->frame_count - 1 - index;
    time_us = cache_frame_at(s->cache, span->first_frame + index)->time_us -
              span->first_us;
    if (goes_back)
        time_us = span->leg_us - time_us;
    if (is_bounded && time_us < 0)
        time_us = 0;
    if (is_bounded && time_us > span->leg_us)
        time_us = span->leg_us;
    return (int64_t)leg * span->leg_us + time_us;
}

int64_t spn__cursor_frame_time(const struct cursor *s, uint64_t frame)
{
    return time_of(s, frame, false);
}

uint64_t spn__cursor_frame_before(const struct cursor *s, int64_t time_us)
{
    const int64_t leg_us = s->span.leg_us;
    uint64_t leg = 0;

    if (s->is_looping) {
        leg = (uint64_t)(time_us / leg_us);
        time_us %= leg_us;
    }
    if (is_reversed(s, leg))
        time_us = leg_us - time_us;
    return position_of(
        s, leg,
        spn__cache_frame_before(s->cache, s->span.first_us + time_us) -
            s->span.first_frame,
        s->span.frame_count);
}

uint64_t spn__cursor_clip_step(const struct cursor *s, uint64_t frame,
                               bool is_later)
{
    const bool goes_back =
        is_reversed(s, leg_of(s, frame, s->span.frame_count));

    return goes_back == is_later ? frame - 1 : frame + 1;
}

int64_t spn__cursor_end_us(const struct cursor *s)
{
    return s->span.last_us - s->span.first_us;
}

bool spn__cursor_runs_back(const struct cursor *s, uint64_t place)
{
    return s->is_backward !=
           is_reversed(s, leg_of(s, place, s->span.group_count));
}

uint64_t spn__cursor_place_of(const struct cursor *s, uint64_t frame)
{
    return position_of(
        s, leg_of(s, frame, s->span.frame_count),
        cache_frame_at(s->cache, spn__cursor_number(s, frame))->group -
            s->span.first_group,
        s->span.group_count);
}

/* One step along `count` entries a leg. */
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

/* The ends of a range are never left out: fills do not interpolate across
 * them. */
static bool is_end(const struct cursor *s, uint64_t frame)
{
    const uint32_t index = index_of(s, frame, s->span.frame_count);

    return s->span.is_part && (index == 0 || index + 1 == s->span.frame_count);
}

bool spn__cursor_keeps(const struct cursor *s, uint64_t frame)
{
    uint32_t cut = s->cut;

    if (s->near_cut == 0 || is_end(s, frame))
        return true;
    if (s->is_backward ? frame > s->cut_from : frame < s->cut_from)
        cut = s->near_cut;
    return cut == 0 || level_keeps(s->cache, spn__cursor_number(s, frame), cut);
}

bool spn__cursor_step_frame(const struct cursor *s, uint64_t *frame)
{
    return step(s, frame, s->span.frame_count);
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
    return step(s, place, s->span.group_count);
}

/* The nearest later or earlier frame that is not left out. At an end of a span
 * that does not loop: where the next frame would be; the first frame. */
static uint64_t neighbour(const struct cursor *s, uint64_t frame, bool is_later)
{
    do {
        if (is_later ? !s->is_looping && frame + 1 >= s->span.frame_count
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
    int64_t distance_us = time_of(s, from, s->is_looping) - s->position_us;

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
    const struct span *span = &s->span;
    const uint64_t leg = leg_of(s, place, span->group_count);
    const struct cache_group *info =
        cache_group_at(s->cache, spn__cursor_group(s, place));
    const uint32_t last = span->frame_count - 1;
    uint32_t index = 0;

    /* The frame of it, and of the span, that comes first. */
    if (s->is_backward != is_reversed(s, leg))
        index = info->first_frame + info->frame_count - 1 - span->first_frame;
    else if (info->first_frame > span->first_frame)
        index = info->first_frame - span->first_frame;
    return spn__cursor_time_until(
        s, position_of(s, leg, index < last ? index : last, span->frame_count));
}

bool spn__cursor_neighbour(const struct cursor *s, uint64_t *frame)
{
    *frame = neighbour(s, s->wanted, false);
    return !s->is_looping && s->wanted == s->wanted_ceil && s->wanted > 0 &&
           s->wanted + 1 == s->span.frame_count;
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
#define STILL_US 250000u

/* So long after the mask was set, frames that lack meshes are shown no more. */
#define MASK_US 1000000u

bool spn__cursor_has_old_mask(const struct cursor *s)
{
    return s->manager->now_us - s->mask_us >= STILL_US;
}

bool spn__cursor_is_still(const struct cursor *s)
{
    const uint64_t now_us = s->manager->now_us;

    return spn__cursor_has_old_mask(s) &&
           (now_us - s->followed_us >= STILL_US ||
            now_us - s->mask_us >= MASK_US);
}

bool spn__cursor_wants_mesh(const struct cursor *s, uint32_t mesh)
{
    return mesh / 32 >= s->mask_words ||
           (s->mesh_mask[mesh / 32] >> mesh % 32 & 1u);
}

bool spn__cursor_wants_tile(const struct cursor *s, uint32_t tile)
{
    const struct cache_tables *tables = &s->cache->tables;
    const struct cache_tile *info = &tables->tiles[tile];

    for (uint32_t i = 0; i < info->part_count; i++)
        if (spn__cursor_wants_mesh(s, tables->parts[info->first_part + i].mesh))
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
