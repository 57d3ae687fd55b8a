/* cursor_lost.h - frames that are damaged or cannot be read.
 *
 * A frame that is lost stays FAILED until a cursor tries it again: in a new
 * traversal (cursor.h). A new loop is one. If the cache plays from memory, a
 * new loop tries only those again that were lost before the last time when any
 * cursor of the cache began, jumped or turned, or a frame was lost for a reason
 * that may pass: damaged bytes are not read and decoded in each loop.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_LOST_H
#define SPN_PLAY_CURSOR_LOST_H

#include "play/cursor.h"

#include <stdint.h>

/* Try a frame that was lost in an earlier traversal again. With it become EMPTY
 * all frames of its group that were lost then, and those of the group before if
 * the group has an anchor. Without effect while something still uses the memory
 * of one of them. */
void spn__cursor_retry(struct cursor *s, uint64_t frame);
/* Count the lost frames within the decode-ahead time, each once and in order:
 * go on from next_undecided to the first frame that is neither decoded nor
 * lost. A new loop begins a traversal, see above. */
void spn__cursor_count_lost(struct cursor *s);
/* If all wanted frames are lost: find the nearest frame before them that is
 * not. */
void spn__cursor_find_fallback(struct cursor *s);

#endif
