/* storage.h - memory for reads whose description has none.
 *
 * When such a read is about to begin, it takes its bytes from the budget. Then
 * its storage callback provides a buffer or, for a read into the heap, the
 * caller's thread allocates a block (stage_block.h). Urgent reads do not need
 * the budget, and do not wait behind reads that need it. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STORAGE_H
#define SPN_READ_STAGE_STORAGE_H

#include "read/request.h"

struct io;

/* Number of bytes for its destination. */
static inline uint64_t io_wanted_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.range.bytes : request->bytes;
}

/* Find memory for a read that is about to begin. Returns READ_AT_DEVICE if it
 * has memory, otherwise the stage in which it waits for memory or ends. */
enum read_stage spn__storage_find(struct io *io, uint32_t index);

/* When a read that needs the budget is due: at its deadline, but at the latest
 * 4, 8, 16 or 32 s after its start, for the priorities from above normal to
 * idle. */
uint64_t spn__storage_due_us(const struct io_request *request);
/* Take the bytes of a read from the budget, unless it has done so. Returns
 * false if the budget has too few. */
bool spn__storage_take_budget(struct io *io, struct io_request *request);
/* Return the bytes of a read to the budget, unless it has its memory already.
 */
void spn__storage_return_budget(struct io *io, uint32_t index);

#endif
