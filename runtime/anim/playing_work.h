/* playing_work.h - the work on a clip that plays: decoding of its head and of
 * its segments.
 *
 * Each function is a job. Its context is the struct anim, its argument the
 * number of a playing clip or of a window (playing_clip.h), whose job it
 * completes. It uses only what that record has, the compressed bytes, and the
 * scratch memory of the worker.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAYING_WORK_H
#define SPN_ANIM_PLAYING_WORK_H

#include "base/jobs.h"

#include <stdint.h>

/* Fill track_bytes, window_bytes, table_bytes and the header of a playing
 * clip. */
void spn__playing_measure(void *anim, uint32_t clip, struct job_worker *worker);
/* Fill its tracks, in its block. */
void spn__playing_fill(void *anim, uint32_t clip, struct job_worker *worker);
/* Decode a segment to a window that has memory. */
void spn__playing_decode_segment(void *anim, uint32_t window,
                                 struct job_worker *worker);

#endif
