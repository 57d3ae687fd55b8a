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

/* One for each medium that may have one, by its number. */
#define POSIX_READERS 2u

/* The io thread, the readers, and as many workers as a runtime starts at most
 * (64, and 4 reserved ones); events for them, for 64 threads that wait, and as
 * many of a port's own. */
#define POSIX_THREADS_MAX 71u
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
    struct spn_platform_posix *posix;
    uint64_t thread;
    uint64_t asked; /* event */
    pthread_mutex_t mutex;
    /* under the mutex; while it is ASKED the read is the reader's */
    enum posix_reader_state state;
    bool is_ending;
    bool is_cancelled;
    struct posix_read read;
    spn_platform_completion completion;
};

struct spn_platform_posix {
    /* fixed after init */
    uint32_t options;           /* SPN_POSIX_... */
    const char *optical_folder; /* NULL: none */
    void (*event_wait)(void *user, uint64_t event, uint64_t due_us);
    void (*event_signal)(void *user, uint64_t event);
    /* io thread */
    spn_platform_completion completion;
    bool has_completion;
    struct posix_reader readers[POSIX_READERS]; /* see there */
    /* caller's thread at init and shutdown, when no read is under way */
    uint64_t io_event; /* 0: none */
    /* caller's thread at init and shutdown; an event's own mutex guards it
     * in between */
    struct posix_thread threads[POSIX_THREADS_MAX];
    struct posix_event events[POSIX_EVENTS_MAX];
};

/* Blocks. */
void spn__posix_read(const struct posix_read *read,
                     spn_platform_completion *out);

/* What the number of a file says. */
spn_medium spn__posix_medium(spn_platform_file file);
int spn__posix_descriptor(spn_platform_file file);

/* Start a reader; and end it, when it is free. Caller's thread. */
spn_status spn__posix_reader_start(struct spn_platform_posix *posix,
                                   struct posix_reader *reader,
                                   const spn_platform *table);
void spn__posix_reader_end(struct spn_platform_posix *posix,
                           struct posix_reader *reader,
                           const spn_platform *table);
/* io thread. SPN_ERR_ARG: it has one already. */
spn_status spn__posix_reader_ask(struct spn_platform_posix *posix,
                                 struct posix_reader *reader,
                                 const struct posix_read *read);
bool spn__posix_reader_poll(struct posix_reader *reader,
                            spn_platform_completion *out);
/* If that is the read it has. */
void spn__posix_reader_cancel(struct posix_reader *reader, uint32_t tag);

/* Fill the table's file functions. */
void spn__posix_files_fill(spn_platform *table);

/* Fill the table's thread and event functions. */
void spn__posix_threads_fill(spn_platform *table);

/* Monotonic clock in microseconds. */
uint64_t spn__posix_now_us(void *user);

#endif
