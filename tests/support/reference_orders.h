/* reference_orders.h - queues of waiting reads in six orders, for comparison.
 *
 * The runtime has two orders of reads: the sort key and the deadline scheduler.
 * Tests and benchmarks compare them with four textbook orders: FIFO, SSTF,
 * C-LOOK and EDF. A queue here holds the reads that wait for one drive, and
 * says which of them the drive reads next. The runtime's orders are computed by
 * the runtime's own modules. The other four scan all waiting reads at each
 * choice: they are meant to be obviously right, not fast.
 *
 * Only the caller's thread touches a queue.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_REFERENCE_ORDERS_H
#define TESTS_SUPPORT_REFERENCE_ORDERS_H

#include "disc/forecast.h"
#include "schedule/deadline_coalesce.h"

#include <stdint.h>

enum reference_order {
    REFERENCE_FIFO,     /* order of arrival */
    REFERENCE_SORT_KEY, /* the runtime's sort key: priority, time group,
                         * position */
    REFERENCE_SSTF,     /* shortest seek first */
    REFERENCE_C_LOOK,   /* ascending position; after the highest the lowest */
    REFERENCE_EDF,      /* earliest deadline first */
    REFERENCE_DEADLINE, /* the runtime's deadline scheduler */
    REFERENCE_ORDERS
};
/* "fifo", "key", "sstf", "c-look", "edf", "deadline" */
extern const char *const reference_order_names[REFERENCE_ORDERS];

struct reference_read {
    uint64_t position; /* bytes from the start of the disc */
    uint64_t bytes;    /* > 0 */
    uint64_t arrival_us;
    uint64_t deadline_us; /* UINT64_MAX: no deadline */
    enum deadline_class class;
};

struct reference_queue;

/* Create an empty queue. `forecast` tells how long seeks take; the caller owns
 * it, and it must outlive the queue. Ends the process when memory runs out. */
struct reference_queue *reference_queue_create(enum reference_order order,
                                               struct forecast *forecast);
void reference_queue_destroy(struct reference_queue *queue);

/* Add a read. `id` names it: a small number that no waiting read has. */
void reference_queue_add(struct reference_queue *queue, uint32_t id,
                         const struct reference_read *read, uint64_t now_us);
/* Remove each waiting read for which `leaves` returns true. It is called once
 * for each of them. */
typedef bool (*reference_leaves_fn)(void *context, uint32_t id);
void reference_queue_remove_if(struct reference_queue *queue,
                               reference_leaves_fn leaves, void *context);
uint32_t reference_queue_count(const struct reference_queue *queue);

/* Remove the reads that the drive reads next, with its head at `head`, and
 * store their ids in order of position. The deadline scheduler coalesces
 * neighbouring reads; the other orders take one. Returns the number of ids;
 * 0: no read waits. */
uint32_t reference_queue_take(struct reference_queue *queue,
                              const struct forecast_place *head,
                              uint64_t now_us,
                              uint32_t ids[DEADLINE_COALESCE_MAX]);

#endif
