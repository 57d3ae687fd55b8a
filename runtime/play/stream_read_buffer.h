/* stream_read_buffer.h - the reads of a stream that have been started.
 *
 * Several groups can share one read. Its buffer is freed when the last of them
 * has released it and the device does not write into it any more.
 *
 * A read can fail because a few bytes of the file are damaged. The io thread
 * then repeats it and finds where the damage is, to a multiple of
 * STREAM_READ_ALIGN. The stream goes on with the first frame that begins behind
 * the damage, so only the frames that contain it are lost. Each attempt loses
 * at least one frame, so the number of attempts is bounded. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_READ_BUFFER_H
#define SPN_PLAY_STREAM_READ_BUFFER_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Free the buffer of a read. The device must not write into it any more. */
void spn__stream_free_read(struct stream *s, struct stream_read *r);
/* A group does not need its read any more. No effect if it has none. */
void spn__stream_release_read(struct stream *s, struct stream_group *g);
/* Abort all pending reads; their completions still come. */
void spn__stream_abort_reads(struct stream *s);
/* True while a completion is outstanding. */
bool spn__stream_has_pending_reads(const struct stream *s);

/* The completion of a read (io_read.on_done).
 *
 * context   the struct stream
 * argument  index in stream.reads */
void spn__stream_on_read(void *context, uint32_t argument,
                         const struct io_result *result);
/* Group i of the window (0: the first one) if it needs read `index`; otherwise
 * NULL. */
struct stream_group *spn__stream_group_of_read(const struct stream *s,
                                               uint32_t index, uint32_t i);

#endif
