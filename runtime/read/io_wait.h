/* io_wait.h - abort, poll and wait for reads, by handle, from any thread.
 *
 * A thread must pin a read before it accesses the result. A pin increments the
 * number of pins in the state word (state_word.h), and fails if the handle is
 * stale. The request of a completed read is used again only if the read is not
 * held and has no pin.
 *
 * To sleep until a read has ended, a thread takes a waiter (engine.h), which
 * has an event, and sets STATE_AWAITED in the state word. The io thread sets
 * STATE_ENDED in the same word. Therefore either the sleeping thread finds the
 * read ended, or the io thread finds the flag and signals the event.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_WAIT_H
#define SPN_READ_IO_WAIT_H

#include "base/atomic.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Whether the handle is valid. Any thread. */
bool spn__io_is_good(const struct io *io, spn_read read);

/* Pin a read. Until the unpin its request is not used again, and the thread may
 * access the result when the read has ended. Returns SPN_OK; SPN_ERR_HANDLE;
 * SPN_FULL if the read has 2047 pins. Any thread. */
spn_status spn__io_pin(struct io *io, spn_read read);
/* Remove a pin. The calling thread must not access the engine afterwards,
 * because a shutdown waits only for threads that have pinned a read. */
void spn__io_unpin(struct io *io, spn_read read);

/* Signal the events of all threads that sleep with this key, until a read has
 * ended or a word has changed (spn__io_wait_word). Any thread. */
void spn__io_wake_waiters(const struct io *io, uint32_t key);

/* The public result of a read that has ended. Thread: the owner of the read, or
 * a thread that has pinned it. */
spn_read_result spn__io_result_of(const struct io *io, uint32_t index);

/* Implementations of spn_read_abort, spn_read_release and spn_read_poll. Any
 * thread. */
spn_status spn__io_abort(struct io *io, spn_read read);
spn_status spn__io_release(struct io *io, spn_read read);
spn_status spn__io_poll(struct io *io, spn_read read);

/* Copy the result of a read to *out; NULL: do not copy. Returns SPN_OK;
 * SPN_PENDING before the read has ended; SPN_ERR_HANDLE; SPN_FULL (see
 * spn__io_pin). Any thread. */
spn_status spn__io_result(struct io *io, spn_read read, spn_read_result *out);
/* Sleep until the read has ended, then return as spn__io_result does. Returns
 * SPN_ERR_TIMEOUT if the clock reaches `due_us` first; SPN_FULL if no waiter is
 * free. Must not be called on the io thread. The platform must have events. */
spn_status spn__io_wait(struct io *io, spn_read read, uint64_t due_us,
                        spn_read_result *out);
/* Sleep until a bit of a state word is set by another thread, which then calls
 * spn__io_wake_waiters with the key. The words of reads are like this, too.
 *
 * key      not 0; equal keys only wake each other without need
 * word     its high half is a generation: the sleep also ends when that changes
 * awaited  bit that this thread sets, before it sleeps; the other thread sets
 *          `over` and looks for `awaited` in one operation
 *
 * Returns SPN_OK; SPN_ERR_TIMEOUT if the clock reaches `due_us` first; SPN_FULL
 * if no waiter is free. Any thread but the io thread. The platform must have
 * events. */
spn_status spn__io_wait_word(struct io *io, uint32_t key,
                             struct atomic_u32 *word, uint32_t awaited,
                             uint32_t over, uint64_t due_us);
/* Sleep until the clock reaches `due_us`. Returns at once if no waiter is free.
 * The caller must have pinned the read. Must not be called on the io thread.
 * The platform must have events. */
void spn__io_sleep(struct io *io, spn_read read, uint64_t due_us);

#endif
