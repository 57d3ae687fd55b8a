/* stream_life.h - a stream begins, goes on at a new time, and ends.
 *
 * To *drain* is to end: reads are aborted, jobs skip their work, and when all
 * of them have ended, the memory is freed. A seek is a drain after which the
 * stream begins again. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_LIFE_H
#define SPN_PLAY_STREAM_LIFE_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Begin at the frame stream.wanted. The cache must be READY and the window
 * empty. If the clip can never fit the heap or the tables, the stream stays
 * inactive, and stream.status is the reason. */
void spn__stream_begin(struct stream *s);
/* True if playback can go on at this position without a seek. The stream must
 * be active and not draining. */
bool spn__stream_covers(const struct stream *s, uint64_t frame);
/* Start to drain. No effect if the stream is inactive or drains already. */
void spn__stream_drain(struct stream *s);
/* Go on draining. True when everything is freed and the stream is inactive.
 *
 * keeps_held  true: keep one frame as the held frame; false: free all frames
 * keep        position of the frame to keep, which must be READY;
 *             STREAM_NO_PLACE: keep the present held frame */
bool spn__stream_drain_step(struct stream *s, bool keeps_held, uint64_t keep);

#endif
