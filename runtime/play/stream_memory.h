/* stream_memory.h - a stream's promised pages and its decoded frames.
 *
 * A stream that runs is promised pages for decoded frames and for one read of
 * the largest group: enough to play without a gap, if that fits the heap beside
 * static data and the other promises; otherwise just enough to go on (cache.h
 * computes both); otherwise nothing, and it waits until memory becomes free.
 * See promise.h for what a promise means. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_MEMORY_H
#define SPN_PLAY_STREAM_MEMORY_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Choose the promise again, and bring owed_pages up to date. Call it after a
 * change of the stream's pages, of its admission, or of is_active. */
void spn__stream_update_promise(struct stream *s);
/* True if it would play but has no promise. *bytes: how large the heap must be
 * for the least promise, beside all else that is in it now. */
bool spn__stream_awaits_memory(const struct stream *s, uint64_t *bytes);

/* Free a frame's memory, and first give its buffer back to the engine.
 *
 * frame  its position */
void spn__stream_free_control(struct stream *s, struct frame_control *control,
                              uint64_t frame);
/* Take a READY frame out of its slot, and keep it as the held frame. No effect
 * for a frame that is not in the window. */
void spn__stream_hold_frame(struct stream *s, uint64_t frame);
/* Free the held frame, if there is one. */
void spn__stream_drop_held_frame(struct stream *s);

/* Pages of a promise that are not used yet. */
static inline uint32_t stream_unused_pages(uint32_t promise, uint32_t used)
{
    return promise > used ? promise - used : 0;
}

#endif
