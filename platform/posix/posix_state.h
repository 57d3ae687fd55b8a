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

/* The io thread, the reader, and as many workers as a runtime starts at most
 * (64, and 4 reserved ones); events for them, for 64 threads that wait, and as
 * many of a port's own. */
#define POSIX_THREADS_MAX 70u
#define POSIX_EVENTS_MAX 256u

struct posix_thread {
    pthread_t thread;
    spn_thread_fn run;
    void *argument;
    spn_thread_priority priority;
    bool is_used;
};

struct posix_event {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_signalled; /* under the mutex */
    bool is_used;
};

/* What one preadv does. */
struct posix_read {
    int descriptor;
    uint64_t offset;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint32_t tag;
};

enum posix_reader_state {
    POSIX_READER_FREE,
    POSIX_READER_ASKED,
    POSIX_READER_DONE /* and not polled yet */
};

/* See posix_reader.c. */
struct posix_reader {
    /* fixed while it runs */
    bool is_there;
    uint64_t thread;
    uint64_t asked; /* event */
    pthread_mutex_t mutex;
    /* under the mutex; while it is ASKED the read is the reader's */
    enum posix_reader_state state;
    bool is_ending;
    pthread_t asker;  /* who asked, */
    uint64_t sleeper; /* and the event that it sleeps on; 0: it does not */
    struct posix_read read;
    spn_platform_completion completion;
};

struct spn_platform_posix {
    /* fixed after init */
    const char *optical_folder; /* NULL: none */
    void (*event_wait)(void *user, uint64_t event, uint64_t due_us);
    void (*event_signal)(void *user, uint64_t event);
    /* io thread */
    spn_platform_completion completion;
    bool has_completion;
    struct posix_reader reader; /* see there */
    /* caller's thread at init and shutdown; an event's own mutex guards it
     * in between */
    struct posix_thread threads[POSIX_THREADS_MAX];
    struct posix_event events[POSIX_EVENTS_MAX];
};

/* Blocks. */
void spn__posix_read(const struct posix_read *read,
                     spn_platform_completion *out);

/* Start the reader; and end it, when it is free. Caller's thread. */
spn_status spn__posix_reader_start(struct spn_platform_posix *posix,
                                   const spn_platform *table);
void spn__posix_reader_end(struct spn_platform_posix *posix,
                           const spn_platform *table);
/* io thread. SPN_ERR_ARG: it has one already. */
spn_status spn__posix_reader_ask(struct spn_platform_posix *posix,
                                 const struct posix_read *read);
bool spn__posix_reader_poll(struct spn_platform_posix *posix,
                            spn_platform_completion *out);
/* Before any thread sleeps on an event: false when the reader is done with what
 * this thread asked for; else the event is signalled when it is. */
bool spn__posix_reader_may_sleep(struct spn_platform_posix *posix,
                                 uint64_t event);

/* Fill the table's thread and event functions. */
void spn__posix_threads_fill(spn_platform *table);

/* Monotonic clock in microseconds. */
uint64_t spn__posix_now_us(void *user);

#endif
