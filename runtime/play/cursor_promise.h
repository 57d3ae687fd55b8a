/* cursor_promise.h - the pages that a cursor is promised.
 *
 * A cursor that plays is promised pages for decoded frames and for reads:
 * enough to play without a gap, if that fits the heap beside static data and
 * the other promises; otherwise just enough to go on (cache.h computes both).
 * Cursors that have more yield it to one that has nothing, and to static data
 * of a cache that loads, if that is enough; otherwise they keep it, and the
 * cursor or the cache waits until another cursor stops. A
 * second position (node/second_position.h) has a promise only while all others
 * have their full one. If the user allows streams less memory than before
 * (stream_memory_kib), all promises become the least ones; if that is not
 * enough, the last cursors lose theirs. See promise.h for what a promise means.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_PROMISE_H
#define SPN_PLAY_CURSOR_PROMISE_H

#include "play/cursor.h"

#include <stdbool.h>
#include <stdint.h>

/* Choose the promise again, and bring owed_pages up to date. Call it after a
 * change of what is charged, of the admission, or of is_active. */
void spn__cursor_update_promise(struct cursor *s);
/* Pages by which the promise exceeds the least one. */
uint32_t spn__cursor_spare_promise(const struct cursor *s);
/* Reduce the promise to the least one. It exceeds the least one. */
void spn__cursor_yield_promise(struct cursor *s);
/* Take the promise away. The cursor gets one again when there is room. */
void spn__cursor_drop_promise(struct cursor *s);

/* What a cursor without a promise waits for. */
struct cursor_need {
    /* The least promise, and all else that is in the heap now; or, if streams
     * have less room than the heap, all other promises. */
    uint64_t pages;
    uint64_t pages_max; /* pages of the heap, or those of streams */
};

/* True if it would play but has no promise. */
bool spn__cursor_awaits_memory(const struct cursor *s,
                               struct cursor_need *need);

#endif
