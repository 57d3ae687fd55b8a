/* platform.h - the functions that the runtime needs of the machine.
 *
 * A port to a machine fills in one spn_platform: a table of functions for
 * files, reads, time and threads. Tests fill in tables that inject faults or
 * simulate slow discs and clocks. The first argument of each function is the
 * table's `user`. spn_init copies the table; `user` and what it points to must
 * exist until spn_shutdown has returned.
 *
 * Threads
 *
 *   I/O thread       the one thread of the runtime that opens files and starts
 *                    and completes reads. Without threads: the thread that
 *                    calls spn_update
 *   caller's thread  the thread of the game that calls spn_init, spn_update and
 *                    spn_shutdown
 *   any              threads of the runtime, and threads of the game in a
 *                    function of the runtime
 *
 * The comment of each function says which of these call it.
 *
 * Required: file_open, file_close, read_submit, read_poll and now_us. On a
 * machine with threads also all six functions from thread_start to event_wait;
 * without threads these are NULL. All other functions may be NULL.
 *
 * After spn_init has returned, no function may allocate memory, except inside
 * the kernel of the operating system.
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

/* A contiguous piece of memory that is filled by a read. Extents of one read
 * may overlap or be equal; the contents of such memory are not used. */
typedef struct spn_extent {
    void *data;
    uint32_t bytes; /* > 0 */
} spn_extent;

/* Most extents of one read_submit. */
#define SPN_PLATFORM_EXTENTS_MAX 16u

/* An open file. The platform chooses the number: a descriptor, an index, a
 * pointer. */
typedef uint64_t spn_platform_file;

/* The kind of medium on which a file lies. The runtime reads from each medium
 * independently of the others, and sorts its reads separately. */
typedef enum spn_medium {
    SPN_MEDIUM_HARD_DISK = 0, /* also flash memory, network, and others */
    SPN_MEDIUM_OPTICAL = 1,
    SPN_MEDIUM_MEMORY = 2, /* the bytes of the file are in memory already */
    SPN_MEDIUM_COUNT = 3
} spn_medium;

/* The state of a drive's disc. */
typedef enum spn_disc {
    SPN_DISC_IN = 0,   /* the right disc, or it cannot be detected */
    SPN_DISC_OUT = 1,  /* no disc: the tray is open, or empty */
    SPN_DISC_OTHER = 2 /* another disc, or one that cannot be read */
} spn_disc;

/* The result of file_open. All fields are 0 before the call. */
typedef struct spn_platform_file_info {
    spn_platform_file file;
    uint64_t bytes;       /* exact size, not rounded up to sectors. A cache or
                           * pak that states another size is refused */
    uint64_t disc_offset; /* position of the first byte on the medium, in bytes;
                           * UINT64_MAX: unknown */
    uint32_t align_bytes; /* power of two, 1..4096. Multiples of it are, in each
                           * read_submit: the offset in the file, and the
                           * address and the length of every extent. The last
                           * read of a file may therefore extend beyond the end
                           * of the file, and then returns fewer bytes */
    spn_medium medium;
    const void *memory; /* with SPN_MEDIUM_MEMORY: the bytes of the file, which
                         * must not change until file_close. The runtime copies
                         * them and submits no read; align_bytes is not used */
} spn_platform_file_info;

/* The end of one read. */
typedef struct spn_platform_completion {
    uint32_t tag;      /* from read_submit */
    spn_status status; /* SPN_OK or SPN_ERR_IO, also if it was cancelled */
    uint64_t bytes;    /* bytes that arrived, contiguous from the first one; may
                        * be fewer than requested */
} spn_platform_completion;

typedef enum spn_log_level {
    SPN_LOG_ERROR = 0,
    SPN_LOG_WARNING = 1,
    SPN_LOG_INFO = 2
} spn_log_level;

typedef void (*spn_thread_fn)(void *argument);

/* The work of a thread of the runtime. */
typedef enum spn_thread_role {
    SPN_THREAD_IO = 0,    /* the I/O thread; one */
    SPN_THREAD_WORKER = 1 /* decompresses, decodes, calls callbacks */
} spn_thread_role;

/* Scheduling priority of a thread, relative to the thread that calls spn_init.
 */
typedef enum spn_thread_priority {
    SPN_THREAD_DEFAULT = 0, /* only in spn_config: use the field's default */
    SPN_THREAD_LOW = 1,
    SPN_THREAD_NORMAL = 2, /* the priority of the thread that calls spn_init */
    SPN_THREAD_HIGH = 3
} spn_thread_priority;

/* Arguments of thread_start. */
typedef struct spn_thread_desc {
    const char *name; /* for debuggers; valid during the call */
    spn_thread_fn run;
    void *argument;
    uint32_t stack_bytes; /* stack that the runtime needs; add what the system
                           * needs itself */
    spn_thread_role role;
    spn_thread_priority priority; /* never SPN_THREAD_DEFAULT. Ignore it if the
                                   * system has no priorities or refuses it */
} spn_thread_desc;

/* Which thread sleeps on an event. */
typedef enum spn_event_use {
    /* The I/O thread. One event, created before all others and before the I/O
     * thread is started. The platform signals it when a read has ended (see
     * read_poll). */
    SPN_EVENT_FOR_IO = 0,
    SPN_EVENT_FOR_WORKER = 1, /* workers. One event for all workers of
                               * spn_config.worker_count together, and one for
                               * each worker of spn_config.reserved_tasks (a
                               * thread that only calls callbacks of certain
                               * tasks) */
    SPN_EVENT_FOR_WAITER = 2  /* threads that wait for a read:
                               * spn_config.wait_count events for spn_read_wait,
                               * and one for the caller's thread in
                               * spn_read_abort_now */
} spn_event_use;

