/* io_guard.h - detect threads that wait for reads although they must not.
 *
 * A game marks threads with roles (spindle/guard.h), and marks files and media
 * with the roles that must not wait for their reads. If a marked thread waits
 * for such a read, the wait is counted, logged and reported, and it may be
 * lengthened to the time that the real drive would take. The functions here
 * surround a wait (spn__io_wait). They keep the read pinned from before the
 * wait until after the added time. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_GUARD_H
#define SPN_READ_IO_GUARD_H

#include <spindle/guard.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct guard;
struct io;

/* A wait of a marked thread. Owner: the waiting thread. */
struct io_guarded {
    spn_read read;
    uint32_t roles;    /* of the thread */
    uint64_t begin_us; /* of the wait */
};

/* Begin a guarded wait: pin the read. Returns false, without a pin, if the
 * thread is not marked or the read has ended. If it returns true, the caller
 * must wait, call check, sleep until the time that check returns, and call end.
 */
bool spn__io_guard_begin(struct io *io, spn_read read, struct io_guarded *g);
/* Check and report the wait. `status` is the result of the wait. Returns the
 * time on the platform's clock until which the wait is lengthened; 0: it is
 * not. */
uint64_t spn__io_guard_check(struct io *io, const struct io_guarded *g,
                             spn_status status);
/* End a guarded wait: unpin the read. The calling thread must not access the
 * engine afterwards. */
void spn__io_guard_end(struct io *io, const struct io_guarded *g);

#endif
