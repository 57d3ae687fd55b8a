/* triple_buffer.h - the latest state that one thread publishes to another.
 *
 * There are three copies of the state: the writer fills one, the reader uses
 * one, and the third lies between them. Publishing and fetching exchange a copy
 * with the third by one atomic operation. Neither side waits, the reader never
 * sees a state in parts, and a state that was not fetched is replaced. One
 * writer thread, one reader thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TRIPLE_BUFFER_H
#define SPN_BASE_TRIPLE_BUFFER_H

#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct triple_buffer {
    uint8_t *copies[3];       /* zeroed at init */
    uint32_t bytes;           /* size of the state */
    struct atomic_u32 middle; /* index of the copy between the two sides, and
                                 whether it is new */
    uint32_t draft;           /* writer: index of its copy */
    uint32_t latest;          /* reader: index of its copy */
};

void spn__triple_buffer_init(struct triple_buffer *buffer, struct carve *carve,
                             uint32_t bytes);
/* Publish a state. Writer thread. */
void spn__triple_buffer_send(struct triple_buffer *buffer, const void *state);
/* Fetch the newest state; all zero before the first one. It does not change
 * until the next call. Reader thread. */
const void *spn__triple_buffer_latest(struct triple_buffer *buffer);
/* Return whether all invariants hold. O(1). Neither side may exchange a copy
 * meanwhile. */
bool spn__triple_buffer_check(const struct triple_buffer *buffer);

#endif
