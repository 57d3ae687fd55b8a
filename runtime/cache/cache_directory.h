/* cache_directory.h - the directory of a frame: how each block is stored.
 *
 * A stored frame begins with its directory: a checksum, the frame's number, an
 * entry of 12 bytes for each block, in the order of cache_tables.blocks, and
 * the boxes of its meshes (cache_box.h). The blocks follow in the same order,
 * without gaps. FORMAT.md and
 * struct wire_directory_entry (cache_wire.h) have the layout of an entry. All
 * checksums are XXH32; that of the directory covers the rest of the directory.
 * The functions read the caller's memory and keep nothing; any thread may call
 * them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_DIRECTORY_H
#define SPN_CACHE_CACHE_DIRECTORY_H

#include "cache/cache_frame_table.h"
#include "cache/cache_tables.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define CACHE_DIRECTORY_HEAD_BYTES 8u
#define CACHE_DIRECTORY_ENTRY_BYTES 12u

/* How one block is stored. */
struct cache_block_entry {
    uint32_t offset;       /* from the start of the frame */
    uint32_t stored_bytes; /* 0 if the block is absent */
    uint32_t checksum;     /* of the stored bytes */
    bool is_raw;           /* stored without compression */
    bool is_absent;        /* the frame does not contain the block */
    uint8_t coding;        /* enum coding: how its values are predicted */
    uint8_t order;         /* enum residual_order: bytes interleaved, or in
                            * planes */

    /* The formulas of CODING_TEMPORAL (predict.h) have these numbers, 0..255.
     * They are 0 for any other coding. */

    uint8_t motion_factor; /* a: motion between frames, in 128ths */
    uint8_t lerp_factor;   /* b: time between two index frames, in 256ths */
    uint8_t motion_weight; /* c: of the value by motion, in 128ths; the value by
                            * interpolation has the rest of 128 */
};

/* Validate a directory as a whole: its checksum, the frame's number, that each
 * entry fits its block, that the sizes add up to the frame's, and its boxes. */
SPN_NODISCARD spn_status spn__cache_directory_validate(
    const struct cache_header *header, const struct cache_tables *tables,
    const struct cache_frame *frame, uint32_t number, const uint8_t *directory,
    struct spn_fault *fault);

/* Read the entry of a block from a validated directory. `offset` is where the
 * block starts in the frame: spn__cache_directory_bytes() plus the stored bytes
 * of all blocks before it. */
void spn__cache_directory_read(const uint8_t *directory, uint32_t block,
                               uint32_t offset,
                               struct cache_block_entry *entry);

/* How a blob is stored, in the form of such an entry. */
static inline struct cache_block_entry cache_blob_entry(
    const struct cache_blob *blob)
{
    return (struct cache_block_entry){.stored_bytes = blob->stored_bytes,
                                      .checksum = blob->checksum,
                                      .is_raw = blob->is_raw,
                                      .coding = blob->coding,
                                      .order = blob->order};
}

#endif
