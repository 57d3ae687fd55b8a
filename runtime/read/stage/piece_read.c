/* piece_read.c - one piece of one read at a device. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/piece_read.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_report.h"
#include "read/unpack_reads.h"

/* Whether the next byte belongs to a larger piece that failed. */
static bool is_fragile(const struct io_request *request)
{
    return request->done_bytes < request->small_pieces_end;
}

/* Set the number of tries. Small pieces are tried once, except the smallest. */
static void count_tries(struct io_request *request)
{
    bool is_tried_once =
        is_fragile(request) && request->piece_bytes > PIECE_ALIGN_MAX;

    request->failures = is_tried_once ? IO_RETRIES : 0;
}

/* Return a read to the queue for its next piece. It continues first unless
 * another read is chosen. */
static enum read_stage go_on(const struct io *io, struct io_medium *medium,
                             uint32_t index)
{
    io->requests[index].is_interrupted = false;
    if (io->requests[index].done_bytes > 0)
        medium->unfinished = index;
    return READ_WAITING;
}

/* Repeat a failed piece, or continue in smaller pieces, so that all bytes
 * before the bad place arrive. */
static enum read_stage fail(struct io *io, struct io_medium *medium,
                            uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];
    const struct piece *piece = &medium->piece;

    if (request->failures < IO_RETRIES) {
        request->failures++;
    } else if (piece->bytes > PIECE_ALIGN_MAX &&
               !(io_is_of_pak(io, index) && spn__unpack_is_least(io, index))) {
        uint64_t end =
            piece->target_offset + piece->useful - request->target_start;

        request->small_pieces_end = max_u64(request->small_pieces_end, end);
        /* Compressed entries continue one block at a time. */
        request->piece_bytes = io_is_packed(request)
                                   ? PIECE_ALIGN_MAX
                                   : spn__piece_smaller(piece->bytes);
        count_tries(request);
    } else {
        return read_drain(request, status);
    }
    return go_on(io, medium, index);
}

/* -- back from the device -- */

bool spn__piece_read_is_clean(const struct io *io,
                              const struct io_medium *medium)
{
    const struct io_request *request = &io->requests[medium->chosen];

    return request->failures == 0 && !is_fragile(request);
}

enum read_stage spn__piece_read_advance(struct io *io, struct io_medium *medium,
                                        uint32_t index, uint32_t bytes)
{
    struct io_request *request = &io->requests[index];

    request->done_bytes += bytes;
    spn__io_note_pending(io, request, request->bytes - request->done_bytes);
    count_tries(request);
    if (io_is_of_pak(io, index))
        (void)spn__unpack_verify(io, index);
    SPN_ASSERT(request->done_bytes <= request->bytes);
    if (request->done_bytes == request->bytes)
        return read_drain(request, SPN_OK);
    return go_on(io, medium, index);
}

/* Take the bytes of a piece that came back without an error. */
static enum read_stage take_bytes(struct io *io, struct io_medium *medium,
                                  uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint32_t arrived = medium->arrived_bytes;
    uint32_t skip = medium->piece.skip;
    uint32_t useful = arrived > skip ? arrived - skip : 0;

    if (!io_is_of_pak(io, index) || !spn__unpack_take(io, index, &useful))
        useful = spn__piece_finish(&medium->piece, &request->target,
                                   medium->staging, arrived);

    if (arrived == 0)
        return read_drain(request, SPN_ERR_SHORT_READ);
    /* Fewer bytes arrived than lie before the first useful byte. */
    if (useful == 0)
        return fail(io, medium, index,
                    medium->is_timed_out ? SPN_ERR_TIMEOUT
                                         : SPN_ERR_SHORT_READ);
    return spn__piece_read_advance(io, medium, index, useful);
}

enum read_stage spn__piece_read_step(struct io *io, struct io_medium *medium)
{
    uint32_t index = medium->chosen;
    struct io_request *request = &io->requests[index];

    if (medium->is_refused)
        return fail(io, medium, index, SPN_ERR_IO);
    if (io_is_unwanted(io, index))
        return read_drain(request, SPN_ERR_SHUTDOWN);
    if (medium->arrived_bytes == 0 && medium->is_timed_out)
        return read_drain(request, SPN_ERR_TIMEOUT);
    if (medium->arrived_status != SPN_OK)
        return fail(io, medium, index, SPN_ERR_IO);
    return take_bytes(io, medium, index);
}

/* -- to the device -- */

/* Size of a piece that ends at the end of an ECC block of the drive. */
static uint32_t ecc_aligned_bytes(const struct io *io,
                                  const struct io_medium *medium,
                                  const struct io_request *request,
                                  const struct piece_range *range)
{
    uint64_t place =
        spn__files_position(&io->files, request->file, range->offset);
    uint32_t bytes = spn__piece_cut(place, range->bytes_max,
                                    medium->drive->profile.ecc_bytes);

    bytes &= ~(range->align_bytes - 1);
    return bytes > 0 ? bytes : range->bytes_max;
}

void spn__piece_read_plan(struct io *io, struct io_medium *medium)
{
    uint32_t index = medium->chosen;
    struct io_request *request = &io->requests[index];
    const spn_platform_file_info *info =
        spn__files_info(&io->files, request->file);
    struct piece_range range;

    range.offset = request->offset + request->done_bytes;
    range.target_offset = request->target_start + request->done_bytes;
    range.bytes = request->bytes - request->done_bytes;
    range.bytes_max =
        is_fragile(request) ? request->piece_bytes : io->piece_bytes;
    if (io_is_of_pak(io, index) &&
        spn__unpack_plan(io, &medium->piece, index, range.bytes_max))
        return;
    if (!is_fragile(request))
        range.bytes_max = medium->piece_bytes;
    range.align_bytes =
        request->medium == SPN_MEDIUM_MEMORY ? 1 : info->align_bytes;
    range.staging = medium->staging;
    if (io_drive_of(medium) && !is_fragile(request) &&
        range.bytes > range.bytes_max)
        range.bytes_max = ecc_aligned_bytes(io, medium, request, &range);
    spn__piece_plan(&medium->piece, &request->target, &range);
}

void spn__piece_read_copy(const struct io *io, const struct io_medium *medium)
{
    const struct piece *piece = &medium->piece;
    const uint8_t *from =
        io_memory_at(io, &io->requests[medium->chosen], piece->offset);

    for (uint32_t i = 0; i < piece->extent_count; i++) {
        memcpy(piece->extents[i].data, from, piece->extents[i].bytes);
        from += piece->extents[i].bytes;
    }
}
