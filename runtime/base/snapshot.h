/* snapshot.h - a small struct that one thread writes and any thread reads
 * whole, in words of 32 bits.
 *
 * A version counts the writes: odd while one is under way. Whoever reads tries
 * again until the version was even and the same before and after, so the
 * writer never waits. For counters that change seldom: a reader could try long
 * beside a writer that does nothing else.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_SNAPSHOT_H
#define SPN_BASE_SNAPSHOT_H

#include "base/atomic.h"

#include <stdint.h>

/* `words` are the caller's, zeroed at first, `count` of them. */
struct snapshot {
    struct atomic_u32 version;
    struct atomic_u32 *words;
    uint32_t count;
};

/* The one writer: `from` has 4 * count bytes. */
void spn__snapshot_write(struct snapshot *snapshot, const void *from);
/* Any thread: `to` has as many. */
void spn__snapshot_read(const struct snapshot *snapshot, void *to);

#endif
