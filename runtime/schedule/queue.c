/* queue.c - an indexed binary heap.
 *
 * Invariants: no entry is before its parent, by (key, arrival), and the spot of
 * each subject is the index of its entry. Arrivals are unique, so the order is
 * total, and the same calls give the same order.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/queue.h"

#include "base/assert.h"

static void put(struct queue *queue, uint32_t at, struct queue_entry entry)
{
    queue->entries[at] = entry;
    queue->spots[entry.subject] = at;
}

static bool is_before(const struct queue *queue, uint32_t a, uint32_t b)
{
    const struct queue_entry *one = &queue->entries[a];
    const struct queue_entry *other = &queue->entries[b];

    if (one->key != other->key)
        return one->key < other->key;
    return one->arrival < other->arrival;
}

/* Exchange an entry with its parent if it is before it. */
static bool swap_up(struct queue *queue, uint32_t child)
{
    uint32_t parent = (child - 1) / 2;
    struct queue_entry entry = queue->entries[child];

    if (!is_before(queue, child, parent))
        return false;
    put(queue, child, queue->entries[parent]);
    put(queue, parent, entry);
    return true;
}

static void rise(struct queue *queue, uint32_t at)
{
    while (at > 0 && swap_up(queue, at))
        at = (at - 1) / 2;
}

static void sink(struct queue *queue, uint32_t at)
{
    uint32_t child = 2 * at + 1;

    while (child < queue->count) {
        if (child + 1 < queue->count && is_before(queue, child + 1, child))
            child++;
        if (!swap_up(queue, child))
            return;
        child = 2 * child + 1;
    }
}

static void make_heap(struct queue *queue)
{
    for (uint32_t i = queue->count / 2; i > 0; i--)
        sink(queue, i - 1);
}

static void notify_watch(const struct queue *queue, uint32_t subject,
                         bool is_in)
{
    if (queue->watch)
        queue->watch(queue->watch_context, subject, is_in);
}

void spn__queue_init(struct queue *queue, struct carve *carve,
                     uint32_t capacity, uint32_t *spots)
{
    *queue = (struct queue){.entries =
                                SPN_CARVE(carve, struct queue_entry, capacity),
                            .spots = spots,
                            .capacity = capacity};
}

static bool contains(const struct queue *queue, uint32_t subject)
{
    uint32_t at = queue->spots[subject];

    return at < queue->count && queue->entries[at].subject == subject;
}

void spn__queue_push(struct queue *queue, uint64_t key, uint64_t arrival,
                     uint32_t subject)
{
    SPN_ASSERT(!contains(queue, subject) && queue->count < queue->capacity);
    put(queue, queue->count++, (struct queue_entry){key, arrival, subject});
    rise(queue, queue->count - 1);
    notify_watch(queue, subject, true);
}

bool spn__queue_first(const struct queue *queue, uint32_t *subject)
{
    if (queue->count == 0)
        return false;
    *subject = queue->entries[0].subject;
    return true;
}

/* Restore the heap after the entry at `at` changed. */
static void settle(struct queue *queue, uint32_t at)
{
    uint32_t subject = queue->entries[at].subject;

    sink(queue, at);
    rise(queue, queue->spots[subject]);
}

void spn__queue_remove(struct queue *queue, uint32_t subject)
{
    uint32_t at = queue->spots[subject];

    SPN_ASSERT(contains(queue, subject));
    if (at < --queue->count) {
        put(queue, at, queue->entries[queue->count]);
        settle(queue, at);
    }
    notify_watch(queue, subject, false);
}

bool spn__queue_pop(struct queue *queue, uint32_t *subject)
{
    if (!spn__queue_first(queue, subject))
        return false;
    spn__queue_remove(queue, *subject);
    return true;
}

void spn__queue_change(struct queue *queue, uint32_t subject, uint64_t key)
{
    if (!contains(queue, subject))
        return;
    queue->entries[queue->spots[subject]].key = key;
    settle(queue, queue->spots[subject]);
}

void spn__queue_take_if(struct queue *queue, queue_leaves_fn leaves,
                        void *context)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < queue->count; i++) {
        struct queue_entry entry = queue->entries[i];

        if (leaves(context, entry.subject))
            notify_watch(queue, entry.subject, false);
        else
            put(queue, kept++, entry);
    }
    queue->count = kept;
    make_heap(queue);
}

void spn__queue_rekey(struct queue *queue, queue_key_fn key, void *context)
{
    for (uint32_t i = 0; i < queue->count; i++)
        queue->entries[i].key = key(context, queue->entries[i].subject);
    make_heap(queue);
}

bool spn__queue_check(const struct queue *queue)
{
    if (queue->count > queue->capacity)
        return false;
    for (uint32_t i = 0; i < queue->count; i++)
        if (queue->spots[queue->entries[i].subject] != i ||
            (i > 0 && is_before(queue, i, (i - 1) / 2)))
            return false;
    return true;
}
