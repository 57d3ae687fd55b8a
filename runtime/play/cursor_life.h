/* cursor_life.h - a cursor begins, follows the playback time, and ends.
 *
 * Direction and rate. A cursor begins forward at normal speed. The steps of the
 * playback time (cursor.h) change that: two steps against the direction in a
 * row turn it round. The rate is a mean of the speeds of the last steps, from 1
 * to 8 times the normal speed. A step of more than 0.5 s is a *jump*: it
 * changes neither direction nor rate. If the user sets a rate, it and its sign
 * count instead.
 *
 * A cursor that begins, jumps or turns begins a traversal (cursor.h). While the
 * time stands still at frames that the device could not read, they are tried
 * again after 0.5 s, 1 s, and so on, up to each 8 s.
 *
 * Scrubbing. A leap is a jump, or a step faster than 8 times the speed; after
 * about a second of rest it is any step that is larger than the rate allows
 * since the last update. If the time leaps before the last target is shown, or
 * before it has been shown for as long as it took to show it, the cursor
 * *scrubs*: only the index frame nearest to the target is read and decoded. The
 * target itself follows when the time *rests*: when it has not leapt for as
 * long as the last target was wanted, but at most a quarter of a second. Any
 * slower step ends scrubbing.
 *
 * To *drain* is to end: the reads of the cursor that nobody else wants are
 * aborted, and when its reads and frames have ended its promise is returned.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_LIFE_H
#define SPN_PLAY_CURSOR_LIFE_H

#include "play/cursor.h"

#include <stdbool.h>

/* A longer step is a jump: at 8 times the speed, 60 ms pass between two. */
#define CURSOR_JUMP_US 500000

/* Begin at position_us; `wanted` is set. The cache is READY. If the clip can
 * never fit the heap or the tables, the cursor stays inactive and `status` says
 * why. */
void spn__cursor_begin(struct cursor *s);
/* Once an update: find direction and rate from the playback time. */
void spn__cursor_follow(struct cursor *s);
/* Once an update, after that: whether the wanted frames are shown. */
void spn__cursor_note_shown(struct cursor *s, bool is_shown);
/* The rate that the user sets, in thousandths; 0: it is measured again. */
void spn__cursor_set_rate(struct cursor *s, int32_t permille);
/* The span has changed, and spn__cursor_move was called since: begin a
 * traversal there. */
void spn__cursor_restart(struct cursor *s);
/* True if a frame is in memory, on its way, or next in the file: going there is
 * no seek. The cursor is playing. */
bool spn__cursor_covers(const struct cursor *s, uint64_t frame);
/* Frames that come back ahead (cursor.h, cut_from) come back at once. */
void spn__cursor_end_return(struct cursor *s);
/* Start to drain. No effect if it is inactive or drains already. */
void spn__cursor_drain(struct cursor *s);
/* True when it has drained: it is inactive now. */
bool spn__cursor_drain_step(struct cursor *s);

#endif
