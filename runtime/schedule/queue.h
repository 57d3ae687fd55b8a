/* queue.h - a priority queue of subjects: the smallest key first.
 *
 * An indexed binary heap in a fixed array. Adding, removing and changing an
 * entry take O(log n). Entries with equal keys leave in the order of their
 * arrival numbers, which the owner provides, so an entry keeps its place among
 * equals when it moves to another queue.
 *
 * A subject is a small number that only the owner can interpret, for example
 * the index of a read. The queue stores where each subject is, in the array
 * `spots`. Several queues can share one array of spots if each subject is in at
 * most one of them. Thread: the owner's (the io thread).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_QUEUE_H
#define SPN_SCHEDULE_QUEUE_H

#include "base/carve.h"

#include <stdbool.h>
#include <stdint.h>

struct queue_entry {
    uint64_t key;
    uint64_t arrival;
    uint32_t subject;
};

/* Called after a subject was added (is_in) or removed. It must not use the
 * queue. */
typedef void (*queue_watch_fn)(void *context, uint32_t subject, bool is_in);

struct queue {
    struct queue_entry *entries; /* the heap */
    uint32_t *spots;             /* by subject: index of its entry; any value
                                  * if it is in no queue */
    uint32_t capacity;           /* entries */
    uint32_t count;
    queue_watch_fn watch; /* NULL after the init; the owner may set it */
    void *watch_context;
};

/* Take `capacity` entries from the carve. `spots` has an element for each
 * subject that is ever added. */
void spn__queue_init(struct queue *queue, struct carve *carve,
                     uint32_t capacity, uint32_t *spots);
/* Add a subject that is in no queue of the spots. The queue must not be full.
 */
void spn__queue_push(struct queue *queue, uint64_t key, uint64_t arrival,
                     uint32_t subject);
/* Remove the first subject. False if the queue is empty. */
bool spn__queue_pop(struct queue *queue, uint32_t *subject);
/* Get the first subject without removing it. False if the queue is empty. */
bool spn__queue_first(const struct queue *queue, uint32_t *subject);

/* Remove a subject that is in this queue. */
void spn__queue_remove(struct queue *queue, uint32_t subject);
/* Change the key of a subject. No effect if it is not in this queue. */
void spn__queue_change(struct queue *queue, uint32_t subject, uint64_t key);

/* Returns whether a subject leaves the queue. */
typedef bool (*queue_leaves_fn)(void *context, uint32_t subject);
/* Returns the new key of a subject. */
typedef uint64_t (*queue_key_fn)(void *context, uint32_t subject);

/* Remove every subject for which `leaves` returns true. `leaves` is called once
 * for each entry, in any order. Before it returns true, it may already add the
 * subject to another queue. It must not use this queue. O(n). */
void spn__queue_take_if(struct queue *queue, queue_leaves_fn leaves,
                        void *context);
/* Replace every key by the result of `key`, which is called once for each
 * entry, in any order. O(n). */
void spn__queue_rekey(struct queue *queue, queue_key_fn key, void *context);

/* Whether all invariants hold. O(n). */
bool spn__queue_check(const struct queue *queue);

#endif
