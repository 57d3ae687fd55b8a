/* cursor_place.c - the groups that a cursor needs, and the next one to read. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_place.h"

#include "base/minmax.h"
#include "play/cursor_keep.h"
#include "play/cursor_range.h"
#include "play/frame_slot.h"
#include "play/group_table.h"

#define MS 1000

/* True if only the border of a group is missing, and the body of the group
 * behind it in the file, too: one read brings both. But a border for which
 * playback waits after a leap is read alone: it comes earlier, and needs less
 * of the promise. */
static bool reads_with_next(const struct cursor *s, uint64_t place,
                            uint32_t missing)
{
    const uint32_t group = spn__cursor_group(s, place);

    return !cursor_is_awaited(s, place) && !spn__cursor_runs_back(s, place) &&
           missing == GROUP_BORDER &&
           group + 1 < s->span.first_group + s->span.group_count &&
           (spn__cursor_missing_all(s, group + 1) & GROUP_BODY) != 0;
}

static void note(struct cursor *s, uint64_t place, uint32_t missing,
                 int64_t until_us)
{
    struct cursor_range range;

    s->next_place = place;
    s->next_missing = missing;
    s->read_slack_us = until_us;
    spn__cursor_range(s, 1, &range);
    s->account.read_reserve =
        spn__promise_pages(&s->manager->promises, range.bytes);
}

static void note_missing(struct cursor *s, uint64_t place, uint32_t missing,
                         int64_t until_us)
{
    if (missing == 0 || s->next_place != CURSOR_NO_POSITION)
        return;
    if (reads_with_next(s, place, missing)) {
        (void)spn__cursor_next_place(s, &place);
        missing = GROUP_ANCHOR | GROUP_BODY;
    }
    note(s, place, missing, until_us);
}

/* Keep the reads of a group of which frames [first, limit) are needed, and note
 * it if parts of it are missing. If all of these frames are decoded, the reads
 * have been used. But if playback comes there only after the decode-ahead time,
 * in the next leg for example, they are needed too: by then the frames may have
 * been freed, which costs less than to read the group again. Frames of a cache
 * that plays from memory stay. */
static void visit_group(struct cursor *s, uint64_t place, uint32_t first,
                        uint32_t limit, int64_t until_us, bool keeps)
{
    const uint32_t group = spn__cursor_group(s, place);
    struct group_read *reads[3];
    bool is_needed;
    const uint32_t missing =
        spn__cursor_missing(s, group, first, limit, &is_needed);

    if (is_needed)
        note_missing(s, place, missing, until_us);
    if (!keeps)
        return;
    spn__group_table_reads(s->cache, group, reads);
    for (uint32_t i = 0; i < 3; i++) {
        if (reads[i] && is_needed)
            spn__cursor_keep_read(s, reads[i], until_us);
        else if (reads[i] && !s->cache->keeps_frames &&
                 until_us > cursor_ahead_us(s))
            spn__cursor_want_read(s, reads[i], until_us);
        else if (reads[i])
            spn__cursor_pass_read(s, reads[i]);
    }
}

static void visit_fallback(struct cursor *s, bool keeps)
{
    const uint32_t number = spn__cursor_number(s, s->fallback);

    visit_group(s, spn__cursor_place_of(s, s->fallback), number, number + 1, 0,
                keeps);
}

/* True if a frame of the span can be decoded alone. */
static bool is_index_frame(const struct cursor *s, uint32_t number)
{
    return number != CACHE_NONE && number >= s->span.first_frame &&
           number - s->span.first_frame < s->span.frame_count &&
           cache_frame_at(s->cache, number)->reference_count == 0;
}

bool spn__cursor_index_frame(const struct cursor *s, uint32_t *number,
                             uint32_t *part)
{
    const struct cache *c = s->cache;
    const uint32_t wanted = spn__cursor_number(s, s->wanted);
    const uint32_t group = cache_frame_at(c, wanted)->group;
    const uint32_t anchor = cache_group_at(c, group)->anchor_frame;
    const uint32_t border = spn__group_border(c, group);
    const bool has_anchor = is_index_frame(s, anchor);
    const bool has_border = is_index_frame(s, border);
    const bool is_border =
        has_border && (!has_anchor || border - wanted < wanted - anchor);

    *number = is_border ? border : anchor;
    *part = is_border ? GROUP_BORDER : GROUP_ANCHOR;
    return has_anchor || has_border;
}

/* While the cursor scrubs, the nearest index frame is read, and nothing else.
 */
static void visit_index_frame(struct cursor *s)
{
    uint32_t part;
    uint32_t number;
    bool is_missing;

    if (!spn__cursor_index_frame(s, &number, &part))
        return;
    is_missing = frame_slot_at(s->cache, number)->state == FRAME_EMPTY &&
                 !spn__group_table_read(s->cache, number);
    note(s, spn__cursor_place_of(s, s->wanted), part,
         is_missing ? 0 : INT64_MAX);
}

void spn__cursor_find_place(struct cursor *s, bool keeps)
{
    const uint32_t *value = s->manager->config.tuning->value;
    const int64_t limit_us =
        (int64_t)max_u32(value[TUNING_buffer_ahead_min_ms],
                         value[TUNING_buffer_ahead_max_ms]) *
        MS;
    const uint32_t end = s->span.first_frame + s->span.frame_count;
    uint64_t frame = cursor_first(s);
    uint64_t place = spn__cursor_place_of(s, frame);
    const bool runs_back = spn__cursor_runs_back(s, place);
    uint32_t first =
        runs_back ? s->span.first_frame : spn__cursor_number(s, frame);
    uint32_t limit = runs_back ? spn__cursor_number(s, frame) + 1 : end;
    uint32_t frames = 0;
    uint64_t neighbour;

    s->next_place = CURSOR_NO_POSITION;
    s->read_slack_us = INT64_MAX;
    if (cursor_is_scrubbing(s))
        visit_index_frame(s);
    if (s->has_lost_all)
        visit_fallback(s, keeps);
    if (spn__cursor_neighbour(s, &neighbour) && first > 0)
        first--;
    for (;;) {
        const uint32_t group = spn__cursor_group(s, place);
        const int64_t until_us = spn__cursor_time_until_place(s, place);

        frames += cache_group_at(s->cache, group)->frame_count;
        if (frames > s->frames_max)
            return;
        visit_group(s, place, first, limit, until_us, keeps);
        if (until_us > limit_us || !spn__cursor_next_place(s, &place))
            return;
        first = s->span.first_frame;
        limit = end;
    }
}
