/* frame.h - one decoded frame in the heap: its control and its blocks.
 *
 * A frame is a few heap blocks, the *units* of the cache's plan. Unit 0 begins
 * with the control: where the units are, the frame's own directory, and one
 * state for each tile. Blocks that are absent in the file have no memory
 * unless they share a unit with one that is there.
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
#define TILE_DONE 1u       /* decoded, absent or failed: final */
#define TILE_SUBSCRIBED 2u /* the next group waits for it */
#define TILE_FAILED 4u
#define TILE_ABSENT 8u
/* Above them: why it failed, of several reasons the first; 0: it did not. */
#define TILE_STATUS_SHIFT 8

/* Bits of a tile that failed with an error. */
static inline uint32_t tile_failure(spn_status status)
{
    SPN_ASSERT(status < 0);
    return TILE_FAILED | (uint32_t)(0 - status) << TILE_STATUS_SHIFT;
}

/* SPN_OK where it did not fail. */
static inline spn_status tile_status(uint32_t flags)
{
    return (spn_status)(0 - (int32_t)(flags >> TILE_STATUS_SHIFT));
}

struct tile_state {
    /* atomic */
    struct atomic_u32 counter; /* 1 (its data) + references waited for */
    struct atomic_u32 flags;
    /* the worker that brought the counter to zero */
    struct tile_state *next_ready;
    struct stream_group *group;
    uint32_t argument; /* frame in group << 24 | tile */
};

struct frame_control {
    /* caller, before the frame is launched; then fixed */
    uint8_t **units; /* NULL: nothing in it */
    heap_handle *handles;
    struct tile_state *tiles;
    uint32_t pages;
    void *vertices; /* the engine's, of this frame; NULL: none */
    /* the decompress job, then fixed: judged */
    uint8_t *directory;
    /* whoever sets the frame's failed bit first; then the caller */
    struct spn_fault fault;
};

/* Bytes at the front of unit 0. */
size_t spn__frame_control_bytes(const struct cache_header *header);

/* Block `block` of a frame: address, or NULL when it has no memory. */
uint8_t *spn__frame_block(const struct cache *c,
                          const struct frame_control *control, uint32_t block);

/* Caller's thread: allocate a frame whose directory lies at `read_offset` of a
 * read buffer; without data only unit 0. On SPN_OK the control is cut and all
 * tiles are zeroed. All or nothing. */
SPN_NODISCARD spn_status spn__frame_alloc(struct cache *c,
                                          heap_handle read_block,
                                          uint32_t read_offset, bool has_data,
                                          struct frame_control **out);
void spn__frame_free(struct cache *c, struct frame_control *control);

#endif
