/* stage_block.h - READ_AWAITS_BLOCK: a read into the heap that needs its block.
 *
 * The caller's thread owns the heap. The read goes to it by the done ring, gets
 * its block in spn__block_take, and comes back by the inbox.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_BLOCK_H
#define SPN_READ_STAGE_BLOCK_H

#include "read/request.h"

struct io;

/* io thread. The read is the caller's thread's after it. */
enum read_stage spn__block_enter(struct io *io, uint32_t index);
/* Caller's thread: take the block and send the read back. Blocks of others may
 * be freed for it, but not what paks hold: that may be its own pak. */
void spn__block_take(struct io *io, uint32_t index);
/* Where a read goes that has come back. io thread. */
enum read_stage spn__block_step(struct io *io, uint32_t index);

#endif
