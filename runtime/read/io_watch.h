/* io_watch.h - devices that do not answer, and discs that are not there. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_WATCH_H
#define SPN_READ_IO_WATCH_H

#include "read/engine.h"

/* What a medium's state is while it has not answered for so long; 0: nothing is
 * asked of it. Any thread. */
spn_medium_state spn__io_medium_state(const struct io *io, spn_medium medium,
                                      uint64_t unanswered_us);
/* Give up what waits for devices that do not answer, and tell of states that
 * are others now. True when reads ended. io thread. */
bool spn__io_watch(struct io *io, uint64_t *due_us);

#endif
