/* io_finish.h - completion of reads, on the caller's thread.
 *
 * Reads are taken from the done queue, in order, and their requests are
 * returned to the free queue. A request that cannot be returned yet is
 * retained, and tried again in the next call: its read is held; a thread has
 * pinned the result; or the free queue has no free cell, because a thread was
 * suspended in the middle of a pop. spn__io_finish_one completes one read
 * before others: those that were in the done queue before it are deferred, in
 * order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_IO_FINISH_H
#define SPN_READ_STAGE_IO_FINISH_H

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Make the io thread call the storage callbacks again that returned
 * SPN_NO_MEMORY_NOW.
 *
 * is_forced  signal the io thread even if no such read is known
 *
 * Any thread. */
void spn__io_retry_storage(struct io *io, bool is_forced);
/* Complete at most `limit` reads that have ended. Returns their number.
 * Callbacks may start and abort reads. Caller's thread. */
uint32_t spn__io_finish(struct io *io, uint32_t limit);
/* Complete one read if it is in the done queue, and release its handle. SPN_OK:
 * it is over, or a function up the stack is completing it; SPN_PENDING: it has
 * not ended; SPN_ERR_HANDLE. Caller's thread. */
spn_status spn__io_finish_one(struct io *io, spn_read read);
/* Sleep until a read is in the done queue; with `runs_jobs` also until
 * spn__io_notify_job is called. May return early. Caller's thread, on a
 * platform with events. */
void spn__io_await_done(struct io *io, bool runs_jobs);
void spn__io_notify_job(struct io *io);

#endif
