/* workers.h - a pool of threads for parallel loops.
 *
 * A loop calls a function once for each index. The calls, named tasks, are
 * independent of each other and run on any thread of the pool. A task stores
 * its result at its index, so that the results depend neither on the order of
 * the calls nor on the threads. One loop at a time per pool.
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

/* Number of threads that run tasks, the caller's included. */
uint32_t workers_count(const struct workers *workers);

/* Call task(user, index, worker) once for each index below `count`, and return
 * when all calls have returned. `worker`, below workers_count, is different for
 * calls that run at the same time. Call it from one thread only, not from
 * within a task. */
void workers_run(struct workers *workers, uint32_t count,
                 void (*task)(void *user, uint32_t index, uint32_t worker),
                 void *user);

#endif
