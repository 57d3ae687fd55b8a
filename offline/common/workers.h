/* workers.h - a pool of threads for loops whose turns do not touch each other.
 *
 * One loop at a time. Results are in order because each turn writes to its
 * own place; which thread takes which turn is not said, so nothing may
 * depend on it but scratch memory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_WORKERS_H
#define OFFLINE_COMMON_WORKERS_H

#include <stdint.h>

struct workers;

/* `jobs` >= 1, the caller included: 1 starts no thread. Where the machine
 * gives fewer threads, there are fewer; never NULL. */
struct workers *workers_create(uint32_t jobs);
void workers_destroy(struct workers *workers);

/* Threads that take turns, the caller included. */
uint32_t workers_count(const struct workers *workers);

/* Call turn(user, index, worker) once for each index below `count`; returns
 * when all have returned. `worker` is below workers_count and belongs to the
 * thread for the turn. From one thread only, not from within a turn. */
void workers_run(struct workers *workers, uint32_t count,
                 void (*turn)(void *user, uint32_t index, uint32_t worker),
                 void *user);

#endif
