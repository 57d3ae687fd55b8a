/* word_queue.c - D. Vyukov's bounded queue of many producers and consumers.
 *
 * The sequence number of a cell says which side may claim it: a producer if it
 * equals the position, a consumer if it is position + 1. After the pop it is
 * position + capacity, which is the next position of this cell for a producer.
 * Positions are modulo 2^32. The capacity is a power of two up to 2^30, so
 * differences of positions are unambiguous. A thread that is suspended between
 * claim and publish delays its own cell only.
 */
/* SPDX-License-Identifier: MIT */
#include "base/word_queue.h"

void spn__word_queue_init(struct word_queue *queue, struct carve *carve,
                          uint32_t capacity)
{
    const uint32_t size = spn__carve_ring_size(capacity);

    queue->mask = size - 1;
    queue->cells = SPN_CARVE(carve, struct word_queue_cell, size);
    atomic_store_relaxed(&queue->head, 0);
    atomic_store_relaxed(&queue->tail, 0);
    if (!queue->cells)
        return;
    for (uint32_t i = 0; i < size; i++)
        atomic_store_relaxed(&queue->cells[i].sequence, i);
}

/* Claim the position at `end` if the sequence number of its cell is the
 * position plus `phase` (0: a producer, 1: a consumer). False if the sequence
 * number is smaller: the other side has not published the cell yet. */
static bool claim(const struct word_queue *queue, struct atomic_u32 *end,
                  uint32_t phase, uint32_t *position)
{
    uint32_t at = atomic_load_relaxed(end);

    for (;;) {
        const struct word_queue_cell *cell = &queue->cells[at & queue->mask];
        /* Pairs with the release store of the other side's publish. */
        uint32_t sequence = atomic_load_acquire(&cell->sequence);
        uint32_t ahead = sequence - (at + phase);

        if (ahead == 0) {
            if (atomic_compare_exchange_acq_rel(end, &at, at + 1)) {
                *position = at;
                return true;
            }
        } else if (ahead >> 31) {
            return false;
        } else {
            /* Another thread has claimed it since `at` was loaded. */
            at = atomic_load_relaxed(end);
        }
    }
}

bool spn__word_queue_claim_push(struct word_queue *queue, uint32_t *position)
{
    return claim(queue, &queue->tail, 0, position);
}

void spn__word_queue_publish_push(struct word_queue *queue, uint32_t position)
{
    /* Pairs with the acquire load of the consumer's claim. */
    atomic_store_release(&queue->cells[position & queue->mask].sequence,
                         position + 1);
}

bool spn__word_queue_claim_pop(struct word_queue *queue, uint32_t *position)
{
    return claim(queue, &queue->head, 1, position);
}

void spn__word_queue_publish_pop(struct word_queue *queue, uint32_t position)
{
    /* Pairs with the acquire load of the producer's claim, a lap later. */
    atomic_store_release(&queue->cells[position & queue->mask].sequence,
                         position + queue->mask + 1);
}

bool spn__word_queue_push(struct word_queue *queue, uint32_t value)
{
    uint32_t position;

    if (!spn__word_queue_claim_push(queue, &position))
        return false;
    queue->cells[position & queue->mask].value = value;
    spn__word_queue_publish_push(queue, position);
    return true;
}

bool spn__word_queue_pop(struct word_queue *queue, uint32_t *value)
{
    uint32_t position;

    if (!spn__word_queue_claim_pop(queue, &position))
        return false;
    *value = queue->cells[position & queue->mask].value;
    spn__word_queue_publish_pop(queue, position);
    return true;
}

bool spn__word_queue_has_next(const struct word_queue *queue)
{
    for (;;) {
        uint32_t at = atomic_load_acquire(&queue->head);
        /* Pairs with the release store in spn__word_queue_publish_push. */
        uint32_t ahead =
            atomic_load_acquire(&queue->cells[at & queue->mask].sequence) -
            (at + 1);

        if (ahead == 0)
            return true;
        if (ahead >> 31)
            return false;
        /* Another thread has claimed it since the head was loaded. */
    }
}

uint32_t spn__word_queue_count(const struct word_queue *queue)
{
    /* Load the head first: it only grows, so the difference is not negative. */
    uint32_t head = atomic_load_acquire(&queue->head);
    uint32_t count = atomic_load_acquire(&queue->tail) - head;

    return count <= queue->mask ? count : queue->mask + 1;
}

bool spn__word_queue_check(const struct word_queue *queue)
{
    uint32_t capacity = queue->mask + 1;
    uint32_t head = atomic_load_relaxed(&queue->head);
    uint32_t count = atomic_load_relaxed(&queue->tail) - head;

    if ((capacity & queue->mask) != 0 || count > capacity)
        return false;
    for (uint32_t i = 0; i < capacity; i++) {
        uint32_t at = head + i;
        uint32_t phase = i < count; /* 1: a consumer may claim the cell */

        if (atomic_load_relaxed(&queue->cells[at & queue->mask].sequence) !=
            at + phase)
            return false;
    }
    return true;
}
