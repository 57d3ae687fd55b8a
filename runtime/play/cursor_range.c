/* cursor_range.c - the extent of the next read. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_range.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "observe/pace.h"
#include "play/group_table.h"

#define MS 1000
/* Long seeks make reads larger, but not beyond this. */
#define READ_SEEK_BYTES_MAX (8u << 20)

/* An equal part of the memory that is not promised: as if each cursor had one
 * read of this size, and two more reads were under way. */
static uint64_t fair_bytes(const struct cursor *s)
{
    const struct manager *m = s->manager;
    const struct promises *p = &m->promises;
    uint32_t page_count =
        min_u32(m->config.heap->page_count - p->static_pages, p->limit_pages);
    const uint64_t taken = (uint64_t)p->promised_pages + p->spare_pages;
    uint64_t pages = page_count > taken ? page_count - taken : 0;

    pages = pages / (m->order_count + 2) + s->cache->read_pages_max;
    return pages << m->config.heap->page_shift;
}

uint64_t spn__cursor_read_bytes(const struct cursor *s)
{
    const struct manager *m = s->manager;
    uint64_t enough =
        (uint64_t)m->config.tuning->value[TUNING_request_kib] * 1024u;
    const struct pace *pace = spn__io_pace(m->config.io, s->cache->medium);
    uint64_t wanted = spn__pace_read_bytes(pace, READ_SEEK_BYTES_MAX);
    uint64_t fair = fair_bytes(s);

    if (wanted > fair)
        wanted = fair;
    return wanted > enough ? wanted : enough;
}

bool spn__cursor_can_skip(const struct cursor *s, uint32_t group)
{
    const struct cache *c = s->cache;
    const struct pace *pace = spn__io_pace(s->manager->config.io, c->medium);
    const uint32_t border = spn__group_border(c, group);
    const uint64_t seek_us = spn__pace_read_us(pace, 0);

    return border != CACHE_NONE && pace->is_known &&
           spn__pace_read_us(pace, cache_group_at(c, group)->bytes -
                                       cache_frame_at(c, border)->bytes) >
               2 * seek_us;
}

/* The cut for the frames of a group: the nearer one, if playback leaves the
 * group before it comes to the frames that return. */
static uint32_t cut_of(const struct cursor *s, uint32_t group)
{
    uint64_t place;
    uint64_t from;

    if (s->near_cut == s->cut)
        return s->cut;
    place = spn__cursor_place_of(s, cursor_first(s));
    from = spn__cursor_place_of(s, s->cut_from);
    for (uint32_t i = 0; i < s->span.group_count; i++) {
        if (s->is_backward ? place <= from : place >= from)
            break;
        if (spn__cursor_group(s, place) == group)
            return s->near_cut;
        if (!spn__cursor_next_place(s, &place))
            break;
    }
    return s->cut;
}

uint32_t spn__cursor_missing(const struct cursor *s, uint32_t group,
                             uint32_t first, uint32_t limit, bool *is_needed)
{
    const struct span *span = &s->span;
    /* The ends of a range are never left out. */
    const bool has_end =
        span->is_part && (group == span->first_group ||
                          group + 1 == span->first_group + span->group_count);
    const uint32_t cut = has_end ? 0 : cut_of(s, group);
    const uint32_t missing =
        spn__group_table_missing(s->cache, group, cut, first, limit, is_needed);
    bool is_any;

    if (cut == 0 || missing != GROUP_BORDER || spn__cursor_can_skip(s, group))
        return missing;
    return missing | (spn__group_table_missing(s->cache, group, 0, first, limit,
                                               &is_any) &
                      GROUP_BODY);
}

uint32_t spn__cursor_missing_all(const struct cursor *s, uint32_t group)
{
    bool is_needed;

    return spn__cursor_missing(s, group, s->span.first_frame,
                               s->span.first_frame + s->span.frame_count,
                               &is_needed);
}

static uint64_t group_end(const struct cache *c, uint32_t group)
{
    const struct cache_group *g = cache_group_at(c, group);

    return g->offset + g->bytes;
}

/* Number of the group `i` places ahead of the next one. */
static uint32_t group_ahead(const struct cursor *s, uint32_t i)
{
    const uint32_t group = spn__cursor_group(s, s->next_place);

    return spn__cursor_runs_back(s, s->next_place) ? group - i : group + i;
}

/* Groups from the next one to the end of the leg. */
static uint32_t groups_left(const struct cursor *s)
{
    const uint32_t index =
        spn__cursor_group(s, s->next_place) - s->span.first_group;

    return spn__cursor_runs_back(s, s->next_place)
               ? index + 1
               : s->span.group_count - index;
}

/* Divide the rest of the span into reads of equal size, near `enough` bytes, so
 * that no short read remains at its end. */
