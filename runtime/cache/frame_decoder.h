/* frame_decoder.h - one frame of a cache: from stored bytes to decoded tiles.
 *
 * A stored frame is a directory and one block for each animated channel of each
 * tile, besides the blocks with node transforms. Decoding it takes three steps:
 *
 *   1. spn__frame_validate checks the directory. Do this first, once.
 *   2. spn__frame_unpack checks and decompresses one block into its memory.
 *   3. spn__tile_decode undoes the prediction of one tile, in place. Call it
 *      after all blocks of the tile are unpacked, and after the same tile of
 *      every frame that this one refers to is decoded.
 *
 * Steps 2 and 3 may run on any thread, and for several blocks or tiles at the
 * same time; each thread has a struct decode_scratch of its own (decoder.h). A
 * block that is damaged costs its tile, not the frame. In the runtime
 * play/stream_decode.c runs the steps, in the tool offline/cachefile.
 *
 * Every fault has its offset from the start of the file.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_FRAME_DECODER_H
#define SPN_CACHE_FRAME_DECODER_H

#include "cache/decoder.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct frame_decoder {
    const struct cache_decoder *cache;
    const struct cache_frame *frame; /* the frame's entry of the frame table */
    uint32_t number;                 /* of the frame, in display order */
    /* The first spn__cache_directory_bytes() bytes of the stored frame.
     * The caller owns them; they outlive the last tile. */
    const uint8_t *directory;
};

/* Check the directory: its checksum, the frame's number, the coding and the
 * size of every block. */
SPN_NODISCARD spn_status spn__frame_validate(const struct frame_decoder *d,
                                             struct spn_fault *fault);

/* -- blocks -- */

/* Visit all blocks of a validated frame in stored order:
 *
 *   struct frame_walk walk = frame_walk_begin(decoder);
 *   while (spn__frame_walk_next(&walk))
 *       ... walk.block, walk.entry ...
 */
struct frame_walk {
    const struct frame_decoder *frame; /* the decoder of the frame */
    uint32_t next;        /* number of the block that is visited next */
    uint32_t block;       /* number of the block that is visited now */
    uint32_t next_offset; /* of block `next`, from the start of the frame */
    struct cache_block_entry entry; /* of `block` */
};

static inline struct frame_walk frame_walk_begin(const struct frame_decoder *d)
{
    return (struct frame_walk){
        .frame = d,
        .next_offset = spn__cache_directory_bytes(d->cache->header)};
}

/* False behind the last block. */
bool spn__frame_walk_next(struct frame_walk *walk);

/* Check the block walk->block, decompress it to `target` (cache_block.raw_bytes
 * bytes, aligned to 16), and validate node transforms. A frame may lack blocks:
 * do not call this if walk->entry.is_absent.
 *
 * `stored` holds walk->entry.stored_bytes bytes, in any memory that the call
 * does not write. They may also lie at the address
 * decode_scratch_stored(scratch) within the scratch memory: this step does not
 * write there before it has read them. */
SPN_NODISCARD spn_status spn__frame_unpack(const struct frame_walk *walk,
                                           const void *stored, void *target,
                                           const struct decode_scratch *scratch,
                                           struct spn_fault *fault);

/* -- tiles -- */

struct tile_job {
    const struct frame_decoder *frame; /* the decoder of the frame */
    uint32_t tile;
    /* For each animated channel of the tile. In: the unpacked block. Out: the
     * decoded values. The caller owns the memory. NULL: the tile has no such
     * channel, or it is static. */
    uint8_t *values[CHANNEL_COUNT];
    /* The same tile in the frames that this frame refers to, in the order of
     * cache_frame.reference. */
    struct tile_reference references[CACHE_REFERENCES_MAX];
};

/* Decode all animated channels. Returns SPN_OK, or why the tile is lost.
 * `fault` must be zero before the call. It stays zero if a frame that this one
 * refers to has failed: the result is then the status of that frame's tile. */
SPN_NODISCARD spn_status spn__tile_decode(const struct tile_job *job,
                                          const struct decode_scratch *scratch,
                                          struct spn_fault *fault);

#endif
