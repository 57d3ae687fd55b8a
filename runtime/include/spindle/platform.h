/* platform.h - everything the runtime needs from the machine.
 *
 * One struct of functions, each with the table's `user` pointer first. The
 * runtime copies the struct at spn_init; `user` and what it points to must
 * live until spn_shutdown has returned. A port fills in this table; so do the
 * fault injectors, slow discs and virtual clocks of the tests.
 *
 * Threads: `now_us` and `log` may be called from any thread. The file and
 * read functions are called by the io thread only (without threads: by
 * whoever calls spn_update). Thread and event functions are called by the
 * caller's thread at init and shutdown; `event_signal` and `event_wait` by
 * any thread.
 *
 * Nothing in this table may allocate memory from the system after spn_init
 * has returned, except inside the operating system's own kernel.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_H
#define SPINDLE_PLATFORM_H

#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A piece of memory that a read fills. Several of one read may be the same
 * memory, or overlap: then nobody looks at what lies there. */
typedef struct spn_extent {
    void *data;
    uint32_t bytes; /* > 0 */
} spn_extent;

/* At most this many extents are given to one read_submit. */
#define SPN_PLATFORM_EXTENTS_MAX 16u

/* A file as the platform knows it: a descriptor, an index, a pointer. */
typedef uint64_t spn_platform_file;

/* What a file lies on. Reads of different media go on side by side, each in
 * an order of its own. */
typedef enum spn_medium {
    SPN_MEDIUM_HARD_DISK = 0, /* or flash, or whatever is like one */
    SPN_MEDIUM_OPTICAL = 1,
    SPN_MEDIUM_MEMORY = 2, /* the bytes are in memory already */
    SPN_MEDIUM_COUNT = 3
} spn_medium;

/* What lies in a drive. */
typedef enum spn_disc {
    SPN_DISC_IN = 0,   /* the right one, or there is nothing to say */
    SPN_DISC_OUT = 1,  /* none: the tray is open, or empty */
    SPN_DISC_OTHER = 2 /* another, or one that cannot be read */
} spn_disc;

/* What file_open reports. All zero before the call. */
typedef struct spn_platform_file_info {
    spn_platform_file file;
    uint64_t bytes;       /* size of the file, exact: not rounded up to
                           * sectors. A cache or pak that states another
                           * size is refused */
    uint64_t disc_offset; /* first byte on the medium; UINT64_MAX: unknown */
    uint32_t align_bytes; /* offset, length and memory of every read are
                           * multiples of it; power of two, 1..4096; the
                           * last read of a file may be rounded up past
                           * its end and then comes back short */
    spn_medium medium;    /* 0: a hard disk */
    const void *memory;   /* SPN_MEDIUM_MEMORY: where the file's `bytes` lie,
                           * unchanged until file_close. The runtime copies
                           * from there: no read is submitted, and
                           * align_bytes means nothing */
} spn_platform_file_info;

/* The end of one submitted read. */
typedef struct spn_platform_completion {
    uint32_t tag;      /* as given to read_submit */
    spn_status status; /* SPN_OK or SPN_ERR_IO, cancelled or not */
    uint64_t bytes;    /* bytes that arrived, from the front; may be short */
} spn_platform_completion;

typedef enum spn_log_level {
    SPN_LOG_ERROR = 0,
    SPN_LOG_WARNING = 1,
    SPN_LOG_INFO = 2
} spn_log_level;

typedef void (*spn_thread_fn)(void *argument);

/* What a thread does for the runtime. */
typedef enum spn_thread_role {
    SPN_THREAD_IO = 0,    /* chooses, submits and completes reads: one */
    SPN_THREAD_WORKER = 1 /* decompresses, decodes, runs callbacks */
} spn_thread_role;

/* How urgent a thread is, compared with the one that calls spn_init. */
typedef enum spn_thread_priority {
    SPN_THREAD_DEFAULT = 0, /* in a config only: see there */
    SPN_THREAD_LOW = 1,
    SPN_THREAD_NORMAL = 2, /* the same */
    SPN_THREAD_HIGH = 3
} spn_thread_priority;

/* A thread to be started. */
typedef struct spn_thread_desc {
    const char *name; /* for debuggers; valid during the call */
    spn_thread_fn run;
    void *argument;
    uint32_t stack_bytes; /* what the runtime needs; add the system's own */
    spn_thread_role role;
    spn_thread_priority priority; /* never SPN_THREAD_DEFAULT. A wish: ignore
                                   * it where the system has no such thing, or
                                   * refuses */
} spn_thread_desc;

/* Who sleeps on an event. */
typedef enum spn_event_use {
    SPN_EVENT_FOR_IO = 0,     /* the io thread: one, created before all others
                               * and before the io thread. The one to signal
                               * when a read has ended */
    SPN_EVENT_FOR_WORKER = 1, /* workers: one for all, and one for each
                               * reserved worker */
    SPN_EVENT_FOR_WAITER = 2  /* a thread inside spn_read_wait: wait_count; the
                               * caller's in spn_read_abort_now: one */
} spn_event_use;

