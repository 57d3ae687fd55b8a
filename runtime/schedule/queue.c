/* queue.c - the binary heap behind the waiting reads.
 *
 * Invariants: no entry is before its parent, by (key, arrival), and each stands
 * where the spot of its subject says. With unique arrivals the order is total,
 * and the same for the same calls.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/queue.h"

#include "base/assert.h"

static bool is_before(const struct queue_entry *a, const struct queue_entry *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->arrival < b->arrival;
}

static void put(struct queue *queue, uint32_t at, struct queue_entry entry)
{
    queue->entries[at] = entry;
    queue->spots[entry.subject] = at;
}

static void rise(struct queue *queue, uint32_t at)
{
    struct queue_entry entry = queue->entries[at];

    while (at > 0) {
        uint32_t parent = (at - 1) / 2;

        if (!is_before(&entry, &queue->entries[parent]))
            break;
        put(queue, at, queue->entries[parent]);
        at = parent;
    }
    put(queue, at, entry);
}

static void sink(struct queue *queue, uint32_t at)
{
    struct queue_entry entry = queue->entries[at];

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= queue->count)
            break;
        if (child + 1 < queue->count &&
            is_before(&queue->entries[child + 1], &queue->entries[child]))
            child++;
        if (!is_before(&queue->entries[child], &entry))
            break;
        put(queue, at, queue->entries[child]);
        at = child;
    }
    put(queue, at, entry);
}

static void make_heap(struct queue *queue)
{
    for (uint32_t i = queue->count / 2; i > 0; i--)
        sink(queue, i - 1);
}

static void tell(const struct queue *queue, uint32_t subject, bool is_in)
{
    if (queue->watch)
        queue->watch(queue->watch_context, subject, is_in);
}

void spn__queue_init(struct queue *queue, struct carve *carve,
                     uint32_t capacity, uint32_t *spots)
{
    queue->spots = spots;
    queue->entries = SPN_CARVE(carve, struct queue_entry, capacity);
    queue->capacity = capacity;
    queue->count = 0;
    queue->watch = NULL;
    queue->watch_context = NULL;
}

bool spn__queue_push(struct queue *queue, uint64_t key, uint64_t arrival,
                     uint32_t subject)
{
    struct queue_entry *entry;

    if (queue->count == queue->capacity)
        return false;
    entry = &queue->entries[queue->count++];
    entry->key = key;
    entry->arrival = arrival;
    entry->subject = subject;
    rise(queue, queue->count - 1);
    tell(queue, subject, true);
    return true;
}

bool spn__queue_pop(struct queue *queue, uint32_t *subject)
{
    if (queue->count == 0)
        return false;
    *subject = queue->entries[0].subject;
    queue->entries[0] = queue->entries[--queue->count];
    if (queue->count > 0)
        sink(queue, 0);
    tell(queue, *subject, false);
    return true;
}

bool spn__queue_first(const struct queue *queue, uint32_t *subject)
{
    if (queue->count == 0)
        return false;
    *subject = queue->entries[0].subject;
    return true;
}

/* Its entry. */
static uint32_t find(const struct queue *queue, uint32_t subject)
{
    uint32_t at = queue->spots[subject];

    SPN_ASSERT(at < queue->count && queue->entries[at].subject == subject);
    return at;
}

/* The entry there is another than before. */
static void settle(struct queue *queue, uint32_t at)
{
    uint32_t subject = queue->entries[at].subject;

    sink(queue, at);
    rise(queue, queue->spots[subject]);
}

void spn__queue_remove(struct queue *queue, uint32_t subject)
{
    uint32_t at = find(queue, subject);

    if (at < --queue->count) {
        queue->entries[at] = queue->entries[queue->count];
        settle(queue, at);
    }
    tell(queue, subject, false);
}

void spn__queue_change(struct queue *queue, uint32_t subject, uint64_t key)
{
    uint32_t at = find(queue, subject);

    queue->entries[at].key = key;
    settle(queue, at);
}

void spn__queue_take_if(struct queue *queue, queue_leaves_fn leaves,
                        void *context)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < queue->count; i++) {
        struct queue_entry entry = queue->entries[i];

        if (leaves(context, entry.subject))
            tell(queue, entry.subject, false);
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
            (i > 0 &&
             is_before(&queue->entries[i], &queue->entries[(i - 1) / 2])))
            return false;
    return true;
}
