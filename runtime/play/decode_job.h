/* decode_job.h - the jobs that decode a launched frame.
 *
 * The first job of a frame validates its directory and decompresses its blocks.
 * Then each tile of the frame is decoded as soon as its data and the tiles to
 * which it refers are there. Workers run the jobs; decoded_frame.h says what
 * they share with the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_DECODE_JOB_H
#define SPN_PLAY_DECODE_JOB_H

#include "base/jobs.h"
#include "play/decoded_frame.h"

#include <stdint.h>

/* Decompress one frame, and decode the tiles that become ready.
 *
 * context  the struct decoded_frame */
void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* Decode one tile that became ready.
 *
 * context  its struct tile_state */
void spn__decode_tile_job(void *context, uint32_t argument,
                          struct job_worker *worker);
/* A tile for which this one waits is final already: count it down. Caller's
 * thread, during the launch; the tile does not become ready by it, because its
 * own data is not there yet. */
void spn__decode_count_down(struct tile_state *tile);

#endif
