/* stream_read.h - a stream starts its reads.
 *
 * A read is due when less than buffer_ahead_min_ms (a tuning variable) of the
 * clip has been requested beyond the playback time. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_READ_H
#define SPN_PLAY_STREAM_READ_H

#include "play/stream.h"

#include <stdbool.h>

/* Start one read, if one is due and there is memory for it. True if it was
 * started. */
bool spn__stream_read(struct stream *s);
/* Start the reads in READ_RETRY again, behind the damaged bytes. */
void spn__stream_retry(struct stream *s);

#endif
