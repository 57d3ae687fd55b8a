/* stream_window.h - groups enter, finish and leave a stream's window.
 *
 * A frame is freed if it lies before stream.retire_before, is not pinned, and
 * no frame that still has to be decoded refers to it: its own group is
 * complete, and, if the frame is the anchor of the next group, that group too.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_WINDOW_H
#define SPN_PLAY_STREAM_WINDOW_H

#include "play/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* True if the tables have room for this many more groups and frames. */
bool spn__stream_has_room(const struct stream *s, uint32_t group_count,
                          uint32_t frame_count);
/* Append a group.
 *
 * place           the place after that of the last group; any if the window is
 *                 empty
 * read            index of the read that brings it
 * is_anchor_only  only its anchor is needed */
void spn__stream_push(struct stream *s, uint64_t place, uint32_t read,
                      bool is_anchor_only);
/* Remove the first or the last group: free its frames, release its read. No job
 * of the group may be running. After pop_back the removed group is the next one
 * to request. */
void spn__stream_pop_front(struct stream *s);
void spn__stream_pop_back(struct stream *s);
/* Take over the results of jobs that have ended. Returns how many frames are
 * still running. */
uint32_t spn__stream_collect(struct stream *s);
/* Free the frames and groups that playback has passed. */
void spn__stream_retire(struct stream *s);

#endif
