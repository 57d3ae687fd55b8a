/* read.h - reading files through the one io thread.
 *
 * A read is started, and ends in exactly one completion: done, failed,
 * aborted or shut down. The asynchronous callback runs first, on a worker;
 * then the main-thread callback runs inside spn_update. Either may be absent.
 *
 * The handle is valid until the main-thread callback has returned, or, without
 * one, until spn_update has completed the read. Then it is stale. The handle of
 * a *held* read stays valid longer, and spn_read_wait returns its result at any
 * time. A read is held if it has
 *
 *   no callback at all   until one spn_read_wait has returned SPN_OK, or until
 *                        spn_read_release, as a thread is joined or detached:
 *                        there is no other way to its result
 *   SPN_READ_HELD        until spn_read_release
 *
 * As long as it is held it counts towards spn_config.read_count; after its
 * completion also towards spn_io_stats.held.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_READ_H
#define SPINDLE_READ_H

#include <spindle/platform.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_runtime spn_runtime;

typedef uint32_t spn_file;  /* handle; 0: none */
typedef uint32_t spn_read;  /* handle; 0: none */
typedef uint32_t spn_pak;   /* handle; 0: none. See pak.h */
typedef uint32_t spn_block; /* handle; 0: none. See memory.h */

/* A file in a pak, from spn_pak_find. */
typedef struct spn_pak_entry {
    spn_pak pak; /* 0: none */
    uint32_t index;
} spn_pak_entry;

/* Longest path with its NUL, in bytes of UTF-8. */
#define SPN_PATH_BYTES_MAX 512u

/* The type of what is read. Statistics are kept by type, reads are paused by
 * type, and each type has a class for the deadline scheduler. */
typedef enum spn_task {
    SPN_TASK_TEXTURE = 1,
    SPN_TASK_GEOMETRY = 2,
    SPN_TASK_TERRAIN = 3,
    SPN_TASK_ANIMATION = 4,
    SPN_TASK_SOUND_BANK = 5,
    SPN_TASK_MUSIC = 6,
    SPN_TASK_SOUND = 7,
    SPN_TASK_SHADER = 8,
    SPN_TASK_READ_AHEAD = 9,
    SPN_TASK_VIDEO = 10,
    SPN_TASK_FLASH = 11,
    SPN_TASK_PAK = 12,
    SPN_TASK_GEOM_CACHE = 13,
    SPN_TASK_MERGED_MESH = 14,
    SPN_TASK_USER = 15, /* none of the others */
    SPN_TASK_OWN = 16,  /* the first of the caller's own types, up to
                         * SPN_TASK_COUNT - 1 */
    SPN_TASK_COUNT = 32
} spn_task;

/* Class of a type: how soon the deadline scheduler serves its reads. */
typedef enum spn_task_class {
    SPN_CLASS_BULK = 0,   /* when no other class needs the drive */
    SPN_CLASS_STREAM = 1, /* a row of reads, each needed before the next */
    SPN_CLASS_CLIP = 2,   /* needed soon: it will be visible */
    SPN_CLASS_SOUND = 3,  /* needed at once: a gap is heard */
    SPN_CLASS_COUNT = 4
} spn_task_class;

/* With the sort key, a smaller number always goes first. medium.h says how the
 * deadline scheduler uses priorities. */
typedef enum spn_priority {
    SPN_PRIORITY_DEFAULT = 0, /* as an argument: that of the type, which is
                               * SPN_PRIORITY_ABOVE_NORMAL of
                               * SPN_TASK_GEOM_CACHE, as of nodes, and
                               * SPN_PRIORITY_NORMAL of all others */
    SPN_PRIORITY_URGENT = 1,
    SPN_PRIORITY_PREEMPTED = 2, /* internal: a long read that an urgent one
                                 * interrupted; as an argument SPN_ERR_ARG */
    SPN_PRIORITY_ABOVE_NORMAL = 3,
    SPN_PRIORITY_NORMAL = 4,
    SPN_PRIORITY_BELOW_NORMAL = 5,
    SPN_PRIORITY_IDLE = 6
} spn_priority;

