/* storage.h - memory for reads that did not bring their own.
 *
 * Such a read takes its bytes from the budget first, when it is about to begin.
 * Then its storage callback is asked for a buffer, or, for a read into the
 * heap, the caller's thread for a block (stage_block.h). Urgent reads pass the
 * budget and those that wait for it. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STORAGE_H
#define SPN_READ_STAGE_STORAGE_H

#include "read/request.h"

struct io;

/* Find memory for a read that is about to begin. Returns READ_AT_DEVICE when it
 * has some, otherwise the stage where it waits for it or ends. */
enum read_stage spn__storage_find(struct io *io, uint32_t index);

/* Take its bytes from the budget, unless it has them. False: there are too few.
 */
bool spn__storage_take_budget(struct io *io, struct io_request *request);
/* Give back what it has of the budget, unless it has its memory already. */
void spn__storage_return_budget(struct io *io, uint32_t index);

#endif