static uint64_t even_bytes(const struct cursor *s, uint64_t enough)
{
    const struct cache *c = s->cache;
    const uint32_t near = group_ahead(s, 0);
    const uint32_t far = group_ahead(s, groups_left(s) - 1);
    const uint64_t rest = group_end(c, near > far ? near : far) -
                          cache_group_at(c, near < far ? near : far)->offset;
    const uint64_t parts = (rest + enough / 2) / enough;

    return parts ? (rest + parts - 1) / parts : rest;
}

/* Number of groups up to the limit buffer_ahead_max_ms. If what remains of the
 * clip then is at most half as long, it is included, because it would cost a
 * seek of its own. A cursor that reads early (needs_early_reads) reads as far
 * as one that reads at its minimum: shorter reads would only add seeks. */
static uint32_t groups_within(const struct cursor *s)
{
    const uint32_t *value = s->manager->config.tuning->value;
    const uint32_t left = groups_left(s);
    int64_t limit_us = spn__cursor_time_until_place(s, s->next_place) -
                       (int64_t)value[TUNING_buffer_ahead_min_ms] * MS;
    uint64_t place = s->next_place;
    uint32_t count = 1;

    if (limit_us < 0)
        limit_us = 0;
    limit_us += (int64_t)value[TUNING_buffer_ahead_max_ms] * MS;
    while (count < left && spn__cursor_next_place(s, &place) &&
           spn__cursor_time_until_place(s, place) < limit_us)
        count++;
    return left - count <= count / 2 ? left : count;
}

/* The bytes of the parts of one group that are missing. */
static void range_of_parts(const struct cursor *s, struct cursor_range *out,
                           uint64_t *end)
{
    const struct cache *c = s->cache;
    const uint32_t group = spn__cursor_group(s, s->next_place);

    out->first_group = group;
    out->last_group = group;
    if (s->next_missing & GROUP_ANCHOR) {
        const struct cache_frame *anchor =
            cache_frame_at(c, cache_group_at(c, group)->anchor_frame);

        out->first_group = group - 1;
        out->last_group = group - 1;
        out->offset = anchor->offset;
        *end = anchor->offset + anchor->bytes;
    } else {
        const struct cache_frame *border =
            cache_frame_at(c, spn__group_border(c, group));

        out->offset = border->offset;
        *end = border->offset + border->bytes;
    }
}

/* The bytes of whole groups, with the anchor of the first one and without the
 * border of the last one as necessary. */
static void range_of_groups(const struct cursor *s, uint32_t group_count,
                            struct cursor_range *out, uint64_t *end)
{
    const struct cache *c = s->cache;
    const uint32_t near = group_ahead(s, 0);
    const uint32_t far = group_ahead(s, group_count - 1);
    uint32_t border;

    out->first_group = near < far ? near : far;
    out->last_group = near < far ? far : near;
    out->offset = cache_group_at(c, out->first_group)->offset;
    *end = group_end(c, out->last_group);
    if (spn__cursor_missing_all(s, out->first_group) & GROUP_ANCHOR) {
        out->first_group--;
        out->offset =
            cache_frame_at(
                c, cache_group_at(c, out->first_group + 1)->anchor_frame)
                ->offset;
    }
    border = spn__group_border(c, out->last_group);
    if (border != CACHE_NONE &&
        !(spn__cursor_missing_all(s, out->last_group) & GROUP_BORDER))
        *end = cache_frame_at(c, border)->offset;
}

void spn__cursor_range(const struct cursor *s, uint32_t group_count,
                       struct cursor_range *out)
{
    uint64_t end;

    if (s->next_missing & GROUP_BODY)
        range_of_groups(s, group_count, out, &end);
    else
        range_of_parts(s, out, &end);
    out->offset -= out->offset % GROUP_READ_ALIGN;
    end += (GROUP_READ_ALIGN - end % GROUP_READ_ALIGN) % GROUP_READ_ALIGN;
    if (end > s->cache->header.file_bytes)
        end = s->cache->header.file_bytes;
    out->bytes = end - out->offset;
}

uint32_t spn__cursor_range_groups(const struct cursor *s)
{
    const uint32_t count_max = groups_within(s);
    const uint64_t enough = even_bytes(s, spn__cursor_read_bytes(s));
    struct cursor_range range;
    uint32_t frames = 0;
    uint32_t count = 1;

    /* The frame for which playback waits comes earlier alone. */
    if (!(s->next_missing & GROUP_BODY) || cursor_is_awaited(s, s->next_place))
        return 1;
    frames = cache_group_at(s->cache, group_ahead(s, 0))->frame_count;
    spn__cursor_range(s, 1, &range);
    while (count < count_max && range.bytes < enough) {
        const uint32_t group = group_ahead(s, count);

        frames += cache_group_at(s->cache, group)->frame_count;
        if (frames > s->frames_max ||
            !(spn__cursor_missing_all(s, group) & GROUP_BODY))
            break;
        spn__cursor_range(s, count + 1, &range);
        if (range.bytes > GROUP_READ_BYTES_MAX)
            break;
        count++;
    }
    return count;
}
