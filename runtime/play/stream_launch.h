/* stream_launch.h - allocate the frames of a group and submit its jobs.
 *
 * Groups are launched in the order of playback, when their first frame comes
 * within decode_ahead_ms (a tuning variable) of the playback time. A launch
 * allocates the memory of all frames of the group or of none, then sets all
 * counters, then submits the jobs. If the table of jobs is full, the rest is
 * submitted at the next update. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_LAUNCH_H
#define SPN_PLAY_STREAM_LAUNCH_H

#include "play/stream.h"

/* Launch the groups that are due, have been read, and find memory. */
void spn__stream_launch(struct stream *s);
/* Submit jobs of launched groups for which the table had no room before. */
void spn__stream_submit(struct stream *s);

#endif
