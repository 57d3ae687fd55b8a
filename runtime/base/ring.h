/* ring.h - a bounded, lock-free queue of 32-bit words for any number of
 * producer and consumer threads.
 *
 * Each cell has a sequence number. A producer or consumer claims a position by
 * compare-and-exchange, and publishes the cell by a release store that pairs
 * with the acquire load of the other side (D. Vyukov's bounded MPMC queue). All
 * that a thread wrote before a push is visible to the thread that pops the
 * word. No function waits.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_RING_H
#define SPN_BASE_RING_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct ring_cell {
    struct atomic_u32 sequence;
    uint32_t value; /* owned by the thread that claimed the position */
};

struct ring {
    struct ring_cell *cells;
    uint32_t mask;          /* number of cells - 1 */
    struct atomic_u32 head; /* next position to pop */
    struct atomic_u32 tail; /* next position to push */
};

/* Carve a ring of `capacity` cells, rounded up to a power of two, 2..2^30. */
void spn__ring_init(struct ring *ring, struct carve *carve, uint32_t capacity);
bool spn__ring_push(struct ring *ring, uint32_t value); /* false: full */
bool spn__ring_pop(struct ring *ring, uint32_t *value); /* false: empty */

/* Push onto a ring that has room for all words that exist. */
static inline void ring_push_sure(struct ring *ring, uint32_t value)
{
    bool has_room = spn__ring_push(ring, value);

    SPN_ASSERT(has_room);
    (void)has_room;
}

/* Push and pop in two steps, for users that have a payload beside the ring: one
 * slot per cell, at index position & mask. Between claim and publish the slot
 * belongs to the thread that claimed it. A pop that is claimed and not
 * published occupies its cell: a push that reaches this cell finds the ring
 * full, even if other cells are free. The functions return false if the ring is
 * full or empty.
 */
bool spn__ring_claim_push(struct ring *ring, uint32_t *position);
void spn__ring_publish_push(struct ring *ring, uint32_t position);
bool spn__ring_claim_pop(struct ring *ring, uint32_t *position);
void spn__ring_publish_pop(struct ring *ring, uint32_t position);

/* Return whether a pop would succeed now. A push that is claimed and not
 * published hides itself and all pushes after it; a thread that waits for them
 * must be signalled after they are published. */
bool spn__ring_has_next(const struct ring *ring);

/* Number of words. Exact only if no other thread pushes or pops; never more
 * than the capacity. */
uint32_t spn__ring_count(const struct ring *ring);

/* Return whether all invariants hold. O(capacity). No thread may push or pop
 * meanwhile, or be between a claim and its publish. */
bool spn__ring_check(const struct ring *ring);

#endif