typedef struct spn_read_result {
    spn_read read;
    spn_status status; /* SPN_OK or an error; never pending. SPN_ERR_TIMEOUT:
                        * the device did not answer, see medium.h */
    void *buffer;      /* as given, by the description or the storage callback;
                        * NULL when that was never asked */
    uint64_t bytes;    /* bytes that are valid at the front of the buffer */
    void *user;        /* as given */
    spn_fault fault;   /* of damaged bytes of a pak: where, and what was found
                        * there; otherwise `what` is NULL */
    spn_block block;   /* of SPN_READ_INTO_HEAP, `bytes` long: the caller's from
                        * the main-thread callback on, to be given back with
                        * spn_block_free. 0: of another read, of no bytes, or
                        * not SPN_OK */
} spn_read_result;

typedef void (*spn_read_callback)(const spn_read_result *result);

/* The memory that a storage callback is asked for. */
typedef struct spn_read_want {
    spn_read read;
    spn_task task;
    uint64_t bytes; /* > 0: size of the buffer */
    void *user;     /* as given */
} spn_read_want;

/* Provide memory for a read that is about to begin and whose size is known.
 * Returns SPN_OK with *buffer, which has room for want->bytes. The buffer
 * belongs to the read until its completion, and to the caller again then,
 * whatever the status. Returns SPN_NO_MEMORY_NOW to be called again with the
 * next spn_update, or at once after spn_read_retry_storage; other reads go on
 * meanwhile. Any error ends the read with that status. SPN_OK without a buffer
 * ends it with SPN_ERR_MEMORY. Thread: the io thread (without threads: inside
 * spn_update or spn_read_wait), so be short, and never wait for a read in here.
 */
typedef spn_status (*spn_storage_callback)(const spn_read_want *want,
                                           void **buffer);

/* spn_read_desc.flags */
#define SPN_READ_OVER_BUDGET                                                   \
    1u                        /* go on as an urgent read does where the budget \
                               * of spn_config.read_budget_bytes is used up */
#define SPN_READ_UNGUARDED 2u /* every thread may wait for it: guard.h */
#define SPN_READ_INTO_HEAP                                                     \
    4u /* instead of a buffer: into a block of the runtime's heap, which is    \
        * taken for it once its size is known: see memory.h */
#define SPN_READ_HELD                                                          \
    8u /* the handle stays good until spn_read_release: see above */

typedef struct spn_read_desc {
    spn_file file;              /* from spn_file_open, or 0: then `entry` or
                                 * `path` */
    const char *path;           /* copied; opened for this read alone, or found
                                 * in a mounted pak; ignored when there is a
                                 * `file` or an `entry` */
    uint64_t offset;            /* bytes from the start of the file or entry */
    uint64_t bytes;             /* 0: to its end */
    void *buffer;               /* the read's until the completion; NULL only
                                 * with 0 buffer_bytes, or with `extents` */
    uint64_t buffer_bytes;      /* >= bytes; a read to the end that finds more
                                 * ends in SPN_ERR_RANGE */
    spn_priority priority;      /* 0: the default of its task */
    spn_task task;              /* < SPN_TASK_COUNT; 0: SPN_TASK_USER */
    uint64_t deadline_us;       /* on the platform's clock; 0: none, or what
                                 * medium.h says */
    spn_read_callback on_async; /* worker; NULL: none */
    spn_read_callback on_done;  /* inside spn_update; NULL: none */
    void *user;
    spn_storage_callback on_storage; /* instead of a buffer, which is then
                                      * NULL with 0 buffer_bytes */
    uint32_t flags;                  /* SPN_READ_... */
    spn_pak_entry entry;             /* from spn_pak_find; its pak 0: none;
                                      * ignored when there is a `file` */
    const spn_extent *extents; /* instead of a buffer, which is then NULL: many,
                                * filled in this order, as a block of the
                                * runtime's heap (memory.h) or pages of one's
                                * own; all together have buffer_bytes or more.
                                * They and what they lead to are the
                                * read's until the completion. NULL: none */
    uint32_t extent_count;     /* of these, each of 1 byte or more */
    uint32_t guard_roles; /* who must not wait for it, see guard.h; 0: as its
                           * file, or else its medium */
    uint32_t heap_unit_bytes; /* of SPN_READ_INTO_HEAP: spn_block_alloc's
                               * unit_bytes */
} spn_read_desc;

