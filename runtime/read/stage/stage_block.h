/* stage_block.h - READ_AWAITS_BLOCK: reads into the heap that need their block.
 *
 * Only the caller's thread allocates from the heap. It gets the read through
 * the done queue, allocates the block in spn__block_take, and returns the read
 * through the inbox.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_BLOCK_H
#define SPN_READ_STAGE_BLOCK_H

#include "read/request.h"

struct io;

/* Hand the read to the caller's thread. io thread. */
enum read_stage spn__block_enter(struct io *io, uint32_t index);
/* Allocate the block and return the read to the io thread. The allocation may
 * evict frames of streams, but no loaded paks, because the read may need its
 * own pak. Caller's thread. */
void spn__block_take(struct io *io, uint32_t index);
/* Next stage of a read that has come back. io thread. */
enum read_stage spn__block_step(struct io *io, uint32_t index);

#endif
