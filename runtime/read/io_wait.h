/* io_wait.h - abort, poll and wait, by handle, from any thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_WAIT_H
#define SPN_READ_IO_WAIT_H

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Is the handle not stale? Any thread. */
bool spn__io_is_good(const struct io *io, spn_read read);
/* Whoever has pinned a slot may read its request once it has ended, and what
 * was written at its start before. SPN_ERR_HANDLE; SPN_FULL. Any thread. */
spn_status spn__io_pin(struct io *io, spn_read read);
/* Nothing of the engine may be touched after it: once the last pin is gone the
 * memory may go, too. */
void spn__io_unpin(struct io *io, spn_read read);
/* A read that somebody sleeps for has ended. io thread. */
void spn__io_wake_waiters(const struct io *io, spn_read read);
/* What is told of a public read that has ended. */
spn_read_result spn__io_result_of(const struct io *io, uint32_t index);
spn_status spn__io_abort(struct io *io, spn_read read);
spn_status spn__io_release(struct io *io, spn_read read);
spn_status spn__io_poll(struct io *io, spn_read read);
/* What became of a read: SPN_OK and *out (unless NULL), or SPN_PENDING,
 * SPN_ERR_HANDLE, SPN_FULL. Any thread. */
spn_status spn__io_result(struct io *io, spn_read read, spn_read_result *out);
/* The same, but sleep until there is an answer or the clock has reached
 * `due_us`: SPN_ERR_TIMEOUT. Any thread but the io thread, on a platform with
 * events. */
spn_status spn__io_wait(struct io *io, spn_read read, uint64_t due_us,
                        spn_read_result *out);
/* Sleep until the clock says so, if there is a waiter to sleep on. The read is
 * pinned. Any thread, on a platform with events. */
void spn__io_sleep(struct io *io, spn_read read, uint64_t due_us);

#endif
