/* stream_evict.h - a stream gives memory back before playback has used it.
 *
 * The manager calls these functions when an allocation has failed (promise.h).
 * Evicted frames are read and decoded again later. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_EVICT_H
#define SPN_PLAY_STREAM_EVICT_H

#include "play/stream.h"

#include <stdbool.h>

/* Remove groups from the end of the window while the stream uses more memory
 * than its promise and the groups are not needed soon: first all groups that
 * share the last read, then decoded groups. The stream must be active and not
 * draining. False if nothing was removed. */
bool spn__stream_evict(struct stream *s);
/* Free memory of a stream that has lacked memory for some time, because its own
 * frames fragment the heap: free the held frame, or, if there is none, drain
 * and begin again. Call it if no stream can evict anything. False if nothing
 * was done. */
bool spn__stream_make_room(struct stream *s);

#endif
