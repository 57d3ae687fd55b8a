/* workers.h - a pool of threads for parallel loops.
 *
 * A loop calls a function once for each index; the calls (turns) are
 * independent of each other. A turn writes only to the place of its index, so
 * results are in order. Which thread runs a turn is not defined: only scratch
 * memory may depend on it. One loop at a time per pool.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_WORKERS_H
#define OFFLINE_COMMON_WORKERS_H

#include <stdint.h>

struct workers;

/* Create a pool of `jobs` threads, the caller's included: 1 starts no thread.
 * If the system gives fewer threads, the pool has fewer. Never NULL. */
struct workers *workers_create(uint32_t jobs);
void workers_destroy(struct workers *workers);

/* Number of threads that run turns, the caller's included. */
uint32_t workers_count(const struct workers *workers);

/* Call turn(user, index, worker) once for each index below `count`, and return
 * when all calls have returned. `worker`, below workers_count, is different for
 * calls that run at the same time. Call it from one thread only, not from
 * within a turn. */
void workers_run(struct workers *workers, uint32_t count,
                 void (*turn)(void *user, uint32_t index, uint32_t worker),
                 void *user);

#endif