/* Open a file to read from many times. Nothing is read or touched yet: the
 * io thread opens it with the first read, and a failure is that read's.
 * Returns SPN_ERR_TABLE_FULL when file_count files are open or still closing;
 * SPN_ERR_ARG for a path that is NULL, empty or too long; SPN_ERR_SHUTDOWN from
 * a callback inside spn_shutdown. Thread: caller's. */
SPN_NODISCARD spn_status spn_file_open(spn_runtime *rt, const char *path,
                                       spn_file *out);

/* Close once no read needs it any more: reads already started still end
 * normally. The handle is stale at once: SPN_ERR_HANDLE. Thread: caller's. */
spn_status spn_file_close(spn_runtime *rt, spn_file file);

/* Start a read. Returns SPN_OK; or, and then no callback will come, SPN_FULL
 * when read_count reads are in flight or held (try after the next spn_update),
 * SPN_ERR_ARG for a field out of its range, SPN_ERR_HANDLE for a stale `file`,
 * SPN_ERR_NOT_BUILT for an `entry` where paks are not (features.h),
 * SPN_ERR_SHUTDOWN. Whether the range lies in the file is found later: that is
 * the read's own status. The completion may come before the call returns.
 * Thread: any. */
SPN_NODISCARD spn_status spn_read_start(spn_runtime *rt,
                                        const spn_read_desc *desc,
                                        spn_read *out);

/* Start `count` reads (1..read_count) with one wake-up: all of them, in this
 * order, or none. Returns what spn_read_start does, for the first of them that
 * is refused; SPN_FULL when there is not room for all. `out` has room for
 * `count` handles. Thread: any. */
SPN_NODISCARD spn_status spn_read_start_batch(spn_runtime *rt,
                                              const spn_read_desc *descs,
                                              uint32_t count, spn_read *out);

/* Ask a read to end early. Its completion still comes, once, with
 * SPN_ERR_ABORTED unless it had already ended; the buffer belongs to the read
 * until then, and whatever the callbacks need must stay: spn_read_abort_now is
 * the call for an owner that goes. Twice is as good as once. SPN_ERR_HANDLE
 * when it is over. Thread: any. */
spn_status spn_read_abort(spn_runtime *rt, spn_read read);

/* End a read for good, so that whoever its callbacks lead to, and its buffer,
 * may go: abort it, and return when it is over. Those of its callbacks that
 * have not run by then run inside this call, the main-thread callback on this
 * thread; none runs after it, whatever it returns but for the last two. The
 * handle is stale then, also of a held read. A destructor needs nothing else.
 *
 * Callbacks of other reads wait for the next spn_update. From inside of the
 * read's own main-thread callback it does nothing, and is SPN_OK: the callback
 * is the last that is known of the read.
 *
 * Waits for the piece that is at the device, if it is one of this read, until
 * the device lets go of the buffer (read_cancel shortens that), and for an
 * asynchronous callback that is running. Where the runtime has no workers of
 * its own, and in a callback inside spn_shutdown, jobs run inside: those of
 * other reads and of caches too.
 *
 * SPN_OK; SPN_ERR_HANDLE: it was over before. SPN_ERR_STATE from an
 * asynchronous or storage callback, where spn_read_wait is SPN_ERR_STATE:
 * nothing happened. SPN_ERR_TIMEOUT on a platform without threads whose clock
 * stood still for a million steps: it is aborted, no more. Thread: caller's. */
spn_status spn_read_abort_now(spn_runtime *rt, spn_read read);

/* Has the read ended? SPN_PENDING, or SPN_OK once its data or its error has
 * arrived; SPN_ERR_HANDLE when the handle is stale. Polling does not end a
 * hold: a held read that is only polled needs spn_read_release. Thread: any. */
