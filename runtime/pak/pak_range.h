/* pak_range.h - the bytes of a pak file that a read of an entry needs.
 *
 * A read of an entry requests a range of the decoded bytes of its content
 * (pak_index.h has the terms). If the content is not compressed, the range is
 * contiguous in each copy. Otherwise the read must fetch and decode the whole
 * blocks that contain the range, and skip the bytes of the first and last block
 * that are outside of it. Arithmetic on a validated index; no state, any
 * thread. Offsets and sizes are bytes.
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
    /* The requested range of the decoded content. */
    uint64_t offset;
    uint64_t bytes;
    /* The stored bytes to read, counted from the start of any copy. */
    uint64_t stored_offset;
    uint64_t stored_bytes;
    /* Blocks that contain the range: first_block..block_limit - 1. */
    uint32_t first_block;
    uint32_t block_limit;
    bool is_packed; /* the blocks are compressed */
};

/* Compute the range of a read. `bytes` 0: to the end of the content. Returns
 * SPN_OK; SPN_ERR_RANGE if the content does not have these bytes, or if they
 * are more than `bytes_max`. */
SPN_NODISCARD spn_status spn__pak_range(const struct pak_index *index,
                                        uint32_t content, uint64_t offset,
                                        uint64_t bytes, uint64_t bytes_max,
                                        struct pak_range *out);

/* The requested bytes of one decoded block. */
struct pak_part {
    uint64_t at;   /* position of the first one in the range */
    uint32_t skip; /* bytes of the block before the first one */
    uint32_t bytes;
    bool is_whole; /* all bytes of the block are requested */
};

/* The requested bytes of a block. `block` must be a block of the range;
 * `block_bytes` is its decoded size. */
struct pak_part spn__pak_part(const struct pak_range *range, uint32_t block,
                              uint32_t block_bytes);

/* The offset in the pak file at which to read the range, in the copy nearest to
 * the head. `file_at` is the position of the pak file on the medium; `head`
 * is the position of the head. The nearest copy is the one that the drive reads
 * first according to its forecast, or without a forecast (NULL) the one at the
 * least distance. Of two equally near copies it is the first. */
uint64_t spn__pak_nearest(const struct pak_index *index,
                          const struct pak_range *range, uint64_t file_at,
                          uint64_t head, const struct forecast *forecast);

#endif