typedef struct spn_platform {
    void *user;

    /* -- files and reads: I/O thread -- */

    /* Open a file for reading. The call may block; reads of other files may be
     * outstanding meanwhile.
     *
     * path  UTF-8, NUL-terminated, valid during the call
     *
     * Returns SPN_OK, SPN_ERR_NOT_FOUND or SPN_ERR_IO. At most
     * spn_config.file_count + read_count files are open at a time. */
    spn_status (*file_open)(void *user, const char *path,
                            spn_platform_file_info *info);

    /* Close a file. No read of the file is outstanding. */
    void (*file_close)(void *user, spn_platform_file file);

    /* Start one read. It may also be done completely before the call returns.
     * At most one read is outstanding on each medium.
     *
     * offset   in the file, in bytes
     * extents  where to write; the read is as long as all of them together. The
     *          array is valid during the call, the memory until read_poll has
     *          returned the completion
     * tag      identifies the read among the outstanding ones
     *
     * Returns SPN_OK if a completion will come; an error if none will. */
    spn_status (*read_submit)(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag);

    /* Take the completion of any read that has ended. Never waits.
     *
     * Returns SPN_OK and writes *out. If no read has ended, returns SPN_PENDING
     * and sets *due_us to the time at which it must be called again. That is
     * UINT64_MAX if the platform signals the event SPN_EVENT_FOR_IO when a read
     * ends; otherwise, e.g. in an emulation, the time at which the first
     * outstanding read will end. A signal is never lost: the event exists
     * before the first read, and keeps a signal until it is waited for. Without
     * threads UINT64_MAX is always allowed, because each spn_update calls this
     * function. */
    spn_status (*read_poll)(void *user, spn_platform_completion *out,
                            uint64_t *due_us);

    /* Request that an outstanding read ends early. May be NULL. Never waits.
     * The completion still comes, once: SPN_OK with the number of bytes that
     * arrived before the read stopped (none, some or all), or SPN_ERR_IO if
     * that number is not known. The runtime treats neither as a fault of the
     * medium. The memory belongs to the read until the completion. An unknown
     * tag must be ignored. */
    void (*read_cancel)(void *user, uint32_t tag);

    /* -- time: any thread -- */

    /* Microseconds since a moment that the platform chooses, e.g. the start of
     * the machine; must never decrease. */
    uint64_t (*now_us)(void *user);

    /* -- threads: all NULL on a machine without threads -- */

    /* Start a thread that calls desc->run(desc->argument). `desc` is valid
     * during the call. Caller's thread, in spn_init. */
    spn_status (*thread_start)(void *user, const spn_thread_desc *desc,
                               uint64_t *thread);

    /* Wait until the thread's function has returned, and free the thread.
     * Caller's thread, in spn_shutdown, and in spn_init if it fails. */
    void (*thread_join)(void *user, uint64_t thread);

    /* Create an auto-reset event: it keeps a signal until one wait takes it.
     * *event must not be 0. Caller's thread, in spn_init. */
    spn_status (*event_create)(void *user, spn_event_use use, uint64_t *event);
    /* Caller's thread, in spn_shutdown, and in spn_init if it fails. */
    void (*event_destroy)(void *user, uint64_t event);
    /* Signal an event. Any thread. */
    void (*event_signal)(void *user, uint64_t event);

    /* Sleep until the event is signalled, and take the signal; or until the
     * clock reaches `due_us` (UINT64_MAX: no limit). May return earlier without
     * a reason. Any thread. */
    void (*event_wait)(void *user, uint64_t event, uint64_t due_us);

    /* -- the rest: each may be NULL -- */

    /* The disc in the drive of a medium at this moment. It is only reported, in
     * spn_medium_stats.state; reads are submitted in any case. Must be fast and
     * never wait. Any thread. */
    spn_disc (*medium_disc)(void *user, spn_medium medium);

    /* The typical time in microseconds that a read of `bytes` takes on the
     * drive of a medium if the head first has to *jump*, that is, seek from
     * another place; 0: not known. Used by guard.h. Never waits. Any thread. */
    uint64_t (*medium_jump_us)(void *user, spn_medium medium, uint64_t bytes);

    /* An identity of the calling thread: not 0, and different from that of
     * every other running thread. Used by guard.h, and to refuse waits on the
     * runtime's own threads (spn_read_wait). Not used on a machine without
     * threads. Any thread. */
    uint64_t (*thread_current)(void *user);

    /* Write one line to a log; `text` has no newline. Any thread. */
    void (*log)(void *user, spn_log_level level, const char *text);

    /* For devices that write memory directly (DMA): write the changed lines of
     * the CPU's cache in this range back to memory. Otherwise such a line could
     * later overwrite what the device has written. Called for each extent
     * before read_submit. The function may also drop the lines. I/O thread. */
    void (*cache_flush)(void *user, const void *data, size_t bytes);

    /* For the same devices: drop the lines of the CPU's cache in this range, so
     * that the CPU reads what the device has written. Called for each extent
     * after the completion of a read, before the data is used. I/O thread. */
    void (*cache_invalidate)(void *user, void *data, size_t bytes);
} spn_platform;

#ifdef __cplusplus
}
#endif
#endif
