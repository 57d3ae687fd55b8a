/* io_storage.h - reads that ask for their memory when their size is known. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_STORAGE_H
#define SPN_READ_IO_STORAGE_H

#include "read/engine.h"

/* Memory for a read that is about to begin. SPN_OK; SPN_FULL, SPN_PENDING or
 * SPN_NO_MEMORY_NOW: take it out of its line and set it aside; or an error that
 * it ends with. */
spn_status spn__io_find_storage(struct io *io, uint32_t index);
void spn__io_set_aside(struct io *io, uint32_t index, spn_status why);
/* One that was set aside for a block is back from the caller's thread. */
void spn__io_take_lent(struct io *io, uint32_t index);
/* It is parked: what it has of the budget, and no memory for it yet, goes to
 * others. */
void spn__io_return_budget(struct io *io, uint32_t index);
/* Memory came back to the budget: who is first gets it. */
void spn__io_feed_hungry(struct io *io);
/* Let those stand again whose storage said "not now". */
void spn__io_ask_refused(struct io *io);
/* Take reads out that were set aside for want of memory. */
void spn__io_take_set_aside(struct io *io, queue_leaves_fn leaves);

#endif
