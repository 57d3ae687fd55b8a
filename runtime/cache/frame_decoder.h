/* frame_decoder.h - decodes one frame of a cache.
 *
 * The vertices of a cache are divided into tiles (cache/FORMAT.md). A channel
 * is one attribute of vertices, such as positions; it is either animated or
 * static. A stored frame is a directory and blocks. A block is one animated
 * channel of one tile, or a run of node transforms; the directory says how each
 * block is coded and how long it is.
 *
 * Decoding a frame takes three steps, which the example below shows:
 *
 *   1. spn__frame_validate() checks the directory. Call it first, once.
 *   2. spn__frame_unpack() checks and decompresses one block.
 *   3. spn__tile_decode() undoes the prediction of one tile, in place. Call it
 *      after all blocks of the tile are unpacked, and after the same tile is
 *      decoded in every frame that this one refers to.
 *
 * Steps 2 and 3 may run on any thread, and on several threads at the same time
 * for different blocks or tiles. Each thread has a struct decode_scratch of its
 * own (decoder.h). If a block is damaged, its tile is lost; the other tiles of
 * the frame are not. The runtime runs the steps in jobs (play), the tool in
 * offline/cachefile.
 *
 * The offset of every fault counts from the start of the file.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_FRAME_DECODER_H
#define SPN_CACHE_FRAME_DECODER_H

#include "cache/decoder.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

/* The frame to decode. The caller owns everything, and keeps it until the last
 * tile is decoded. */
struct frame_decoder {
    const struct cache_decoder *cache;
    const struct cache_frame *frame; /* the frame's entry in the frame table */
    uint32_t number;                 /* of the frame, in display order */
    /* The first spn__cache_directory_bytes() bytes of the stored frame. */
    const uint8_t *directory;
};

/* Check the directory: its checksum, the frame's number, the coding and the
 * size of every block. */
SPN_NODISCARD spn_status spn__frame_validate(const struct frame_decoder *d,
                                             struct spn_fault *fault);

/* -- blocks -- */

/* A walk over all blocks of a validated frame, in stored order. `block` is an
 * index of cache_tables.blocks, which says whose block it is and how long it is
 * unpacked. To decode a whole frame:
 *
 *   struct frame_walk walk = frame_walk_begin(d);
 *
 *   while (spn__frame_walk_next(&walk)) {
 *       const struct cache_block *b = &d->cache->tables->blocks[walk.block];
 *
 *       if (walk.entry.is_absent)
 *           continue;
 *       target = ... b->raw_bytes bytes of memory ...
 *       spn__frame_unpack(&walk, frame + walk.entry.offset, target, ...);
 *       if (b->kind == CACHE_BLOCK_CHANNEL)
 *           jobs[b->tile].values[b->channel] = target;
 *   }
 *   for (each tile of which no block is absent)
 *       spn__tile_decode(&jobs[tile], ...);
 */
struct frame_walk {
    const struct frame_decoder *decoder;
    uint32_t block;                 /* number of the current block */
    struct cache_block_entry entry; /* directory entry of the current block */
    uint32_t next;                  /* number of the next block */
    uint32_t next_offset; /* of the next block, from the start of the frame */
};

static inline struct frame_walk frame_walk_begin(const struct frame_decoder *d)
{
    return (struct frame_walk){
        .decoder = d,
        .next_offset = spn__cache_directory_bytes(d->cache->header)};
}

/* Go to the next block. False if there is none. */
bool spn__frame_walk_next(struct frame_walk *walk);

/* Check and decompress the current block of a walk. Node transforms are
 * validated, too. A frame can lack the blocks of a tile whose meshes are hidden
 * in it: do not call this if walk->entry.is_absent is set.
 *
 * stored   walk->entry.stored_bytes bytes. They may lie in the scratch memory,
 *          but only at decode_scratch_stored(scratch): the call reads them
 *          before it writes there
 * target   gets cache_block.raw_bytes bytes; aligned to 16 */
SPN_NODISCARD spn_status spn__frame_unpack(const struct frame_walk *walk,
                                           const void *stored, void *target,
                                           const struct decode_scratch *scratch,
                                           struct spn_fault *fault);

/* -- tiles -- */

/* A tile to decode. The caller owns everything. */
struct tile_job {
    const struct frame_decoder *decoder; /* of the frame */
    uint32_t tile;                       /* number of the tile */
    /* For each animated channel of the tile: the memory that
     * spn__frame_unpack() has filled, aligned to 16. The call replaces the
     * unpacked block by the decoded values. If it fails, the contents are
     * undefined. NULL for other channels. */
    uint8_t *values[CHANNEL_COUNT];
    /* The same tile in each frame that this frame refers to, in the order of
     * cache_frame.reference. */
    struct tile_reference references[CACHE_REFERENCES_MAX];
};

/* Decode all animated channels of the tile. Do not call it for a tile with an
 * absent block: it has no values in this frame. Returns SPN_OK, or the reason
 * why the tile is lost. Before the call, `fault` must be zero. If the tile is
 * lost because it is lost in a frame that this one refers to, `fault` stays
 * zero, and the result is the status of that tile. */
SPN_NODISCARD spn_status spn__tile_decode(const struct tile_job *job,
                                          const struct decode_scratch *scratch,
                                          struct spn_fault *fault);

#endif
