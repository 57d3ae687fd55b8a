/* cursor_place.h - the groups that a cursor needs, and the next one to read.
 *
 * Walks over the groups ahead, as far as it may read ahead. Of each group of
 * which frames must still be decoded, the reads are kept; the first one that
 * has missing parts is the next to read. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_PLACE_H
#define SPN_PLAY_CURSOR_PLACE_H

#include "play/cursor.h"

#include <stdbool.h>

/* The index frame of the span that is nearest to the wanted frame, and can be
 * decoded alone. False if its group has none.
 *
 * number  of the frame
 * part    GROUP_ANCHOR or GROUP_BORDER of the group of the wanted frame */
bool spn__cursor_index_frame(const struct cursor *s, uint32_t *number,
                             uint32_t *part);

/* Set next_place, next_missing, read_slack_us and the reserve for the read.
 *
 * keeps  also mark the reads that are needed */
void spn__cursor_find_place(struct cursor *s, bool keeps);

#endif
