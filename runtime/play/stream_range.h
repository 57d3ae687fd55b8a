/* stream_range.h - which bytes of the file a stream reads next.
 *
 * A read covers whole groups in file order. It begins at the next group that
 * was not requested and does not go past the end of a loop. It grows to the
 * preferred size, unless that would read further ahead than allowed, or the
 * tables are full. The first read after a seek begins with the anchor of its
 * first group; the anchor is the frame directly before that group, so this is
 * still one read. Caller's thread; nothing is changed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_RANGE_H
#define SPN_PLAY_STREAM_RANGE_H

#include "play/stream.h"

#include <stdint.h>

struct stream_range {
    /* Place of the group before the first one, of which only the anchor is
     * read; STREAM_NO_PLACE: it is not needed. */
    uint64_t anchor_place;
    uint64_t offset;      /* in the file, a multiple of STREAM_READ_ALIGN */
    uint32_t group_count; /* groups from stream.next_place on; 0: the tables are
                           * full */
};

/* Choose what the next read of a stream covers. */
void spn__stream_choose_range(const struct stream *s, struct stream_range *out);
/* Size in bytes of a read of the first `group_count` groups of a range. */
uint64_t spn__stream_range_bytes(const struct stream *s,
                                 const struct stream_range *range,
                                 uint32_t group_count);
/* The preferred size of a read in bytes: the tuning variable request_kib, or
 * more on a device with long seeks, as far as memory allows. */
uint64_t spn__stream_read_bytes(const struct stream *s);

#endif
