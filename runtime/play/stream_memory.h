/* stream_memory.h - a stream's promised pages and its decoded frames.
 *
 * An active stream gets a promise (promise.h): pages for decoded frames and for
 * one read of the largest group. There are two sizes, which cache.h computes:
 * the full promise is enough to play without a gap, the smallest promise is
 * just enough to play at all. The stream gets the full promise if it fits the
 * heap beside the static data and the other promises. Otherwise it keeps the
 * promise that it has; if it has none, it gets the smallest one. If that does
 * not fit either, the stream gets nothing, and waits until other streams stop.
 * Caller's thread.
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
/* True if the stream is active but waits for a promise.
 *
 * bytes  the result: how large the heap must be for the smallest promise of
 *        this stream, beside the static data and the other promises of this
 *        moment */
bool spn__stream_awaits_memory(const struct stream *s, uint64_t *bytes);

/* Free a frame's memory, after giving its buffer back to the engine.
 *
 * frame  position of the frame */
void spn__stream_free_control(struct stream *s, struct frame_control *control,
                              uint64_t frame);
/* Take a frame out of its slot, and keep it as the held frame. The frame must
 * be READY; no effect if it is not in the window.
 *
 * frame  position of the frame */
void spn__stream_hold_frame(struct stream *s, uint64_t frame);
/* Free the held frame, if there is one. */
void spn__stream_drop_held_frame(struct stream *s);

/* Pages of a promise that are not used yet. */
static inline uint32_t stream_unused_pages(uint32_t promise, uint32_t used)
{
    return promise > used ? promise - used : 0;
}

#endif
