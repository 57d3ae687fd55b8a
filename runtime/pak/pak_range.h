/* pak_range.h - what a read of an entry is in the file of its pak.
 *
 * A read wants bytes of a content. Of a stored one these lie side by side in
 * every copy; of a compressed one the blocks that they touch do, and what was
 * not wanted of the first and the last is dropped. Arithmetic only, on a
 * validated index.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_RANGE_H
#define SPN_PAK_PAK_RANGE_H

#include "disc/forecast.h"
#include "pak/pak_index.h"

#include <stdbool.h>
#include <stdint.h>

struct pak_range {
    struct pak_content content;
    uint64_t offset; /* wanted of the content */
    uint64_t bytes;
    uint32_t first_block; /* that has some of them */
    uint32_t block_limit;
    uint64_t stored_offset; /* what must be read of a copy, */
    uint64_t stored_bytes;
    bool is_packed; /* which are whole blocks, to be decoded */
};

/* `bytes` 0: to the end. SPN_ERR_RANGE: the entry has no such bytes, or more
 * than `bytes_max`. */
SPN_NODISCARD spn_status spn__pak_range(const struct pak_index *index,
                                        uint32_t content, uint64_t offset,
                                        uint64_t bytes, uint64_t bytes_max,
                                        struct pak_range *out);

/* What is wanted of a block of the range. */
struct pak_part {
    uint64_t at;   /* in the read, of its first byte */
    uint32_t skip; /* bytes of the block before it */
    uint32_t bytes;
    bool is_whole;
};
struct pak_part spn__pak_part(const struct pak_range *range, uint32_t block,
                              uint32_t block_bytes);

/* Where the range begins in the file in the copy that is nearest to `head`: a
 * position, as those of the file's bytes, which begin at `place`. That is the
 * one which is there first, as the drive's forecast says, or without one the
 * one at the least distance in bytes. Of two that are as near the first. */
uint64_t spn__pak_nearest(const struct pak_index *index,
                          const struct pak_range *range, uint64_t place,
                          uint64_t head, const struct forecast *forecast);

#endif
