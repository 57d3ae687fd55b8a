/* ring.h - a bounded queue of 32-bit words, any number of producers and
 * consumers, no locks, no waiting.
 *
 * Each cell has a sequence number; a producer or consumer claims a position by
 * compare-and-exchange and publishes the cell by a release store that pairs
 * with the other side's acquire load (D. Vyukov's bounded MPMC queue).
 * What was written before a push is visible after its pop.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_RING_H
#define SPN_BASE_RING_H

#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct ring_cell {
    struct atomic_u32 sequence;
    uint32_t value; /* owned by whoever claimed the position */
};

struct ring {
    struct ring_cell *cells;
    uint32_t mask;
    struct atomic_u32 head; /* next position to pop */
    struct atomic_u32 tail; /* next position to push */
};

/* `capacity` is rounded up to a power of two, >= 2, <= 2^30. */
void spn__ring_init(struct ring *ring, struct carve *carve, uint32_t capacity);
bool spn__ring_push(struct ring *ring, uint32_t value); /* false: full */
bool spn__ring_pop(struct ring *ring, uint32_t *value); /* false: empty */
/* Exact only when nobody else is pushing or popping. */
uint32_t spn__ring_count(const struct ring *ring);

#endif
