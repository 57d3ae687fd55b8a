/* io_guard.h - a wait of a marked thread: is it one that must not be?. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_GUARD_H
#define SPN_READ_IO_GUARD_H

#include <spindle/guard.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct guard;
struct io;

/* A wait of a thread that is marked (spindle/guard.h). */
struct io_guarded {
    spn_read read;
    uint32_t roles;
    uint64_t begin_us;
};

/* Before the wait: false when there is nothing to look after. Else wait, judge
 * (with what the wait returned: gives the time before which the thread must not
 * go on, or 0), let time pass, end. Any thread. */
bool spn__io_guard_begin(struct io *io, spn_read read, struct io_guarded *g);
uint64_t spn__io_guard_judge(struct io *io, const struct io_guarded *g,
                             spn_status status);
/* Nothing of the engine may be touched after it. */
void spn__io_guard_end(struct io *io, const struct io_guarded *g);
struct guard *spn__io_guard(struct io *io);
/* Caller's thread. */
spn_status spn__io_guard_file(struct io *io, spn_file file, uint32_t roles);

#endif
