/* io_finish.h - completions of reads, on the caller's thread.
 *
 * Reads come from the done ring, in order, and their slots go back to the free
 * ring. A slot that cannot go back yet is kept and tried again at the next
 * call: its read is held, a thread still looks at its result, or the free ring
 * has no cell because a thread was halted in the middle of a pop. One read may
 * be completed before its turn: those that came from the done ring before it
 * are deferred, in order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_IO_FINISH_H
#define SPN_READ_STAGE_IO_FINISH_H

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Ask storage callbacks again that said "not now"; if not forced, only when
 * there are any. Any thread. */
void spn__io_ask_again(struct io *io, bool is_forced);
/* Caller's thread: complete at most `limit` reads that ended. Returns how
 * many were. Callbacks may start and abort reads. */
uint32_t spn__io_finish(struct io *io, uint32_t limit);
/* Caller's thread, to end one read by itself: complete it if it has come to the
 * done ring, and let go of its handle. SPN_OK: it is over, or being completed
 * further up the stack; SPN_PENDING: not yet; SPN_ERR_HANDLE. */
spn_status spn__io_finish_one(struct io *io, spn_read read);
/* Sleep until a read comes to the done ring, or for nothing; with `runs_jobs`
 * also until there is a job, of which spn__io_notify_job tells. Caller's
 * thread, on a platform with events. */
void spn__io_await_done(struct io *io, bool runs_jobs);
void spn__io_notify_job(struct io *io);

#endif
