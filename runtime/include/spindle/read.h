/* read.h - asynchronous reads of files.
 *
 * A read is started with spn_read_start. The one I/O thread of the runtime
 * reads its bytes piece by piece, in the order that medium.h describes. A read
 * goes through these states, in this order:
 *
 *   started    spn_read_start has accepted it
 *   ended      its result is final: its data has arrived, or it failed, or it
 *              was aborted, or the runtime shuts down
 *   completed  its callbacks have returned: first on_async, which a worker
 *              calls, then on_done, which spn_update calls on the caller's
 *              thread. (Either may be NULL.) Each read completes exactly once
 *
 * A read is *in flight* from its start to its completion. If a header says
 * `callbacks` of a read, it means on_async and on_done. The storage callback,
 * on_storage, is another thing: it provides memory before the first piece is
 * read.
 *
 * Terms
 *
 *   piece            the part of a read that is one command of the device; at
 *                    most spn_config.piece_bytes
 *   medium           hard disk or optical disc, with a queue and an order of
 *                    its own (medium.h); or memory, from which files are copied
 *   pak, entry       many files in one file; one of these files (pak.h)
 *   heap, block      the runtime's own memory for data, and an allocation in it
 *                    (memory.h)
 *   task             what the data of a read is used for: textures, sounds ...
 *   read budget      limit for the memory of reads in flight that was provided
 *                    by storage callbacks or the heap
 *                    (spn_config.read_budget_bytes). Memory that the game gives
 *                    with the description is not counted
 *   caller's thread  the thread that calls spn_update (spindle.h)
 *   worker, job      a thread that decompresses, decodes and calls on_async;
 *                    one such piece of work (spindle.h)
 *
 * Handles. The handle of a read is valid until the read completes. After that
 * it is *stale*, and functions return SPN_ERR_HANDLE for it. The handle of a
 * *held* read stays valid longer, so that spn_read_wait can return its result:
 *
 *   a read that is held             until
 *   ------------------------------  -----------------------------------------
 *   it has SPN_READ_HELD            spn_read_release
 *   on_async and on_done are NULL   spn_read_wait has returned SPN_OK once, or
 *                                   spn_read_release
 *
 * A held read counts towards spn_config.read_count. If it is never waited for
 * nor released, it counts for ever; spn_io_stats.held shows the number of such
 * reads.
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

/* Size of the longest path in bytes of UTF-8, with its NUL. */
#define SPN_PATH_BYTES_MAX 512u

/* The task of a read: what its data is used for. Statistics are kept by task,
 * reads are paused by task, and each task has a class for the deadline
 * scheduler. SPN_TASK_GEOM_CACHE also changes the default priority
 * (SPN_PRIORITY_DEFAULT). The names have no other effect. */
typedef enum spn_task {
    SPN_TASK_TEXTURE = 1,
    SPN_TASK_GEOMETRY = 2,
    SPN_TASK_TERRAIN = 3,
    SPN_TASK_ANIMATION = 4,
    SPN_TASK_SOUND_BANK = 5,
    SPN_TASK_MUSIC = 6,
    SPN_TASK_SOUND = 7,
    SPN_TASK_SHADER = 8,
    SPN_TASK_READ_AHEAD = 9, /* data that may be needed later */
    SPN_TASK_VIDEO = 10,
    SPN_TASK_FLASH = 11, /* Flash (SWF) user interfaces */
    SPN_TASK_PAK = 12,   /* index and loading of paks; used by the runtime */
    SPN_TASK_GEOM_CACHE = 13,  /* geom.h; used by the runtime */
    SPN_TASK_MERGED_MESH = 14, /* many small meshes merged into one */
    SPN_TASK_USER = 15,        /* none of the others */
    SPN_TASK_OWN = 16, /* this and the following, up to SPN_TASK_COUNT - 1,
                        * are free for the game */
    SPN_TASK_COUNT = 32
} spn_task;

/* Class of a task: how soon the deadline scheduler (medium.h) serves its reads.
 */
