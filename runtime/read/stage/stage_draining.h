/* stage_draining.h - READ_DRAINING: reads that need no more pieces, until the
 * workers have returned their last blocks.
 *
 * Every read passes through this stage before it ends. A read of a plain file
 * leaves it at once. A read of a pak waits until all its slots have come back.
 * Then its last plain blocks are verified; if bytes are bad, the read may
 * continue with another copy. Thread: the io thread; the workers write the
 * memory of the read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_DRAINING_H
#define SPN_READ_STAGE_DRAINING_H

#include "read/request.h"

struct io;

/* A read enters the stage; see step.h. */
enum read_stage spn__draining_enter(struct io *io, uint32_t index);

/* Take a slot that came back from the workers. The caller has to free it.
 *
 * slot, index  output: the slot and its read, which may be in any stage
 * next         output: the next stage of the read
 *
 * Returns false if there is none. */
bool spn__draining_step(struct io *io, uint32_t *slot, uint32_t *index,
                        enum read_stage *next);

#endif