spn_status spn_read_poll(spn_runtime *rt, spn_read read);

/* End the hold of a read: from now on its handle is valid as long as that of a
 * read that is not held. Also while the read is in flight. Nothing happens when
 * it is not held. SPN_ERR_HANDLE when the handle is stale. Thread: any. */
spn_status spn_read_release(spn_runtime *rt, spn_read read);

/* Wait until the read has ended: until its data or its error has arrived, as
 * spn_read_poll reports it. The read's callbacks may or may not have run by
 * then. A thread reads synchronously with spn_read_start and this call: a read
 * without callbacks is held, so its result stays available whatever spn_update
 * does meanwhile. A read with callbacks takes SPN_READ_HELD where a thread may
 * begin to wait after the read has completed.
 *
 * timeout_us  microseconds to wait at most; 0: return at once; UINT64_MAX: no
 *             limit
 * out         the result, with its status; filled when SPN_OK is returned;
 *             NULL: not wanted
 *
 * Returns
 *   SPN_OK           the read has ended
 *   SPN_ERR_TIMEOUT  it has not, after timeout_us
 *   SPN_ERR_HANDLE   the handle is stale; a read that is not held is stale once
 *                    it has completed
 *   SPN_FULL         config.wait_count threads wait already
 *   SPN_ERR_STATE    waiting here could never end; see Threads
 *
 * The call sleeps on an event. Any number of threads may wait for one read.
 *
 * On a platform without threads the call runs the steps of the I/O thread and
 * of the jobs itself. The platform's clock must advance meanwhile:
 * SPN_ERR_TIMEOUT is returned when it has not changed for a million steps, and
 * SPN_ERR_STATE when no read is in flight and timeout_us is UINT64_MAX.
 * Callbacks of spn_update do not run during the call.
 *
 * Threads: any thread of the game. It must have returned before spn_shutdown
 * returns. The call is not allowed
 * - in an asynchronous or storage callback, which runs on a thread of the
 *   runtime: SPN_ERR_STATE where the platform has thread_current or no threads.
 *   Jobs of an engine's own system (job_submit) are not recognized: there the
 *   wait may never end;
 * - in a callback during spn_shutdown: no thread would end the read;
 * - on the thread that calls spn_update, for a read with SPN_READ_INTO_HEAP:
 *   spn_update allocates the block of such a read (memory.h);
 * - on the thread that calls spn_update, with SPN_NO_WORKERS and an I/O thread,
 *   for an entry of a pak: spn_update checks and unpacks its blocks.
 * A callback during spn_update may wait; the frame waits with it. */
spn_status spn_read_wait(spn_runtime *rt, spn_read read, uint64_t timeout_us,
                         spn_read_result *out);

/* Ask the storage callbacks that said SPN_NO_MEMORY_NOW again, without waiting
 * for the next spn_update. Thread: any. */
void spn_read_retry_storage(spn_runtime *rt);

/* Pause all reads of a type, also those that have begun: the piece at the
 * device still arrives, and no further piece is begun until spn_task_resume.
 * The reads keep their place in the order. Aborts and shutdown end them;
 * spn_read_wait waits until they are resumed. Pausing again changes nothing.
 * SPN_ERR_ARG for a type that is none. Thread: any. */
spn_status spn_task_pause(spn_runtime *rt, spn_task task);
spn_status spn_task_resume(spn_runtime *rt, spn_task task);

/* The class of a type, for reads that are started from now on. At first
 * sounds, sound banks and music are SPN_CLASS_SOUND, animations
 * SPN_CLASS_CLIP, geometry caches and videos SPN_CLASS_STREAM, all others and
 * the caller's own SPN_CLASS_BULK. SPN_ERR_ARG for a type or class that is
 * none. Thread: any. */
spn_status spn_task_set_class(spn_runtime *rt, spn_task task,
                              spn_task_class task_class);
spn_status spn_task_get_class(const spn_runtime *rt, spn_task task,
                              spn_task_class *out);

#ifdef __cplusplus
}
#endif
#endif
