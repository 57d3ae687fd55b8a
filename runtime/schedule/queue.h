/* queue.h - the reads that wait, smallest key first.
 *
 * A binary heap in a fixed array, and where each subject stands in it: taking,
 * putting and changing one is O(log n), and nothing is ever sorted. Equal keys
 * leave in the order of their arrivals, numbers that the owner gives, so that
 * an entry keeps its turn when it moves from one queue to another. What a
 * subject is, only the owner knows: it is a small number and stands in a queue
 * once. Queues may share the array of where they stand, as long as a subject
 * stands in one of them only. Owner: one thread (the io thread).
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

/* Told of a subject that has come in, or has left. */
typedef void (*queue_watch_fn)(void *context, uint32_t subject, bool is_in);

struct queue {
    struct queue_entry *entries;
    uint32_t *spots; /* by subject: its entry */
    uint32_t capacity;
    uint32_t count;
    queue_watch_fn watch; /* NULL: nobody is told */
    void *watch_context;
};

/* `spots` has one for each subject that ever comes. */
void spn__queue_init(struct queue *queue, struct carve *carve,
                     uint32_t capacity, uint32_t *spots);
/* False when full. */
bool spn__queue_push(struct queue *queue, uint64_t key, uint64_t arrival,
                     uint32_t subject);
/* Take the first. False when empty. */
bool spn__queue_pop(struct queue *queue, uint32_t *subject);
/* Look at the first without taking it. False when empty. */
bool spn__queue_first(const struct queue *queue, uint32_t *subject);

/* Take out an entry that is there. O(log n). */
void spn__queue_remove(struct queue *queue, uint32_t subject);
/* Give an entry another key; no effect if it is not there. O(log n). */
void spn__queue_change(struct queue *queue, uint32_t subject, uint64_t key);

/* Called once for each entry, in any order. */
typedef bool (*queue_leaves_fn)(void *context, uint32_t subject);
typedef uint64_t (*queue_key_fn)(void *context, uint32_t subject);

/* Take out every entry for which `leaves` says so. The call may end the
 * subject and put it into another queue, but not touch this one. O(n). */
void spn__queue_take_if(struct queue *queue, queue_leaves_fn leaves,
                        void *context);
/* Give every entry the key that `key` says. O(n). */
void spn__queue_rekey(struct queue *queue, queue_key_fn key, void *context);

/* Do all invariants hold? O(n). */
bool spn__queue_check(const struct queue *queue);

#endif
