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

/* The halves of a push and of a pop, for whoever keeps a payload of its own
 * beside the ring, one slot a cell, at position & mask. Between claim and
 * publish the slot belongs to the claimer alone. A pop that is claimed and
 * not yet published keeps its cell: a push that comes round to it finds the
 * ring full, even when other cells are free. */
bool spn__ring_claim_push(struct ring *ring, uint32_t *position);
void spn__ring_publish_push(struct ring *ring, uint32_t position);
bool spn__ring_claim_pop(struct ring *ring, uint32_t *position);
void spn__ring_publish_pop(struct ring *ring, uint32_t position);

/* Would a pop find something now? A push that is claimed and not yet published
 * is nothing, and hides those behind it: who waits for it must be told once it
 * is published. */
bool spn__ring_has_next(const struct ring *ring);

/* Exact only when nobody else is pushing or popping; never above the
 * capacity. */
uint32_t spn__ring_count(const struct ring *ring);

#endif
