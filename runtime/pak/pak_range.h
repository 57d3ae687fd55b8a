/* pak_range.h - which bytes of a pak file a read of an entry needs.
 *
 * A read of an entry wants a range of the bytes of its content. If the content
 * is stored uncompressed, the range is contiguous in each copy. Otherwise the
 * read must fetch the whole blocks that contain the range, decode them, and
 * drop what was not wanted of the first and the last one. Arithmetic on a
 * validated index; no state, any thread. Offsets and sizes are bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_RANGE_H
#define SPN_PAK_PAK_RANGE_H

#include "disc/forecast.h"
#include "pak/pak_index.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct pak_range {
    struct pak_content content;
    /* What is wanted, of the decoded content. */
    uint64_t offset;
    uint64_t bytes;
    /* What must be read, from the start of any copy. */
    uint64_t stored_offset;
    uint64_t stored_bytes;
    /* Blocks of the content that contain it: first_block..block_limit - 1. */
    uint32_t first_block;
    uint32_t block_limit;
    bool is_packed; /* the blocks are compressed */
};

/* Resolve a range of a content. `bytes` 0: up to the end. SPN_ERR_RANGE: the
 * content has no such bytes, or they are more than `bytes_max`. */
SPN_NODISCARD spn_status spn__pak_range(const struct pak_index *index,
                                        uint32_t content, uint64_t offset,
                                        uint64_t bytes, uint64_t bytes_max,
                                        struct pak_range *out);

/* The wanted bytes of one decoded block. */
struct pak_part {
    uint64_t at;   /* of the first one, from the start of the range */
    uint32_t skip; /* bytes of the block before the first one */
    uint32_t bytes;
    bool is_whole; /* the whole block is wanted */
};

/* `block` is one of the range's and has `block_bytes` decoded bytes. */
struct pak_part spn__pak_part(const struct pak_range *range, uint32_t block,
                              uint32_t block_bytes);

/* The offset in the pak file at which to read the range, in the copy nearest to
 * the head. `place` is the position of the file on the medium; `head` is the
 * position of the head. The nearest copy is the one that the drive reads first
 * according to its forecast, or without a forecast (NULL) the one at the least
 * distance. Of two equally near copies it is the first. */
uint64_t spn__pak_nearest(const struct pak_index *index,
                          const struct pak_range *range, uint64_t place,
                          uint64_t head, const struct forecast *forecast);

#endif
