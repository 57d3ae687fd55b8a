/* snapshot.h - a small struct that one thread writes, and that any thread reads
 * as a whole (a sequence lock).
 *
 * A version counts the writes; it is odd while one is in progress. A reader
 * copies the words and repeats that until the version was even and the same
 * before and after. The writer never waits. A reader may repeat often if the
 * writer writes without pause, so this is for values that change seldom.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_SNAPSHOT_H
#define SPN_BASE_SNAPSHOT_H

#include "base/atomic.h"

#include <stdint.h>

/* The owner sets `words` to `count` zeroed words, and `count`. */
struct snapshot {
    struct atomic_u32 version;
    struct atomic_u32 *words;
    uint32_t count;
};

/* Write 4 * count bytes. Only one thread may write. */
void spn__snapshot_write(struct snapshot *snapshot, const void *from);
/* Read 4 * count bytes. Any thread. */
void spn__snapshot_read(const struct snapshot *snapshot, void *to);

#endif