typedef enum spn_task_class {
    SPN_CLASS_BULK = 0,   /* last; e.g. levels, data for later */
    SPN_CLASS_STREAM = 1, /* before bulk; data that is played from a buffer,
                           * e.g. videos */
    SPN_CLASS_CLIP = 2,   /* soon: the player sees it if it is late; e.g. a
                           * short animation that an event of the game starts.
                           * Geometry caches (geom.h) are streams */
    SPN_CLASS_SOUND = 3,  /* at once: the player hears it if it is late */
    SPN_CLASS_COUNT = 4
} spn_task_class;

/* Priority of a read, the highest first. Each medium has one of two orders
 * (medium.h): with the sort key, a read of higher priority always goes before a
 * read of lower priority; with the deadline scheduler, this holds only for
 * urgent and idle reads. */
typedef enum spn_priority {
    SPN_PRIORITY_DEFAULT = 0, /* SPN_PRIORITY_ABOVE_NORMAL for reads with
                               * SPN_TASK_GEOM_CACHE, SPN_PRIORITY_NORMAL for
                               * all others. Only as an argument */
    SPN_PRIORITY_URGENT = 1,
    SPN_PRIORITY_PREEMPTED = 2, /* only in events and reports: a long read that
                                 * an urgent one interrupted. As an argument it
                                 * is refused with SPN_ERR_ARG */
    SPN_PRIORITY_ABOVE_NORMAL = 3,
    SPN_PRIORITY_NORMAL = 4,
    SPN_PRIORITY_BELOW_NORMAL = 5,
    SPN_PRIORITY_IDLE = 6
} spn_priority;

typedef struct spn_read_result {
    spn_read read;
    spn_status status; /* SPN_OK or an error, never SPN_PENDING.
                        * SPN_ERR_TIMEOUT: the device did not answer (medium.h)
                        */
    void *buffer;      /* from the description or the storage callback; NULL if
                        * that was never called */
    uint64_t bytes;    /* valid bytes at the front of the destination, also
                        * after an error. With SPN_READ_INTO_HEAP it is 0 after
                        * an error, because the block is freed then */
    void *user;        /* from the description */
    spn_fault fault;   /* if bytes of a pak are damaged: where, and what was
                        * found there; otherwise fault.what is NULL */
    spn_block block;   /* SPN_READ_INTO_HEAP: the block with the data, `bytes`
                        * long. It belongs to the caller from on_done on, who
                        * frees it with spn_block_free. 0 for other reads, for
                        * empty ones, and if status is not SPN_OK */
} spn_read_result;

typedef void (*spn_read_callback)(const spn_read_result *result);

/* The memory that a storage callback has to provide. */
typedef struct spn_read_want {
    spn_read read;
    spn_task task;
    uint64_t bytes; /* size of the buffer, > 0 */
    void *user;     /* from the description */
} spn_read_want;

/* Provide memory for a read. The callback is called when the number of bytes is
 * known and the queue of the medium has chosen the read (medium.h, Memory). It
 * returns
 *
 *   SPN_OK             *buffer has room for want->bytes. It belongs to the read
 *                      until its completion, then to the caller again, whatever
 *                      the status. (A NULL buffer ends the read with
 *                      SPN_ERR_MEMORY.)
 *   SPN_NO_MEMORY_NOW  other reads go on. The callback is called again in the
 *                      next spn_update, or after spn_read_retry_storage
 *   an error           the read ends with this status
 *
 * Thread: the I/O thread; on a platform without threads, inside spn_update or
 * spn_read_wait. It must be short, and must not wait for a read. */
typedef spn_status (*spn_storage_callback)(const spn_read_want *want,
                                           void **buffer);

/* spn_read_desc.flags
 *
 *   SPN_READ_OVER_BUDGET  the read gets its memory although the read budget is
 *                         used up. Urgent reads always do
 *   SPN_READ_UNGUARDED    every thread may wait for the read. (Otherwise guards
 *                         can forbid it to threads with certain roles, see
 *                         guard.h)
 *   SPN_READ_INTO_HEAP    the runtime allocates a block of its heap for the
 *                         data when the size is known (memory.h)
 *   SPN_READ_HELD         the handle is valid until spn_read_release */
