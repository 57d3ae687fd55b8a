/* governor.h - which cursors lose frames when there is too little of something.
 *
 * If frames are in danger of being late because the workers cannot decode as
 * many as the cursors need, cursors leave out single frames and then levels
 * (level.h), as far as their need falls below the capacity (decode_pace.h). So
 * what is shown falls with the capacity, and is in time. Likewise if a cursor
 * finds no memory for the frames that it is to show.
 *
 * Order. The least important cursor loses first (spn_node_set_importance); of
 * equal ones the farthest (spn_view), then the one that has lost least, then
 * the one in the highest slot. No cursor loses more than its cut_limit allows.
 * Cursors that need the same frames, because they play one cache at nearly the
 * same time, lose them together, and are as important as the most important of
 * them: otherwise nothing would be saved. A cursor loses nothing for others
 * that has all its frames decoded.
 *
 * Return. When no frame has been in danger for the decode-ahead time, frames
 * come back in the opposite order, half a level at a time if there is certainly
 * time for them, otherwise one step for all cursors together. They come back
 * from the end of the decode-ahead time on, so that none of them is late.
 *
 * Danger means: the first frame ahead of a moving cursor that is not decoded,
 * although it was read, is needed within an eighth of the decode-ahead time.
 *
 * With the tuning variable leave_out at 0 all frames come back, and none is
 * left out any more.
 *
 * Nothing but the times of updates is measured, so with a virtual clock the
 * same calls lead to the same decisions. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_GOVERNOR_H
#define SPN_PLAY_NODE_GOVERNOR_H

#include "play/manager.h"

#include <stdbool.h>

/* At each update, after all cursors have planned and before they launch. */
void spn__governor_update(struct manager *m);

/* True if no cursor leaves out more than its cache has. */
bool spn__governor_check(const struct manager *m);

#endif
