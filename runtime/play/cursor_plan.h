/* cursor_plan.h - which frames and groups a cursor needs, and their launch.
 *
 * At each update, first every cursor plans: it marks what it needs of the
 * memory that is there (kept.h), in the order of importance, and holds it as
 * far as its promise goes:
 *
 *   1. what it launched and reads,
 *   2. the wanted frames, and of those that are not decoded the frames to which
 *      they refer, directly or not,
 *   3. the frames that are shown meanwhile,
 *   4. likewise the frames ahead, up to the decode-ahead time,
 *   5. the frames that were shown before, for previous positions,
 *   6. some more frames ahead that are decoded already.
 *
 * Frames that it leaves out (level.h) are passed over. Then the cursors launch
 * what is missing, nearest deadline first over all of them, no more at a time
 * than keeps the workers busy (decode_pace.h). A cursor that found no memory
 * for its wanted frames holds nothing but 1, 2 and 3 at the next update; after
 * some time it gives up 3, and frees the reads beyond its promise.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_PLAN_H
#define SPN_PLAY_CURSOR_PLAN_H

#include "play/cursor.h"

/* Mark what it needs; set slack_us, read_slack_us and the next group to read.
 * All frames that have ended were collected. */
void spn__cursor_plan(struct cursor *s);
/* Launch the frames that are due, were read, and find memory. */
void spn__cursor_launch(struct cursor *s);
/* After a leap (cursor_life.h): launch the wanted frames whose bytes are on
 * their way, and the index frame for which it scrubs. Call it after the start
 * of reads. */
void spn__cursor_launch_early(struct cursor *s);

#endif
