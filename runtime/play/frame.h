/* frame.h - the memory of one decoded frame: its control record and blocks.
 *
 * A frame occupies a few heap blocks, the *units* of the cache's plan
 * (cache.h). Unit 0 begins with the control record: the addresses of the units,
 * a copy of the frame's directory, and one state for each tile. A block that
 * the file leaves out of this frame has no memory, unless another block in its
 * unit is present.
 *
 * Which blocks are present is read from the directory in the read buffer before
 * a job has validated it. A damaged directory only causes other units of the
 * same sizes to be allocated; the frame fails when it is validated.
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
#define TILE_DONE 1u       /* decoded, absent or failed; will not change */
#define TILE_SUBSCRIBED 2u /* the same tile in the next group waits for it */
#define TILE_FAILED 4u
#define TILE_ABSENT 8u /* the file has no data for it in this frame */
/* The bits from here on: the first error of the tile, negated; 0: none. */
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

struct tile_state {
    /* atomic */
    struct atomic_u32 counter; /* how many things it still waits for: its own
                                  data, and each frame to which it refers */
    struct atomic_u32 flags;   /* TILE_*, and the error */
    /* owned by the worker that decremented the counter to zero */
    struct tile_state *next_ready; /* next in the worker's list of tiles to
                                      decode */
    /* caller, before the launch; then fixed */
    struct stream_group *group;
    uint32_t argument; /* index of the frame in the group << 24 | tile */
};

struct frame_control {
    /* caller, before the frame is launched; then fixed */
    uint8_t **units;      /* address of each unit; NULL: not allocated */
    heap_handle *handles; /* of each unit; 0: not allocated */
    struct tile_state *tiles;
    uint32_t pages; /* heap pages of all units */
    void *vertices; /* the engine's buffer for this frame; NULL: none */
    /* written by the job that decompresses the frame, then fixed */
    uint8_t *directory; /* copy of the frame's directory, after validation */
    /* written by the job that sets FRAME_FAULT first, then read by the caller
     */
    struct spn_fault fault;
};

/* Size of the control record, in bytes. */
size_t spn__frame_control_bytes(const struct cache_header *header);

/* Address of a block; NULL if its unit is not allocated. Any thread while the
 * frame lives. */
uint8_t *spn__frame_block(const struct cache *c,
                          const struct frame_control *control, uint32_t block);

/* Allocate a frame: all units that it needs, or none. All tile states are zero.
 * Caller's thread.
 *
 * read_block   buffer of the read that brought the frame
 * read_offset  where the frame's directory begins in this buffer, in bytes
 * has_data     false: the frame did not arrive; only unit 0 is allocated
 *
 * Returns what spn__heap_alloc returns. */
SPN_NODISCARD spn_status spn__frame_alloc(struct cache *c,
                                          heap_handle read_block,
                                          uint32_t read_offset, bool has_data,
                                          struct frame_control **out);
/* Free all units. Caller's thread. */
void spn__frame_free(struct cache *c, struct frame_control *control);

#endif
