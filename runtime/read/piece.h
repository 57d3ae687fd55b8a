/* piece.h - plan one piece of a read: the bytes that the device reads, and
 * their destinations.
 *
 * Bytes that the device can write straight to their destination go there, in at
 * most SPN_PLATFORM_EXTENTS_MAX extents. Where offset, length or memory is not
 * aligned as the device demands, they go through a staging buffer and are
 * copied. A piece is either staged as a whole or not at all. Arithmetic only;
 * nothing is read here. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PIECE_H
#define SPN_READ_PIECE_H

#include "base/heap.h"

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

/* Size of a staging buffer: one ECC block of a DVD, and a multiple of every
 * alignment. */
#define PIECE_STAGING_BYTES 32768u
/* The largest alignment of a device; the largest piece is a multiple of it. */
#define PIECE_ALIGN_MAX 4096u

/* Destination of a read: a buffer, extents, or a block of the heap. A
 * *target offset* counts bytes from the start of the destination. The cursor
 * makes lookups at ascending target offsets cheap. */
struct piece_target {
    uint8_t *buffer;           /* NULL: `extents` */
    const spn_extent *extents; /* NULL: `block` of `heap` */
    const struct heap *heap;
    heap_handle block;
    uint32_t extent;       /* cursor: the extent that was used last */
    uint64_t extent_start; /* target offset where that extent begins */
};

/* The bytes that a read still needs, and the limits of a piece. */
struct piece_range {
    uint64_t offset;        /* in the file, of the first byte that is needed */
    uint64_t target_offset; /* where that byte goes */
    uint64_t bytes;         /* still needed, > 0 */
    uint32_t bytes_max;     /* of one piece; multiple of align_bytes */
    uint32_t align_bytes;   /* that the device requires */
    uint8_t *staging;       /* PIECE_STAGING_BYTES, PIECE_ALIGN_MAX aligned */
};

struct piece {
    uint64_t offset;        /* in the file, of the first byte of the command */
    uint64_t target_offset; /* where the first useful byte goes */
    uint32_t bytes;         /* sum of the extents */
    uint32_t useful;        /* bytes of the read in the piece */
    uint32_t skip;          /* staged: bytes before the useful ones */
    bool is_staged;
    uint32_t extent_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
};

/* Address of a target offset, and the number of contiguous bytes from there on,
 * at most UINT32_MAX. The offset must not decrease between calls. */
uint8_t *spn__piece_address(struct piece_target *target, uint64_t target_offset,
                            uint32_t *bytes);
/* Choose the next piece. */
void spn__piece_plan(struct piece *piece, struct piece_target *target,
                     const struct piece_range *range);
/* Size of a piece of at most `bytes` at a place on the disc, cut at the end of
 * an ECC block, so that no block is read for two pieces. `bytes` if block_bytes
 * is 0, or if the piece ends in its first block. */
uint32_t spn__piece_cut(uint64_t place, uint32_t bytes, uint32_t block_bytes);
/* Size of pieces after a piece of `bytes` could not be read: about an eighth,
 * and a multiple of PIECE_ALIGN_MAX. */
uint32_t spn__piece_smaller(uint32_t bytes);
/* The first `arrived` bytes of the piece have arrived: copy staged bytes to
 * their destination. Returns the number of bytes of the read among them. */
uint32_t spn__piece_finish(const struct piece *piece,
                           struct piece_target *target, const uint8_t *staging,
                           uint64_t arrived);

#endif