#define SPN_READ_OVER_BUDGET 1u
#define SPN_READ_UNGUARDED 2u
#define SPN_READ_INTO_HEAP 4u
#define SPN_READ_HELD 8u

/* Source and target of a read. All fields that are not needed are 0 or NULL.
 *
 *   source             set     ignored
 *   -----------------  ------  -----------
 *   an open file       file    entry, path
 *   an entry of a pak  entry   path
 *   a path             path
 *
 *   destination        set                            must be 0 or NULL
 *   -----------------  -----------------------------  -------------------------
 *   one buffer         buffer, buffer_bytes           extents
 *   several extents    extents, extent_count,         buffer
 *                      buffer_bytes
 *   storage callback   on_storage                     buffer, extents,
 *                                                     buffer_bytes
 *   block of the heap  flags with SPN_READ_INTO_HEAP, buffer, extents,
 *                      on_done                        buffer_bytes, on_storage
 */
typedef struct spn_read_desc {
    spn_file file;    /* from spn_file_open; 0: none */
    const char *path; /* copied. It is looked up in mounted paks first, then on
                       * the disc; a file of the disc is opened for this read
                       * alone */
    uint64_t offset;  /* of the first byte to read, in the file or entry */
    uint64_t bytes;   /* bytes to read; 0: to the end */
    void *buffer;     /* belongs to the read until it completes; may be NULL if
                       * buffer_bytes is 0 */
    uint64_t buffer_bytes;      /* size of the buffer or of the part of the
                                 * extents that may be written; >= bytes. If
                                 * `bytes` is 0 and more bytes are found, the
                                 * read ends with SPN_ERR_RANGE */
    spn_priority priority;      /* 0: SPN_PRIORITY_DEFAULT */
    spn_task task;              /* < SPN_TASK_COUNT; 0: SPN_TASK_USER */
    uint64_t deadline_us;       /* when the data is needed, on the platform's
                                 * clock; 0: no deadline is given, and the
                                 * deadline scheduler sets one by class
                                 * (medium.h) */
    spn_read_callback on_async; /* called on a worker; NULL: none */
    spn_read_callback on_done;  /* called in spn_update; NULL: none */
    void *user;                 /* for the callbacks */
    spn_storage_callback on_storage; /* NULL: none */
    uint32_t flags;                  /* SPN_READ_... */
    spn_pak_entry entry;             /* from spn_pak_find; pak 0: none */
    const spn_extent *extents; /* ranges of memory, filled in this order, e.g.
                                * those of a block of the heap. Together they
                                * have at least buffer_bytes. Array and memory
                                * belong to the read until it completes */
    uint32_t extent_count;     /* each extent has at least 1 byte */
    uint32_t guard_roles; /* mask of SPN_ROLE_*: threads with one of these roles
                           * must not wait for the read (guard.h). 0: the roles
                           * that spn_guard_file has set for its file; if it
                           * has set none, those that spn_guard_medium has set
                           * for the medium */
    uint32_t heap_unit_bytes; /* SPN_READ_INTO_HEAP: how many bytes of the block
                               * must be contiguous; 0: one page of the heap.
                               * The same as unit_bytes of spn_block_alloc
                               * (memory.h) */
} spn_read_desc;

/* Open a file for many reads. The call only stores the path. The I/O thread
 * opens the file for the first read; if that fails, the read ends with the
 * error.
 *
 * path  UTF-8, 1 to SPN_PATH_BYTES_MAX - 1 bytes, otherwise SPN_ERR_ARG; copied
 *
 * Returns SPN_ERR_TABLE_FULL if spn_config.file_count files are open or still
 * closing; SPN_ERR_SHUTDOWN in a callback during spn_shutdown. Thread: the
 * caller's. */
SPN_NODISCARD spn_status spn_file_open(spn_runtime *rt, const char *path,
                                       spn_file *out);

