/* stream_evict.h - a stream gives memory back before playback has used it.
 *
 * The manager calls these when an allocation failed that other memory than the
 * stream's promise could satisfy. What is given back is read and decoded again
 * later. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_EVICT_H
#define SPN_PLAY_STREAM_EVICT_H

#include "play/stream.h"

#include <stdbool.h>

/* Remove the last groups of the window that lie beyond the promise and are not
 * needed soon: those of one read, then decoded ones. The stream is active and
 * not draining. False if there is none. */
bool spn__stream_evict(struct stream *s);
/* Call it when no stream can evict anything. If this stream has lacked memory
 * for some time, its own frames fragment the heap: free the held frame, or, if
 * there is none, drain and begin again. False if nothing was done. */
bool spn__stream_make_room(struct stream *s);

#endif
