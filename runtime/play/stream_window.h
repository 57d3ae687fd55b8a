/* stream_window.h - groups enter, finish and leave a stream's window.
 *
 * A frame is freed when no one needs it: it lies before retire_before, is not
 * pinned, and no frame that is still to be decoded refers to it. The last means
 * that its own group is complete, and the next group, too, if that refers to
 * this frame. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_WINDOW_H
#define SPN_PLAY_STREAM_WINDOW_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* True if the tables have room for so many more groups and frames. */
bool spn__stream_has_room(const struct stream *s, uint32_t group_count,
                          uint32_t frame_count);
/* Append a group.
 *
 * place           directly behind the last group, if there is one
 * read            index of the read that brings it
 * is_anchor_only  only its anchor is needed */
void spn__stream_push(struct stream *s, uint64_t place, uint32_t read,
                      bool is_anchor_only);
/* Remove the first or the last group: free its frames, release its read. No job
 * of it runs. A removed last group is the next one to be requested. */
void spn__stream_pop_front(struct stream *s);
void spn__stream_pop_back(struct stream *s);
/* Take over the results of jobs that have ended. Returns how many frames are
 * still running. */
uint32_t spn__stream_collect(struct stream *s);
/* Free the frames and groups that playback has passed. */
void spn__stream_retire(struct stream *s);

#endif