typedef struct spn_platform {
    void *user;

    /* -- files: io thread -- */

    /* Open a file for reading. `path` is UTF-8, NUL-terminated, valid during
     * the call. Returns SPN_OK, SPN_ERR_NOT_FOUND or SPN_ERR_IO. May block,
     * and may come while reads of other files are outstanding. At most
     * file_count + read_count files are open at a time. */
    spn_status (*file_open)(void *user, const char *path,
                            spn_platform_file_info *info);

    /* Close; no read of the file is outstanding. */
    void (*file_close)(void *user, spn_platform_file file);

    /* Start one read of the sum of the extents' bytes at `offset` (bytes).
     * One read is outstanding at a time on each medium: one in all where all
     * files lie on the same. The extents' array is valid during the call; their
     * memory until the completion was polled. May also do the whole read
     * before it returns. `tag` is that of no other outstanding read. Returns
     * SPN_OK when a completion will come, an error when none will. */
    spn_status (*read_submit)(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag);

    /* Take the completion of a read, whichever ended. Returns SPN_OK and
     * fills `out`, or SPN_PENDING and sets *due_us to the time at which to ask
     * again: the earliest of all outstanding reads. UINT64_MAX, when the end
     * of a read signals the io event (SPN_EVENT_FOR_IO). That is safe from the
     * first call on: the event exists before any read, and keeps a signal
     * that comes between this call and the wait. A machine without threads
     * may always say UINT64_MAX: spn_update asks each time. Never waits. */
    spn_status (*read_poll)(void *user, spn_platform_completion *out,
                            uint64_t *due_us);

    /* Ask that an outstanding read end early; NULL is legal. Never waits. A
     * completion still comes, once, and says what happened: SPN_OK with the
     * bytes that arrived from the front until the read stopped, which may be
     * none or all; or SPN_ERR_IO where nobody knows. The runtime remembers
     * that it cancelled, and takes neither for a fault of the medium.
     * Cancelled does not mean stopped: the memory belongs to the read until
     * the completion. Unknown tags are ignored. */
    void (*read_cancel)(void *user, uint32_t tag);

    /* -- time: any thread -- */

    /* Microseconds, never running back, from any origin. */
    uint64_t (*now_us)(void *user);

    /* -- threads: all NULL on a machine without -- */

    /* Start a thread running desc->run(desc->argument). `desc` is valid during
     * the call. Called inside spn_init only. */
    spn_status (*thread_start)(void *user, const spn_thread_desc *desc,
                               uint64_t *thread);

    /* Wait until the thread's function has returned, and release it. */
    void (*thread_join)(void *user, uint64_t thread);

    /* An auto-reset event: a signal is kept until one wait takes it. Created
     * inside spn_init only, destroyed inside spn_shutdown. Never 0. */
    spn_status (*event_create)(void *user, spn_event_use use, uint64_t *event);
    void (*event_destroy)(void *user, uint64_t event);
    void (*event_signal)(void *user, uint64_t event);

    /* Return when the event was signalled (and take the signal), or when the
     * clock reached `due_us` (UINT64_MAX: never). Spurious returns are legal.
     */
    void (*event_wait)(void *user, uint64_t event, uint64_t due_us);

    /* -- the rest: NULL is legal -- */

    /* What lies in the drive of a medium at this moment, for
     * spn_medium_stats.state. Reads wait, or fail, whatever it says. Cheap,
     * never waits. Any thread. */
    spn_disc (*medium_disc)(void *user, spn_medium medium);

    /* What a read of `bytes` takes from the drive of a medium where its head
     * was elsewhere, in microseconds; 0: nobody knows. Only for
     * spindle/guard.h. Never waits. Any thread. */
    uint64_t (*medium_jump_us)(void *user, spn_medium medium, uint64_t bytes);

    /* The calling thread: a number that no other running thread has, never 0.
     * Any thread, also of the application's. For spindle/guard.h, and to
     * refuse waits of the runtime's own; means nothing on a machine without
     * threads. */
    uint64_t (*thread_current)(void *user);

    /* One line without a newline. */
    void (*log)(void *user, spn_log_level level, const char *text);

    /* Write back what the CPU's cache has changed of these bytes (DMA).
     * Called by the io thread before read_submit, for each extent: a changed
     * line that is evicted later would overwrite what the device has written.
     * A function that also drops the lines is as good. */
    void (*cache_flush)(void *user, const void *data, size_t bytes);

    /* Drop what the CPU's cache has of these bytes, so that what the device
     * wrote can be seen (DMA). Called by the io thread after a read's
     * completion, for each extent, before anyone looks. */
    void (*cache_invalidate)(void *user, void *data, size_t bytes);
} spn_platform;

#ifdef __cplusplus
}
#endif
#endif
