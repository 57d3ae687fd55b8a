/* frame.h - the memory of one decoded frame.
 *
 * A stream (stream.h) reads frames from a cache file, allocates memory for them
 * here, and has jobs decode them into that memory. It frees a frame when
 * playback has passed it.
 *
 * Terms
 *
 *   group      consecutive frames that are read and decoded together. A frame
 *              may *refer* to other frames: it is predicted from them, and is
 *              decoded after them
 *   tile       one part of a mesh, or several parts of small meshes. The tiles
 *              of a frame are decoded independently of each other
 *   block      one channel (positions, UVs ...) of one tile in one frame. Its
 *              number is the same in all frames of a cache
 *   directory  the table at the beginning of each frame in the file. It has one
 *              entry for each block: where its data is and how it is coded, or
 *              that this frame has no data for it (the block is *absent*)
 *   unit       one contiguous allocation of the heap, with room for one or more
 *              blocks
 *   plan       struct cache_plan (cache.h): the sizes of the units, and for
 *              each block its unit and its offset in the unit. The plan is the
 *              same for all frames of a cache
 *   launch     to allocate the frames of a group and submit their decode jobs
 *   caller's thread
 *              the thread that calls spn_update. It owns everything here before
 *              the launch and after the last job of the group
 *
 * Unit 0 begins with the *control record*:
 *
 *   unit 0:  | frame_control | addresses of units | handles of units |
 *            | tile states | copy of the directory | blocks ...      |
 *   others:  | blocks ...                                            |
 *
 * Unit 0 is always allocated. Another unit is allocated only if at least one of
 * its blocks is present in the frame.
 *
 * The directory decides which units are allocated before a job has validated
 * it. This is safe: a damaged directory can only select the wrong units, whose
 * sizes come from the plan. The frame fails when a job validates the directory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_FRAME_H
#define SPN_PLAY_FRAME_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/heap.h"
#include "cache/cache_header.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;
struct stream_group;

/* Bits of tile_state.flags. */

#define TILE_DONE 1u /* decoded, absent or failed; will not change */
/* A group that was launched later refers to this tile, and must be notified
 * when it is done. */
#define TILE_SUBSCRIBED 2u
#define TILE_FAILED 4u /* it could not be decoded */
#define TILE_ABSENT 8u /* the frame has no data for it in the file */
/* The bits above these hold the first error of the tile: flags >>
 * TILE_STATUS_SHIFT is the negated spn_status; 0: no error. */
#define TILE_STATUS_SHIFT 8

/* The flags of a tile that failed with this error. */
static inline uint32_t tile_failure(spn_status status)
{
    SPN_ASSERT(status < 0);
    return TILE_FAILED | (uint32_t)(0 - status) << TILE_STATUS_SHIFT;
}

/* The error in the flags of a tile; SPN_OK if it did not fail. */
static inline spn_status tile_status(uint32_t flags)
{
    return (spn_status)(0 - (int32_t)(flags >> TILE_STATUS_SHIFT));
}

/* The state of one tile while the frame is decoded. */
struct tile_state {
    /* atomic */
    struct atomic_u32 counter; /* how many things it still waits for: its own
                                * data, and each frame to which it refers. At
                                * zero it can be decoded */
    struct atomic_u32 flags;   /* TILE_*, and the error */
    /* owned by the worker that decremented the counter to zero */
    struct tile_state *next_ready; /* next in the worker's list of tiles to
                                    * decode */
    /* caller's thread, before the launch; then fixed */
    struct stream_group *group; /* the group of its frame */
    uint32_t argument; /* which tile this is: index of its frame in the group
                        * << 24 | number of the tile in the frame */
};

/* The control record of one frame. Its arrays follow it in unit 0. */
struct frame_control {
    /* caller's thread, before the launch; then fixed */
    uint8_t **units;          /* address of each unit; NULL: not allocated */
    heap_handle *handles;     /* of each unit; 0: not allocated */
    struct tile_state *tiles; /* one for each tile of the cache */
    uint32_t pages;           /* heap pages of all allocated units */
    void *vertices; /* the engine's buffer for this frame (spn_frame_buffers);
                     * NULL: none */
    /* the memory is fixed; its bytes are written by the job that decompresses
     * the frame, then fixed */
    uint8_t *directory; /* a validated copy of the frame's directory, because
                         * the read buffer may be freed before the tiles are
                         * decoded */
    /* written by the job that first sets FRAME_FAULT (a bit of
     * stream_frame.failed, stream.h); then read by the caller's thread */
    struct spn_fault fault; /* valid only if FRAME_FAULT is set */
};

/* Size of the control record with its arrays, in bytes. */
size_t spn__frame_control_bytes(const struct cache_header *header);

/* Address of a block; NULL if its unit is not allocated. Any thread, until
 * spn__frame_free.
 *
 * block  number of the block */
uint8_t *spn__frame_block(const struct cache *c,
                          const struct frame_control *control, uint32_t block);

/* Allocate all units that a frame needs. If one cannot be allocated, none is.
 * Caller's thread.
 *
 * read_block   heap handle of the read buffer that holds the frame
 * read_offset  where the frame's directory begins in this buffer, in bytes
 * has_data     false: the frame did not arrive; only unit 0 is allocated
 * out          the control record. The tile states, the copy of the directory
 *              and the fault are all zero
 *
 * Returns what spn__heap_alloc returns. */
SPN_NODISCARD spn_status spn__frame_alloc(struct cache *c,
                                          heap_handle read_block,
                                          uint32_t read_offset, bool has_data,
                                          struct frame_control **out);
/* Free all units of a frame. Caller's thread. */
void spn__frame_free(struct cache *c, struct frame_control *control);

#endif
