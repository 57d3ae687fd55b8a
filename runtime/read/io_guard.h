/* io_guard.h - does a thread wait for a read that it must not wait for?
 *
 * spindle/guard.h marks threads with roles, and files and media with the roles
 * that must not wait for them. A wait of a marked thread is reported, and may
 * be made as long as the real drive would make it. The read is pinned from
 * before the wait until after that time. Any thread.
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

/* A wait of a marked thread. Owner: that thread. */
struct io_guarded {
    spn_read read;
    uint32_t roles;    /* of the thread */
    uint64_t begin_us; /* of the wait */
};

/* Call begin before a wait. If it returns true, wait, call check with the
 * status of the wait, let time pass until the clock reaches what it returns (0:
 * none), and call end. False: the thread is not marked, or the read has ended.
 */
bool spn__io_guard_begin(struct io *io, spn_read read, struct io_guarded *g);
uint64_t spn__io_guard_check(struct io *io, const struct io_guarded *g,
                             spn_status status);
/* The caller may not touch the engine after it. */
void spn__io_guard_end(struct io *io, const struct io_guarded *g);

/* The counts and the log of such waits. */
struct guard *spn__io_guard(struct io *io);
/* Set the roles that must not wait for reads of a file. Caller's thread. */
spn_status spn__io_guard_file(struct io *io, spn_file file, uint32_t roles);

#endif
