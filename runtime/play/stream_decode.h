/* stream_decode.h - the jobs that decode the frames of a launched group.
 *
 * One job for each frame validates the frame's directory and decompresses its
 * blocks. Then each tile of the frame is decoded as soon as its data and the
 * tiles to which it refers are there. Workers run the jobs; stream.h says what
 * they share with the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_DECODE_H
#define SPN_PLAY_STREAM_DECODE_H

#include "base/jobs.h"
#include "play/stream.h"

#include <stdint.h>

/* Decompress one frame, and decode the tiles that become ready.
 *
 * context   the struct stream_group
 * argument  index of the frame in the group */
void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* Decode one tile that became ready.
 *
 * context  its struct tile_state */
void spn__decode_tile_job(void *context, uint32_t argument,
                          struct job_worker *worker);
/* Tell the frames of a group that a tile of the group's anchor is decoded: each
 * frame that refers to the anchor waits for one thing less in this tile. Call
 * it during the launch of the group. No tile becomes ready by it, because their
 * own data is not decompressed yet. Caller's thread. */
void spn__decode_release_anchor(struct stream_group *g, uint32_t tile);

#endif