/* Close a file. The handle is stale at once. Reads that were started before go
 * on; the file is closed after the last of them. Thread: the caller's. */
spn_status spn_file_close(spn_runtime *rt, spn_file file);

/* Start a read. If an error is returned, no callback is called.
 *
 *   SPN_OK             *out is the handle. The read may end, and even complete,
 *                      before this call returns
 *   SPN_FULL           spn_config.read_count reads are in flight or held; try
 *                      again after the next spn_update
 *   SPN_ERR_ARG        a field is out of its range
 *   SPN_ERR_HANDLE     `file` or the pak of `entry` is stale
 *   SPN_ERR_NOT_BUILT  an `entry`, but paks were not built (features.h)
 *   SPN_ERR_SHUTDOWN   the runtime is shutting down
 *
 * Whether the range lies within the file is found later; then the read ends
 * with an error. Thread: any. */
SPN_NODISCARD spn_status spn_read_start(spn_runtime *rt,
                                        const spn_read_desc *desc,
                                        spn_read *out);

/* Start several reads at once: all of them, in this order, or none.
 *
 * count  1..spn_config.read_count
 * out    room for `count` handles
 *
 * Returns what spn_read_start returns for the first read that is refused;
 * SPN_FULL if there is not room for all. Thread: any. */
SPN_NODISCARD spn_status spn_read_start_batch(spn_runtime *rt,
                                              const spn_read_desc *descs,
                                              uint32_t count, spn_read *out);

/* Abort a read, and return at once. The read still completes, with
 * SPN_ERR_ABORTED unless it had ended before. Until it completes, the buffer
 * belongs to the read, and everything that its callbacks use must exist. (To
 * destroy these, call spn_read_abort_now instead.) Aborting twice is allowed.
 * SPN_ERR_HANDLE if the handle is stale. Thread: any. */
spn_status spn_read_abort(spn_runtime *rt, spn_read read);

/* Abort a read, and return when it has completed. The buffer and everything
 * that its callbacks use may then be destroyed. Callbacks of the read that have
 * not run yet run before the call returns, on_done on the calling thread. After
 * the call the handle is stale, also that of a held read.
 *
 * Returns
 *   SPN_OK           the read has completed. Also returned in the read's own
 *                    on_done, where the call does nothing
 *   SPN_ERR_HANDLE   the handle was stale before the call
 *   SPN_ERR_STATE    called in on_async, in a storage callback, or in another
 *                    function that a job calls, e.g. of a codec (see
 *                    spn_read_wait); nothing was done
 *   SPN_ERR_TIMEOUT  only on a platform without threads: the clock stands still
 *                    (see spn_read_wait). The read was aborted, but has not
 *                    completed
 *
 * Waits for
 *   the device       if a piece of this read is at the device, because the
 *                    device may write into the buffer (spn_platform.read_cancel
 *                    makes the piece return early)
 *   on_async         if it is running or still has to run
 *
 * In two cases the call runs waiting jobs itself, also the on_async of other
 * reads, and jobs of caches: if the runtime has no workers of its own, and in a
 * callback during spn_shutdown. It never calls on_done of other reads.
 *
 * Thread: the caller's. */
spn_status spn_read_abort_now(spn_runtime *rt, spn_read read);

/* Look whether a read has ended.
 *
 *   SPN_PENDING     it has not ended
 *   SPN_OK          it has ended, with its data or with an error; it may not
 *                   have completed
 *   SPN_ERR_HANDLE  the handle is stale
 *
 * A held read stays held: if it is only polled, it needs spn_read_release.
 * Thread: any. */
spn_status spn_read_poll(spn_runtime *rt, spn_read read);

/* End the hold of a read: its handle is valid only as long as that of a read
 * that is not held. Allowed while the read is in flight; no effect if it is not
 * held. SPN_ERR_HANDLE if the handle is stale. Thread: any. */
spn_status spn_read_release(spn_runtime *rt, spn_read read);

