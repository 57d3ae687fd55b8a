/* io_wait.h - abort, poll and wait for reads, by handle, from any thread.
 *
 * A thread that looks at the result of a read pins it: it adds to a count in
 * the state word, which works only while the handle is valid. A completed
 * record is used again when it is not held and has no pin. A thread that sleeps
 * until a read has ended takes a waiter (engine.h), which has an event, and
 * sets READ_IS_AWAITED in the same word in which the io thread sets
 * READ_IS_ENDED, so that one of the two threads sees the other.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_WAIT_H
#define SPN_READ_IO_WAIT_H

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Is the handle valid? Any thread. */
bool spn__io_is_good(const struct io *io, spn_read read);

/* Pin a read: until the unpin its record is not used again, and once it has
 * ended the thread may read its result. Returns SPN_OK; SPN_ERR_HANDLE;
 * SPN_FULL when 2047 threads have pinned it. Any thread. */
spn_status spn__io_pin(struct io *io, spn_read read);
/* The caller may not touch the engine after it: a shutdown waits for no thread
 * without a pin. */
void spn__io_unpin(struct io *io, spn_read read);

/* Signal the events of all threads that sleep until a read has ended. io
 * thread. */
void spn__io_wake_waiters(const struct io *io, spn_read read);

/* The public result of a read that has ended. The owner of the read, or a
 * thread that pins it. */
spn_read_result spn__io_result_of(const struct io *io, uint32_t index);

/* spn_read_abort, spn_read_release and spn_read_poll. Any thread. */
spn_status spn__io_abort(struct io *io, spn_read read);
spn_status spn__io_release(struct io *io, spn_read read);
spn_status spn__io_poll(struct io *io, spn_read read);

/* Copy the result of a read to *out, unless that is NULL. Returns SPN_OK;
 * SPN_PENDING before it has ended; SPN_ERR_HANDLE; SPN_FULL. Any thread. */
spn_status spn__io_result(struct io *io, spn_read read, spn_read_result *out);
/* Sleep until the read has ended, then do the same. SPN_ERR_TIMEOUT when the
 * clock has reached `due_us` before; SPN_FULL when no waiter is free. Any
 * thread but the io thread, on a platform with events. */
spn_status spn__io_wait(struct io *io, spn_read read, uint64_t due_us,
                        spn_read_result *out);
/* Sleep until the clock has reached `due_us`, or return at once when no waiter
 * is free. The caller pins the read. Any thread but the io thread, on a
 * platform with events. */
void spn__io_sleep(struct io *io, spn_read read, uint64_t due_us);

#endif
