/* cursor_lost.h - frames that are damaged or cannot be read.
 *
 * A frame that is lost stays FAILED until a cursor tries it again: in a new run
 * (cursor_life.h), or when playback begins a new loop. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_LOST_H
#define SPN_PLAY_CURSOR_LOST_H

#include "play/cursor.h"

#include <stdint.h>

/* Try a frame that was lost in an earlier run again, with the others of its
 * group: they are EMPTY then. If something still uses what they had, nothing is
 * changed. */
void spn__cursor_retry(struct cursor *s, uint64_t frame);
/* Count the frames within the decode-ahead time that have become decoded or
 * lost, each once and in order. */
void spn__cursor_settle(struct cursor *s);
/* If all wanted frames are lost: find the nearest frame before them that is
 * not. */
void spn__cursor_find_fallback(struct cursor *s);

#endif
