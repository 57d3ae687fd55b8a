/* posix_state.h - the state of a posix table, for the files of this folder.
 *
 * The state lies in the caller's memory. Threads and events come from fixed
 * tables, so nothing is allocated after the init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_POSIX_STATE_H
#define SPINDLE_POSIX_STATE_H

#include <spindle/platform.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Most readers: one for each medium, by the number of the medium. */
#define POSIX_READERS 2u

/* Most threads: the io thread, the readers, 64 workers and 4 reserved workers.
 */
#define POSIX_THREADS_MAX 71u
/* Most events: for these threads, for 64 threads in spn_read_wait, and for
 * other uses of a port. */
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
    bool is_signalled; /* protected by the mutex */
    bool is_used;
};

/* A read: the arguments of one preadv. */
struct posix_read {
    int descriptor;
    uint64_t offset;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint32_t tag;
};

enum posix_reader_state {
    POSIX_READER_FREE,
    POSIX_READER_BUSY, /* it has a read */
    POSIX_READER_DONE  /* the completion was not polled yet */
};

/* A thread that reads one medium (posix_reader.c). */
struct posix_reader {
    /* fixed while the thread runs */
    bool is_started;
    struct spn_platform_posix *posix;
    uint64_t thread;       /* handle of the thread */
    uint64_t submit_event; /* the thread sleeps on it until a read comes */
    pthread_mutex_t mutex;
    /* Protected by the mutex. While the state is POSIX_READER_BUSY, the thread
     * owns `read`. */
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
    struct posix_reader readers[POSIX_READERS];
    /* caller's thread at init and shutdown, when no read is under way */
    uint64_t io_event; /* 0: none */
    /* caller's thread at init and shutdown; in between an event is protected
     * by its mutex */
    struct posix_thread threads[POSIX_THREADS_MAX];
    struct posix_event events[POSIX_EVENTS_MAX];
};

/* Do a read. Blocks until it has ended. */
void spn__posix_read(const struct posix_read *read,
                     spn_platform_completion *out);

/* Medium and descriptor of a file; both are encoded in its handle. */
spn_medium spn__posix_medium(spn_platform_file file);
int spn__posix_descriptor(spn_platform_file file);

/* Start a reader, and end it when it is free. Caller's thread. */
spn_status spn__posix_reader_start(struct spn_platform_posix *posix,
                                   struct posix_reader *reader,
                                   const spn_platform *table);
void spn__posix_reader_end(struct spn_platform_posix *posix,
                           struct posix_reader *reader,
                           const spn_platform *table);
/* Submit a read. Returns SPN_ERR_ARG if the reader has one already. io thread.
 */
spn_status spn__posix_reader_submit(struct spn_platform_posix *posix,
                                    struct posix_reader *reader,
                                    const struct posix_read *read);
/* Take the completion. False: there is none. io thread. */
bool spn__posix_reader_poll(struct posix_reader *reader,
                            spn_platform_completion *out);
/* Cancel the read with this tag, if the reader has it. io thread. */
void spn__posix_reader_cancel(struct posix_reader *reader, uint32_t tag);

/* Fill the table's file functions. */
void spn__posix_files_fill(spn_platform *table);

/* Fill the table's thread and event functions. */
void spn__posix_threads_fill(spn_platform *table);

/* Monotonic clock in microseconds. */
uint64_t spn__posix_now_us(void *user);

#endif
