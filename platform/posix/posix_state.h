/* posix_state.h - the state behind one posix table; inside this folder only.
 *
 * Everything lies in the caller's memory: threads and events come from fixed
 * tables, so nothing is allocated once the table stands.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_POSIX_STATE_H
#define SPINDLE_POSIX_STATE_H

#include <spindle/platform.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The io thread and as many workers as a runtime starts at most (64, and 4
 * reserved ones); events for them, for 64 threads that wait, and as many of a
 * port's own. */
#define POSIX_THREADS_MAX 69u
#define POSIX_EVENTS_MAX 256u

struct posix_thread {
    pthread_t thread;
    spn_thread_fn run;
    void *argument;
    bool is_used;
};

struct posix_event {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_signalled; /* under the mutex */
    bool is_used;
};

struct spn_platform_posix {
    /* io thread */
    spn_platform_completion completion;
    bool has_completion;
    /* caller's thread at init and shutdown; an event's own mutex guards it
     * in between */
    struct posix_thread threads[POSIX_THREADS_MAX];
    struct posix_event events[POSIX_EVENTS_MAX];
};

/* Fill the table's thread and event functions. */
void posix_threads_fill(spn_platform *table);

/* Monotonic clock in microseconds. */
uint64_t posix_now_us(void *user);

#endif
