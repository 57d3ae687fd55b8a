/* word_queue.h - a bounded, lock-free queue of 32-bit words for any number of
 * producer and consumer threads.
 *
 * Each cell has a sequence number. A producer or consumer claims a position by
 * compare-and-exchange, and publishes the cell by a release store that pairs
 * with the acquire load of the other side (D. Vyukov's bounded MPMC queue). All
 * that a thread wrote before a push is visible to the thread that pops the
 * word. No function waits.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_WORD_QUEUE_H
#define SPN_BASE_WORD_QUEUE_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct word_queue_cell {
    struct atomic_u32 sequence;
    uint32_t value; /* owned by the thread that claimed the position */
};

struct word_queue {
    struct word_queue_cell *cells;
    uint32_t mask;          /* number of cells - 1 */
    struct atomic_u32 head; /* next position to pop */
    struct atomic_u32 tail; /* next position to push */
};

/* Carve a queue of `capacity` cells, rounded up to a power of two, 2..2^30. */
void spn__word_queue_init(struct word_queue *queue, struct carve *carve,
                          uint32_t capacity);

/* Return whether there was room, or a word. */
bool spn__word_queue_push(struct word_queue *queue, uint32_t value);
bool spn__word_queue_pop(struct word_queue *queue, uint32_t *value);

/* Push onto a queue that has room for all words that exist. */
static inline void word_queue_push_sure(struct word_queue *queue,
                                        uint32_t value)
{
    bool has_room = spn__word_queue_push(queue, value);

    SPN_ASSERT(has_room);
    (void)has_room;
}

/* Push and pop in two steps, for users that have a payload beside the queue:
 * one slot per cell, at index position & mask. Between claim and publish the
 * slot belongs to the thread that claimed it. A pop that is claimed and not
 * published occupies its cell: a push that reaches this cell finds the queue
 * full, even if other cells are free. The functions return false if the queue
 * is full or empty.
 */
bool spn__word_queue_claim_push(struct word_queue *queue, uint32_t *position);
void spn__word_queue_publish_push(struct word_queue *queue, uint32_t position);
bool spn__word_queue_claim_pop(struct word_queue *queue, uint32_t *position);
void spn__word_queue_publish_pop(struct word_queue *queue, uint32_t position);

/* Return whether a pop would succeed now. A push that is claimed and not
 * published hides itself and all pushes after it; a thread that waits for them
 * must be signalled after they are published. */
bool spn__word_queue_has_next(const struct word_queue *queue);

/* Number of words. Exact only if no other thread pushes or pops; never more
 * than the capacity. */
uint32_t spn__word_queue_count(const struct word_queue *queue);

/* Return whether all invariants hold. O(capacity). No thread may push or pop
 * meanwhile, or be between a claim and its publish. */
bool spn__word_queue_check(const struct word_queue *queue);

#endif
