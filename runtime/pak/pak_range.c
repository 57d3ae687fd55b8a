/* pak_range.c - from bytes of a content to bytes of a copy. */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_range.h"

#include "base/assert.h"
#include "base/minmax.h"

#include <spindle/codec.h>
#include <spindle/features.h>
#include <stddef.h>

static void find_blocks(const struct pak_index *index, struct pak_range *range)
{
    uint64_t last = range->offset + range->bytes - 1;
    struct pak_block end;

    /* A content has at most 2^32 blocks. */
    range->first_block = (uint32_t)(range->offset / PAK_BLOCK_BYTES);
    range->block_limit = (uint32_t)(last / PAK_BLOCK_BYTES) + 1;
    range->stored_offset = range->offset;
    range->stored_bytes = range->bytes;
    if (!range->is_packed)
        return;
    range->stored_offset =
        spn__pak_block(index, &range->content, range->first_block).offset;
    end = spn__pak_block(index, &range->content, range->block_limit - 1);
    range->stored_bytes = end.offset + end.stored_bytes - range->stored_offset;
}

spn_status spn__pak_range(const struct pak_index *index, uint32_t content,
                          uint64_t offset, uint64_t bytes, uint64_t bytes_max,
                          struct pak_range *out)
{
    struct pak_range range = {.content = spn__pak_content(index, content)};

    /* Compare by subtracting: offset + bytes may wrap. */
    if (offset > range.content.bytes || bytes > range.content.bytes - offset)
        return SPN_ERR_RANGE;
    range.offset = offset;
    range.bytes = bytes ? bytes : range.content.bytes - offset;
    if (range.bytes > bytes_max)
        return SPN_ERR_RANGE;
    range.is_packed = range.content.codec != SPN_CODEC_STORE;
    if (range.bytes > 0)
        find_blocks(index, &range);
    *out = range;
    return SPN_OK;
}

struct pak_part spn__pak_part(const struct pak_range *range, uint32_t block,
                              uint32_t block_bytes)
{
    uint64_t start = (uint64_t)block * PAK_BLOCK_BYTES;
    uint64_t end = start + block_bytes;
    uint64_t first = max_u64(start, range->offset);
    uint64_t limit = min_u64(range->offset + range->bytes, end);
    struct pak_part part;

    SPN_ASSERT(block >= range->first_block && block < range->block_limit);
    part.at = first - range->offset;
    part.skip = (uint32_t)(first - start);
    part.bytes = (uint32_t)(limit - first);
    part.is_whole = part.bytes == block_bytes;
    return part;
}

uint64_t spn__pak_nearest(const struct pak_index *index,
                          const struct pak_range *range, uint64_t file_at,
                          uint64_t head, const struct forecast *forecast)
{
    const struct pak_content *content = &range->content;
    bool has_forecast = SPN_WITH_DEADLINE_SCHEDULER && forecast;
    struct forecast_place from = {.offset = 0};
    uint64_t nearest = 0;
    uint64_t least = UINT64_MAX;

    if (has_forecast)
        spn__forecast_place(forecast, head, &from);
    for (uint32_t i = 0; i < content->copy_count; i++) {
        uint64_t at =
            spn__pak_copy_offset(index, content->first_copy + i, NULL) +
            range->stored_offset;
        /* A position is below 1 TiB or unknown. If it is unknown, it does not
         * change the order of the distances. */
        uint64_t far =
            has_forecast ? spn__forecast_reach_us(forecast, &from, file_at + at,
                                                  range->stored_bytes)
                         : distance_u64(file_at + at, head);

        if (i > 0 && far >= least)
            continue;
        least = far;
        nearest = at;
    }
    return nearest;
}
