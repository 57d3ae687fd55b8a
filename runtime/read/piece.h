/* piece.h - plan one piece of a read: which bytes the device reads, and to
 * where.
 *
 * Bytes that the device can write straight to their destination go there, in at
 * most SPN_PLATFORM_EXTENTS_MAX extents. Where offset, length or memory is not
 * aligned as the device demands, they go through a staging buffer and are
 * copied. Arithmetic only; nothing is read here. Owner: the io thread.
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

/* Destination of a read: a buffer, or extents, or a heap block. A cursor makes
 * ascending addresses cheap. */
struct piece_target {
    uint8_t *buffer;           /* NULL: `extents` */
    const spn_extent *extents; /* NULL: `block` of `heap` */
    const struct heap *heap;
    heap_handle block;
    uint32_t extent;       /* cursor: the extent that was used last */
    uint64_t extent_start; /* byte of the read where that extent begins */
};

/* The bytes of a read that are missing, and the limits of a piece. */
struct piece_range {
    uint64_t offset;    /* in the file, of the first byte still missing */
    uint64_t at;        /* the same byte, counted from the start of the read */
    uint64_t bytes;     /* still missing, > 0 */
    uint32_t bytes_max; /* of one piece; multiple of align_bytes */
    uint32_t align_bytes; /* the device's */
    uint8_t *staging;     /* PIECE_STAGING_BYTES, PIECE_ALIGN_MAX aligned */
};

struct piece {
    uint64_t offset; /* in the file, as the device is asked */
    uint64_t at;     /* of the read: where its useful bytes begin */
    uint32_t bytes;  /* sum of the extents */
    uint32_t useful; /* bytes of the read that a full arrival brings */
    uint32_t skip;   /* staged: bytes before the useful ones */
    bool is_staged;
    uint32_t extent_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
};

/* Address of byte `at` of the read; *bytes: how many lie there in one row, as
 * far as 32 bits count.
 * `at` never goes back. */
uint8_t *spn__piece_target(struct piece_target *target, uint64_t at,
                           uint32_t *bytes);
/* Choose the next piece. */
void spn__piece_plan(struct piece *piece, struct piece_target *target,
                     const struct piece_range *range);
/* Bytes of a piece of at most `bytes` at a place on the disc, so that a longer
 * read is cut where a block ends: a block is never read for two pieces. 0
 * block_bytes, or a piece that ends in its first block: all of them. */
uint32_t spn__piece_cut(uint64_t place, uint32_t bytes, uint32_t block_bytes);
/* How long pieces are where one of `bytes` could not be read: a multiple of
 * PIECE_ALIGN_MAX, some eighth of it. */
uint32_t spn__piece_smaller(uint32_t bytes);
/* `arrived` bytes came from the front: bring staged ones home. Returns how
 * many bytes of the read that makes. */
uint32_t spn__piece_finish(const struct piece *piece,
                           struct piece_target *target, const uint8_t *staging,
                           uint64_t arrived);

#endif
