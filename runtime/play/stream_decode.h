/* stream_decode.h - the jobs that decode the frames of a launched group.
 *
 * One job for each frame validates the frame's directory (frame.h) and
 * decompresses its blocks. Each tile of the frame is decoded when its own data
 * is decompressed and the same tile of each frame to which it refers is
 * decoded. Workers run the jobs; stream.h says what they share with the
 * caller's thread.
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
/* Notify the frames of a group that a tile of the group's anchor is decoded:
 * the counter (tile_state) of this tile is decremented in each frame that
 * refers to the anchor. Call it during the launch of the group. No counter
 * becomes zero then, because the frames' own data is not decompressed yet.
 * Caller's thread. */
void spn__decode_release_anchor(struct stream_group *g, uint32_t tile);

#endif
