/* cursor_range.h - which bytes of the file a cursor reads next.
 *
 * A read covers whole groups in file order. It begins at the next group ahead
 * that is missing and does not go past the end of a loop. It grows in the
 * direction of playback to the preferred size, unless that would read further
 * ahead than allowed, or groups that are there already. Where the anchor of its
 * first group in the file is missing, it begins with it: the anchor is the
 * frame directly before that group, so this is still one read. The border of
 * its last group is left out if it is there. Caller's thread; nothing is
 * changed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_RANGE_H
#define SPN_PLAY_CURSOR_RANGE_H

#include "play/cursor.h"

#include <stdbool.h>
#include <stdint.h>

struct cursor_range {
    uint64_t offset; /* in the file, a multiple of GROUP_READ_ALIGN */
    uint64_t bytes;
    uint32_t first_group; /* numbers of the groups that it covers in part */
    uint32_t last_group;
};

/* Which parts of a group the next read is to bring, as
 * spn__group_table_missing. If its border is missing, and the frames before it
 * are left out, they are read, too, unless reading them takes longer than a
 * seek. */
uint32_t spn__cursor_missing(const struct cursor *s, uint32_t group,
                             uint32_t first, uint32_t limit, bool *is_needed);
/* The same, if all frames that are not left out are wanted. */
uint32_t spn__cursor_missing_all(const struct cursor *s, uint32_t group);
/* True if it takes longer to read the frames before the border of a group than
 * to seek over them. */
bool spn__cursor_can_skip(const struct cursor *s, uint32_t group);

/* After a leap: playback waits for a frame of this group. */
static inline bool cursor_is_awaited(const struct cursor *s, uint64_t place)
{
    return s->is_leaping && place == spn__cursor_place_of(s, s->wanted);
}

/* How many groups the next read is to cover; >= 1. next_place is set. */
uint32_t spn__cursor_range_groups(const struct cursor *s);
/* The range that covers so many groups from next_place on. */
void spn__cursor_range(const struct cursor *s, uint32_t group_count,
                       struct cursor_range *out);
/* The preferred size of a read in bytes: the tuning variable request_kib, or
 * more on a device with long seeks, as far as memory allows. */
uint64_t spn__cursor_read_bytes(const struct cursor *s);

#endif