/* Wait until a read has ended. It may not have completed then: its callbacks
 * may or may not have run. spn_read_start followed by this call is a
 * synchronous read. A read without callbacks is held, so its result stays
 * available. A read with callbacks needs SPN_READ_HELD if a thread may begin to
 * wait after the read has completed.
 *
 * timeout_us  longest time to wait, in microseconds; 0: return at once;
 *             UINT64_MAX: no limit
 * out         the result, with its status; written if SPN_OK is returned; NULL:
 *             not wanted
 *
 * Returns
 *   SPN_OK           the read has ended
 *   SPN_ERR_TIMEOUT  it has not ended within timeout_us
 *   SPN_ERR_HANDLE   the handle is stale; a read that is not held is stale once
 *                    it has completed
 *   SPN_FULL         spn_config.wait_count threads are waiting
 *   SPN_ERR_STATE    waiting here could never end, see Threads
 *
 * The call sleeps on an event. Any number of threads may wait for one read.
 *
 * Platforms without threads: the call itself does the work of the I/O thread
 * and of the workers, in steps, until the read has ended. It calls no on_done,
 * neither of this read nor of others: spn_update does. Two rules keep the call
 * from running for ever:
 *
 * - The platform's clock must advance meanwhile. If the *clock stands still*,
 *   which means that it does not change during about a million steps without
 *   work, SPN_ERR_TIMEOUT is returned.
 * - If timeout_us is UINT64_MAX, and a step finds no work for now and for no
 *   later time either, SPN_ERR_STATE is returned.
 *
 * Threads: any thread of the game. spn_shutdown ends all reads, and thereby all
 * waits; the game must ensure that the call has returned before spn_shutdown
 * returns. The call is not allowed
 *
 * - in on_async or in a storage callback, because they run on threads of the
 *   runtime. The call detects this mistake and returns SPN_ERR_STATE, if the
 *   platform has no threads or provides spn_platform.thread_current. On threads
 *   of an engine's job system (spn_platform.job_submit) it does not detect the
 *   mistake, and the wait may never end;
 * - in a callback during spn_shutdown, because no thread would end the read;
 * - on the caller's thread, for a read with SPN_READ_INTO_HEAP, because
 *   spn_update allocates the block of such a read (memory.h);
 * - on the caller's thread, for an entry of a pak, if spn_config.worker_count
 *   is SPN_NO_WORKERS and the platform has threads, because spn_update then
 *   verifies and decompresses the entry.
 *
 * A callback during spn_update may wait; spn_update returns later then. */
spn_status spn_read_wait(spn_runtime *rt, spn_read read, uint64_t timeout_us,
                         spn_read_result *out);

/* Call the storage callbacks that returned SPN_NO_MEMORY_NOW again soon, on the
 * I/O thread, without waiting for the next spn_update. Thread: any. */
void spn_read_retry_storage(spn_runtime *rt);

/* Pause all reads of a task until spn_task_resume, also those that have begun.
 * A piece at the device still arrives, but no further piece is started. The
 * reads keep their place in the order. Aborts and spn_shutdown still end them.
 * Pausing a paused task has no effect. SPN_ERR_ARG if there is no such task.
 * Thread: any. */
spn_status spn_task_pause(spn_runtime *rt, spn_task task);
spn_status spn_task_resume(spn_runtime *rt, spn_task task);

/* Set or get the class of a task. A change holds for reads that are started
 * after it. After spn_init the classes are
 *
 *   SPN_CLASS_SOUND   SPN_TASK_SOUND, SPN_TASK_SOUND_BANK, SPN_TASK_MUSIC
 *   SPN_CLASS_CLIP    SPN_TASK_ANIMATION
 *   SPN_CLASS_STREAM  SPN_TASK_GEOM_CACHE, SPN_TASK_VIDEO
 *   SPN_CLASS_BULK    all other tasks
 *
 * SPN_ERR_ARG if there is no such task or class. Thread: any. */
spn_status spn_task_set_class(spn_runtime *rt, spn_task task,
                              spn_task_class task_class);
spn_status spn_task_get_class(const spn_runtime *rt, spn_task task,
                              spn_task_class *out);

#ifdef __cplusplus
}
#endif
#endif
