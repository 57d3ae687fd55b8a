/* piece.c - plan the pieces of a read.
 *
 * A read whose end is not aligned, but which fits the staging buffer, is one
 * staged piece: copying some KiB is far cheaper than a second command to an
 * optical drive. A longer read is divided into a staged head, a middle that the
 * device writes directly to the destination, and a staged tail. If memory and
 * file offset differ modulo the alignment, all pieces are staged.
 */
/* SPDX-License-Identifier: MIT */
#include "read/piece.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"

SPN_STATIC_ASSERT(PIECE_STAGING_BYTES % PIECE_ALIGN_MAX == 0, staging_aligned);

static uint32_t at_most(uint64_t bytes, uint32_t limit)
{
    return bytes < limit ? (uint32_t)bytes : limit;
}

static uint8_t *extent_at(const struct piece_target *target, uint32_t *bytes)
{
    if (!target->extents)
        return spn__heap_extent(target->heap, target->block, target->extent,
                                bytes);
    *bytes = target->extents[target->extent].bytes;
    return target->extents[target->extent].data;
}

uint8_t *spn__piece_address(struct piece_target *target, uint64_t target_offset,
                            uint32_t *bytes)
{
    uint32_t extent_bytes;
    uint32_t into;
    uint8_t *data;

    if (target->buffer) {
        *bytes = UINT32_MAX;
        return target->buffer + target_offset;
    }
    SPN_ASSERT(target_offset >= target->extent_start);
    for (;;) {
        data = extent_at(target, &extent_bytes);
        if (target_offset - target->extent_start < extent_bytes)
            break;
        target->extent_start += extent_bytes;
        target->extent++;
    }
    into = (uint32_t)(target_offset - target->extent_start);
    *bytes = extent_bytes - into;
    return data + into;
}

/* Add extents for up to `limit` bytes that the device writes directly to the
 * destination. Stops at the first address that is not aligned. Returns the
 * number of bytes. */
static uint32_t collect(struct piece *piece, struct piece_target target,
                        uint64_t at, uint32_t limit, uint32_t mask)
{
    uint32_t sum = 0;

    piece->extent_count = 0;
    while (sum < limit && piece->extent_count < SPN_PLATFORM_EXTENTS_MAX) {
        spn_extent *extent = &piece->extents[piece->extent_count];
        uint32_t run;
        uint8_t *data = spn__piece_address(&target, at + sum, &run);

        run = at_most(run, limit - sum) & ~mask;
        if (((uintptr_t)data & mask) != 0 || run == 0)
            break;
        extent->data = data;
        extent->bytes = run;
        piece->extent_count++;
        sum += run;
    }
    return sum;
}

static void plan_staged(struct piece *piece, const struct piece_range *range,
                        uint32_t skip, uint32_t wanted, uint32_t mask)
{
    SPN_ASSERT(skip + wanted <= PIECE_STAGING_BYTES);
    piece->is_staged = true;
    piece->offset = range->offset - skip;
    piece->bytes = (skip + wanted + mask) & ~mask;
    piece->skip = skip;
    piece->useful = wanted;
    piece->extents[0].data = range->staging;
    piece->extents[0].bytes = piece->bytes;
    piece->extent_count = 1;
}

void spn__piece_plan(struct piece *piece, struct piece_target *target,
                     const struct piece_range *range)
{
    uint32_t mask = range->align_bytes - 1;
    uint32_t skip = (uint32_t)range->offset & mask;
    uint32_t limit = at_most(range->bytes, range->bytes_max);
    uint32_t room = at_most(PIECE_STAGING_BYTES, range->bytes_max) - skip;
    uint32_t run;
    /* Called here and not in collect, so that the cursor advances. */
    const uint8_t *first =
        spn__piece_address(target, range->target_offset, &run);

    SPN_ASSERT(range->bytes > 0 && range->bytes_max > 0 &&
               (range->bytes_max & mask) == 0);
    piece->target_offset = range->target_offset;
    piece->is_staged = false;
    piece->offset = range->offset;
    if (((skip | range->bytes) & mask) == 0 || range->bytes > room) {
        if (skip == 0) {
            piece->bytes =
                collect(piece, *target, range->target_offset, limit, mask);
            piece->useful = piece->bytes;
            piece->skip = 0;
            if (piece->bytes > 0)
                return;
        } else if ((((uintptr_t)first - skip) & mask) == 0) {
            /* The memory after the head is aligned: only the head is staged. */
            room = range->align_bytes - skip;
        }
    }
    plan_staged(piece, range, skip, at_most(range->bytes, room), mask);
}

uint32_t spn__piece_cut(uint64_t place, uint32_t bytes, uint32_t block_bytes)
{
    uint32_t over = block_bytes ? (uint32_t)((place + bytes) % block_bytes) : 0;

    return over < bytes ? bytes - over : bytes;
}

uint32_t spn__piece_smaller(uint32_t bytes)
{
    uint32_t pages = (bytes / 8 + PIECE_ALIGN_MAX - 1) / PIECE_ALIGN_MAX;

    return pages > 1 ? pages * PIECE_ALIGN_MAX : PIECE_ALIGN_MAX;
}

uint32_t spn__piece_finish(const struct piece *piece,
                           struct piece_target *target, const uint8_t *staging,
                           uint64_t arrived)
{
    struct piece_target cursor = *target;
    /* A device may report more bytes than were requested. */
    uint32_t there = at_most(arrived, piece->bytes);
    uint32_t useful;
    uint32_t done = 0;

    if (!piece->is_staged)
        return there;
    if (there <= piece->skip)
        return 0;
    useful = at_most(there - piece->skip, piece->useful);
    while (done < useful) {
        uint32_t run;
        uint8_t *data =
            spn__piece_address(&cursor, piece->target_offset + done, &run);

        run = at_most(run, useful - done);
        memcpy(data, staging + piece->skip + done, run);
        done += run;
    }
    return useful;
}
